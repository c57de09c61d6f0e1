import SeededRandom
import Testing

@testable import ContactSearch

@Suite struct EncoderTests {
  private static func bytes(_ index: SearchIndex) -> [[UInt8]] { index.withStoredParts { $0.map { Array($0) } } ?? [] }

  /// A new encoder for each document, which knows no fields of earlier ones, gives the same bytes.
  @Test func whatTheEncoderKeepsDoesNotChangeTheBytes() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("encoder: seed \(seed)")
    var people = RandomPeople(seed: seed)
    let documents = (0..<1000).map { people.next(id: Int64($0 + 1)) }
    let (index, plain) = (SearchIndex(), SearchIndex())
    index.rebuild(from: documents)
    for document in documents {
      plain.upsert(document)
      plain.pack()  // makes a new encoder
    }
    #expect(Self.bytes(index) == Self.bytes(plain))
  }
}

/// The shortcuts for common texts, compared with the code for all texts.
@Suite struct QuickTextTests {
  private static let letters: [[UInt32]] = [
    Array(0x20...0x7E), [0x2B, 0x28, 0x29, 0x30, 0x31, 0x20, 0x2D],
    [0xE9, 0x301, 0x65, 0x41F, 0x43F, 0x627, 0x3C2, 0xDF],
    [0x4E00, 0x674E, 0x5C0F, 0x20, 0x41], [0xFF0B, 0xFF11, 0x661, 0x31],
    [0x3042, 0x3099, 0xAC00, 0x1100, 0x1F600, 0x20000],
    [0x1, 0x7F, 0x80, 0x41],
  ]

  private static func texts(_ count: Int) -> [String] {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("quick texts: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      var sets = [letters.randomElement(using: &random) ?? []]
      if Bool.random(using: &random) { sets.append(letters.randomElement(using: &random) ?? []) }
      var text = ""
      for _ in 0..<Int.random(in: 0...90, using: &random) {
        let value = sets.randomElement(using: &random)?.randomElement(using: &random) ?? 0x20
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      return text
    }
  }

  @Test func lettersHaveTheKindOfTheirProperties() {
    var count = 0
    for value in UInt32(0xA0)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let kind = ScalarKind(value)
      guard kind == .letter || kind == .cluster else { continue }
      #expect(kind == ScalarKind(properties: scalar), "U+\(String(value, radix: 16))")
      count += 1
    }
    #expect(count > 11_172)
  }

  @Test func shortcutsGiveWhatTheGeneralCodeGives() {
    var buffer = Tokenizer()
    for text in Self.texts(3000) {
      var phones: [UInt8] = [9]
      var utf8 = text
      utf8.withUTF8 { PhoneNumber.append($0, to: &phones) }
      #expect(phones == [9] + PhoneNumber.bytes(of: text))
      var literals: [UInt8] = [9]
      utf8.withUTF8 { Folded.append($0, to: &literals) }
      #expect(literals == [9] + Folded.bytes(of: text))
      buffer.split(text)
      // Letter by letter, without any state from earlier texts.
      for token in buffer.tokens where token.kind != .han {
        var folded: [UInt32] = []
        for index in token.source
        where ScalarKind(buffer.source[index]) != .mark && ScalarKind(buffer.source[index]) != .invisible {
          ScalarFolding.append(buffer.source[index], to: &folded)
        }
        if token.source.allSatisfy({ ScalarKind(buffer.source[$0]) != .mark }) {
          #expect(Array(buffer.keys[token.key]) == folded)
        }
        #expect(token.key.count <= Tokenizer.longestToken + 1)
      }
    }
  }
}
