import AddressBookModel
import Contacts
import Foundation
import Testing

@testable import AddressBookTUI

/// Contacts as text in the user's editor, which is a closure here.
@MainActor
struct EditAsTextTests {
  private func harness() throws -> ScreenHarness {
    var (ann, bo) = (Contact(), Contact())
    ann.given = "Ann"
    bo.given = "Bo"
    return try ScreenHarness([ann, bo])
  }

  /// Replaces a text in the file that the editor is given.
  private func edit(_ harness: ScreenHarness, _ changes: @escaping (String) -> String) {
    harness.loop.program = { words in
      guard let path = words.last, let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
      #expect(throws: Never.self) { try changes(text).write(toFile: path, atomically: true, encoding: .utf8) }
    }
  }

  private func nicknames(_ harness: ScreenHarness) throws -> [String] {
    try harness.book.contacts(ids: [1, 2]).map(\.nickname)
  }

  @Test func theSelectedContactIsEditedAndSaved() throws {
    let harness = try harness()
    edit(harness) { $0.replacing("nickname:\n", with: "nickname: Nan\n") }
    harness.press("^E")
    #expect(harness.loop.programs.count == 1 && harness.screen.contains("Saved"))
    #expect(try nicknames(harness) == ["Nan", ""])
    harness.press("u")
    #expect(try nicknames(harness) == ["", ""])
    edit(harness) { $0 }
    harness.press("^E")
    #expect(harness.loop.programs.count == 2 && !harness.screen.contains("Saved"))
  }

  @Test func allMarkedOnesAreInOneText() throws {
    let harness = try harness()
    edit(harness) { $0.replacing("nickname:\n", with: "nickname: X\n") }
    harness.press("A ^E")
    #expect(harness.loop.programs.count == 1)
    #expect(try nicknames(harness) == ["X", "X"])
  }

  @Test func aConflictIsDecidedOnTheScreen() throws {
    let harness = try harness()
    edit(harness) { text in
      #expect(throws: Never.self) {
        _ = try harness.book.newContext().edit(1) { $0.nickname = "Theirs" }
      }
      return text.replacing("nickname:\n", with: "nickname: Mine\n")
    }
    harness.press("^E")
    #expect(harness.screen.contains("Theirs") && harness.screen.contains("Mine"))
    harness.press("m ^S")
    #expect(try nicknames(harness) == ["Mine", ""])
  }

  @Test func aTextThatStaysWrongIsKept() throws {
    let harness = try harness()
    var runs = 0
    edit(harness) { text in
      runs += 1
      return runs == 1 ? text + "nonsense\n" : text
    }
    harness.press("^E")
    #expect(runs == 2 && harness.screen.contains("was not stored"))
    #expect(try nicknames(harness) == ["", ""])
    let path = try #require(harness.loop.programs.last?.last)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("# ! not a field"))
    try FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }
}
