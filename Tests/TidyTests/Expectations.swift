import Testing

/// Fails once for each complaint, so that all of them are read in one run.
func expectNone(
  _ complaints: [Complaint],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for complaint in complaints { Issue.record("\(complaint)", sourceLocation: sourceLocation) }
}
