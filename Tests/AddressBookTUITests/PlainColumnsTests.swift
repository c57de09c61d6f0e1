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
}
