import Testing
import TidemarkEntries

@Suite struct SortedTests {
  @Test func `the first place is that of the first element behind, or the end`() {
    for count in 0..<40 {
      let numbers = (0..<count).map { $0 / 3 }
      for wanted in -1...14 {
        let place = numbers.firstPlace { $0 >= wanted }
        #expect(place == numbers.firstIndex { $0 >= wanted } ?? numbers.endIndex)
      }
    }
  }

  @Test func `places of a part are those of the whole`() {
    let numbers = Array(0..<100)
    #expect(numbers[20..<80].firstPlace { $0 >= 50 } == 50)
    #expect(numbers[20..<80].firstPlace { $0 >= 5 } == 20)
    #expect(numbers[20..<80].firstPlace { $0 >= 95 } == 80)
  }
}
