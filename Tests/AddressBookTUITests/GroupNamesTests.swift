import Testing

@testable import AddressBookTUI

/// Names of groups in one field.
struct GroupNamesTests {
  @Test(arguments: [
    [], ["Friends"], ["Friends", "朋友"], ["Smith, Jones", "A"], ["a，b", "c、d"], ["\"quoted\"", "in \"the\" middle"],
    [" blank ", "x"], ["\"", ","], ["\", \"", "\"\""],
  ])
  func namesAreReadAsTheyAreWritten(names: [String]) {
    #expect(GroupNames.names(in: GroupNames.text(of: names)) == names, "\(GroupNames.text(of: names))")
  }

  @Test func namesAreTypedWithCommasOfAnyWidth() {
    #expect(GroupNames.names(in: " Friends ,, Work，朋友、Friends, ") == ["Friends", "Work", "朋友"])
    #expect(GroupNames.names(in: "\"Smith, Jones") == ["Smith, Jones"])
    #expect(GroupNames.text(of: ["Friends", "Smith, Jones"]) == "Friends, \"Smith, Jones\"")
  }

  private let known = ["Family", "Friends", "Hong Kong", "Smith, Jones", "Work", "Work friends", "朋友"]

  private func completed(_ text: String, cursor: Int? = nil) -> String? {
    GroupNames.completion(of: text, cursor: cursor ?? text.count, from: known).map {
      let (text, cursor) = GroupNames.completing(text, with: $0)
      return String(text.prefix(cursor)) + "|" + String(text.dropFirst(cursor))
    }
  }

  @Test func theNameBeforeTheCursorIsCompleted() {
    #expect(completed("fr") == "Friends|")
    #expect(completed("Work, Hong ") == "Work, Hong Kong|")
    #expect(completed("Work，朋") == "Work， 朋友|")
    #expect(completed("sm") == "\"Smith, Jones\"|")
    #expect(completed("\"Smith, ") == "\"Smith, Jones\"|")
    #expect(completed("f, Work", cursor: 1) == "Family|, Work")
    #expect(GroupNames.completion(of: "FR", cursor: 2, from: known)?.rest == "iends")
  }

  @Test func chineseNamesAreCompletedByTheirPinyin() {
    for typed in ["py", "peng", "PengYou", "p"] { #expect(completed(typed) == "朋友|", "\(typed)") }
    #expect(GroupNames.completion(of: "py", cursor: 2, from: known)?.rest == " → 朋友")
    #expect(completed("you") == nil, "only from the beginning")
    #expect(completed("朋友, py") == nil)
  }

  @Test func completeAndPresentNamesAreNotCompleted() {
    #expect(completed("") == nil && completed("Friends, ") == nil && completed("x") == nil)
    // Tab moves on after a known name, even if a longer one begins with it.
    #expect(completed("Work") == nil)
    #expect(completed("Friends, fr") == nil)
    // The cursor is inside a name.
    #expect(completed("Fro", cursor: 2) == nil)
  }

  @Test func theNameAtTheCursorIsRemoved() throws {
    func removed(_ text: String, _ cursor: Int) -> String? {
      GroupNames.removing(from: text, at: cursor).map {
        String($0.text.prefix($0.cursor)) + "|" + $0.text.dropFirst($0.cursor)
      }
    }
    #expect(removed("A, B, C", 4) == "A|, C")
    #expect(removed("A, B, C", 0) == "|B, C")
    #expect(removed("A, B, C", 7) == "A, B|")
    #expect(removed("A, B, ", 6) == "A|")
    #expect(removed("", 0) == nil)
  }
}
