import SeededRandom
import Testing

@testable import ContactSearch

/// Signatures stored in columns equal those that were added by row.
@Suite struct SignatureColumnsTests {
  @Test(arguments: [1, 63, 64, 65, 511, 512, 513, 1500])
  func everyColumnHasTheBitsOfItsRows(_ count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let rows = (0..<count).map { _ in
      // About one bit in four.
      (generator.next() & generator.next(), ContactFlags(rawValue: generator.next() & generator.next()))
    }
    let columns = columns(of: rows)
    for (row, expected) in rows.enumerated() { #expect(columns.view.row(row) == expected) }
    for _ in 0..<20 {
      let bits: UInt64 = 1 << (generator.next() % 64) | 1 << (generator.next() % 64)
      let flags = ContactFlags(rawValue: bits)
      for (row, expected) in rows.enumerated() {
        let (word, bit) = (row >> 6, UInt64(1) << UInt64(row & 63))
        #expect((columns.view.some(of: bits, word) & bit != 0) == (expected.0 & bits != 0))
        #expect((columns.view.some(of: flags, word) & bit != 0) == !expected.1.isDisjoint(with: flags))
        #expect((columns.view.all(of: flags, word) & bit != 0) == expected.1.isSuperset(of: flags))
      }
    }
  }

  @Test func storedColumnsHaveNothingAfterTheLastRow() throws {
    let words = FlatArray(columns(of: Array(repeating: (1, ContactFlags(sharedField: 7)), count: 600)).stored)
    let again = try #require(SignatureColumns(stored: words, rowCount: 600))
    #expect(again.view.row(599) == (1, ContactFlags(sharedField: 7)))
    #expect(SignatureColumns(stored: words, rowCount: 599) == nil)
    #expect(SignatureColumns(stored: words, rowCount: 1100) == nil)
    #expect(SignatureColumns(stored: words, rowCount: 400) == nil)
    #expect(SignatureColumns(stored: FlatArray(), rowCount: 0) != nil)
  }

  @Test func encodedContactsKeepTheirDigits() {
    var document = SearchDocument(id: 1, name: "Room 12")
    document.addresses = ["７ Elm Street"]
    document.organization = "Bar 9"
    var lexicon = Lexicon()
    var encoder = DocumentEncoder()
    var batch = SearchDocumentBatch()
    batch.append(document)
    encoder.encode(0, of: batch, into: &lexicon)
    let flags = encoder.flags
    func digits(_ group: ContactFlags.DigitGroup) -> [UInt32] {
      (0..<10).filter { flags.isSuperset(of: ContactFlags($0 + 0x30, in: group)) }
    }
    #expect(digits(.startOfToken) == [1, 7])
    #expect(digits(.texts) == [1, 2, 7])
    #expect(lexicon.sharedFields.count == 1)
    #expect(lexicon.sharedFields.allSatisfy { flags.isSuperset(of: ContactFlags(sharedField: Int($0))) })
  }

  private func columns(of rows: [(UInt64, ContactFlags)]) -> SignatureColumns {
    var columns = SignatureColumns()
    for (signature, flags) in rows { columns.append(signature, flags) }
    return columns
  }
}
