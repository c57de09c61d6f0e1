import Testing

@testable import AddressBookTUI

/// Columns of text for commands.
struct PlainColumnsTests {
  @Test(arguments: [
    ([3, 10, 20], 80, [3, 10, 20]),
    ([3, 10, 20], 37, [3, 10, 20]),
    // The widest column is narrowed first, then those that are as wide as it then is.
    ([3, 10, 20], 36, [3, 10, 19]),
    ([3, 10, 20], 22, [3, 7, 8]),
    ([3, 40, 17, 30, 40], 80, [3, 18, 17, 17, 17]),
    // Nothing is narrower than one column.
    ([3, 10, 20], 5, [1, 1, 1]),
    ([], 10, []),
  ])
  func columnsAreNarrowedToFit(widths: [Int], columns: Int, expected: [Int]) {
    let narrowed = PlainColumns.narrowed(widths, to: columns)
    #expect(narrowed.sorted() == expected.sorted(), "\(narrowed)")
    #expect(zip(narrowed, widths).allSatisfy(<=))
  }

  /// A path keeps its end, which tells it from others.
  @Test(arguments: [
    ("/home/ada/backups/2026.db", 30, "/home/ada/backups/2026.db     "),
    ("/home/ada/backups/2026.db", 12, "…ups/2026.db"),
    ("/书/通讯录.db", 9, "…讯录.db "), ("/书/通讯录.db", 1, "…"), ("ab", 0, ""),
  ])
  func aPathIsCutAtItsBeginning(path: String, columns: Int, expected: String) {
    #expect(PlainColumns.fitted(path, to: columns, keepsEnd: true) == expected)
  }
}
