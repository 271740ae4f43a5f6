/// The checks that this build has, one line a check, in the order of the rules.
package enum CheckCatalogue {
  package static let all: [any Check.Type] = [
    KeysAreDistinct.self,
    SeqsAreDense.self,
    PointersHold.self,
    NoLateLanding.self,
    NoLandingOverDeclaredPaths.self,
    NoSupersededLanding.self,
    LandingsStayHome.self,
    TicketsEndOnce.self,
    RefusalsAreJustified.self,
    NoLateAnswer.self,
    RevisionsNeverFall.self,
    AnswersBumpTogether.self,
    NothingAfterRetirement.self,
  ]
}
