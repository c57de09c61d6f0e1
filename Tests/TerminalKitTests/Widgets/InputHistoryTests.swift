import TerminalKit
import Testing

struct InputHistoryTests {
  @Test func keysGoBackToWhatBeginsAlike() {
    var history = InputHistory()
    for text in ["anna", "bob", "ann", "bob"] { history.add(text) }
    #expect(history.entries == ["bob", "ann", "anna"])
    #expect(history.older(than: "a") == "ann")
    #expect(history.older(than: "ann") == "anna")
    #expect(history.older(than: "anna") == nil)
    #expect(history.newer(than: "anna") == "ann")
    #expect(history.newer(than: "ann") == "a", "back to what was typed")
    #expect(history.newer(than: "a") == nil)
  }

  @Test func anEditedEntryIsANewBeginning() {
    var history = InputHistory(["bob", "anna"])
    #expect(history.older(than: "") == "bob")
    #expect(history.older(than: "an") == "anna")
    #expect(history.newer(than: "anna") == "an")
  }

  @Test func emptyAndOldEntriesAreNotKept() {
    var history = InputHistory()
    history.add("")
    #expect(history.entries.isEmpty)
    for number in 0..<60 { history.add("\(number)") }
    #expect(history.entries.count == InputHistory.most && history.entries.first == "59")
  }
}
