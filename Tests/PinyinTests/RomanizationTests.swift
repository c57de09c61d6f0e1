import Foundation
import Testing

@testable import Pinyin

/// The shipped table of Latin spellings against its sources: ICU's transliterators and the list of spellings.
@Suite struct RomanizationTests {
  private func spellings(_ value: UInt32, before next: UInt32? = nil) -> Set<String> {
    var found: Set<String> = []
    Romanization.shared.forEachSpelling(of: value, before: next) { packed, _ in
      found.insert(ASCIILetters(packed: packed).description)
    }
    return found
  }

  /// Returns a text folded to the letters a to z, without its other characters.
  private func folded(_ text: String) -> String {
    var letters = ""
    for scalar in text.unicodeScalars {
      for byte in LatinFolding.fold(scalar) ?? ASCIILetters(packed: 0) where byte >= 0x61 && byte <= 0x7A {
        letters.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return letters
  }

  private static let blocks: [ClosedRange<UInt32>] = [
    0x3B1...0x3C9, 0x430...0x45F, 0x561...0x586, 0x5D0...0x5EA, 0x628...0x64A, 0x905...0x939, 0x985...0x9B9,
    0xA05...0xA39,
    0xA85...0xAB9, 0xB05...0xB39, 0xB85...0xBB9, 0xC05...0xC39, 0xC85...0xCB9, 0xD05...0xD39, 0xE01...0xE2E,
    0x10D0...0x10F0, 0x3042...0x3093,
  ]

  /// Returns whether a letter has an accent or is a variant of another; such letters have no spellings of their own.
  private static func isFolded(_ scalar: Unicode.Scalar) -> Bool {
    "\u{A33}\u{A36}ςάέήίόύώϊϋΐΰйёѐѓїќѝўأؤئإآـ".unicodeScalars.contains(scalar)
  }

  @Test func everyLetterHasTheSpellingOfICU() throws {
    let transliterate = try #require(ICU.openTransliterator("Any-Latin"))
    var checked = 0
    for scalar in Self.blocks.joined().compactMap(Unicode.Scalar.init) {
      // A search folds accents before it looks up spellings.
      if Self.isFolded(scalar) { continue }
      guard let latin = transliterate(scalar).map(folded), !latin.isEmpty,
        latin.unicodeScalars.allSatisfy(\.isASCII)
      else { continue }
      let found = spellings(scalar.value)
      #expect(found.contains(latin), "\(scalar) \(latin) \(found.sorted())")
      checked += 1
    }
    #expect(checked > 700)
  }

  @Test func everyHangulSyllableHasTheSpellingOfICU() throws {
    let transliterate = try #require(ICU.openTransliterator("Hangul-Latin"))
    for value in UInt32(0xAC00)...0xD7A3 {
      let scalar = try #require(Unicode.Scalar(value))
      let latin = folded(try #require(transliterate(scalar)))
      let found = spellings(value)
      if !found.contains(latin) {
        Issue.record("\(scalar) \(latin) \(found.sorted())")
        return
      }
    }
  }

  @Test func spellingsAreLetters() {
    for value in (UInt32(0)...0x3200).lazy.map({ $0 }) {
      for next in [nil, 0x443, 0x3C5, 0x644] as [UInt32?] {
        for spelling in spellings(value, before: next) {
          #expect(spelling.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || $0 == "-" }, "\(value) \(spelling)")
          #expect(spelling.isEmpty || Romanization.shared.initials(of: value) != 0)
        }
      }
    }
  }

  @Test func pairsAndFamilyNames() {
    #expect(spellings(0x3BF, before: 0x3C5) == ["o", "ou", "u", "oo"])
    #expect(spellings(0x3BF) == ["o"])
    #expect(spellings(0xC774).isSuperset(of: ["i", "yi", "lee", "rhee"]))
    #expect(spellings(0xBC15).isSuperset(of: ["bak", "pak", "park"]))
    #expect(spellings(0x645).isSuperset(of: ["m", "mm", "mu", "mma", "moo"]))
    #expect(spellings(0x4E00).isEmpty && spellings(0x61).isEmpty && spellings(0x10FFFF).isEmpty)
    #expect(Romanization.shared.initials(of: 0x43A) == 1 << 2 | 1 << 10 | 1 << 23)
  }

  /// Fails if a line was added to the list, but not to the table.
  @Test func theTableHasEveryLineOfTheList() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Resources/romanization/spellings.txt")
    var lines = 0
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      let letters = words[0].unicodeScalars.map(\.value)
      let found = spellings(letters[0], before: letters.count > 1 ? letters[1] : nil)
      for word in words.dropFirst() {
        let spelling = word == "_" ? "" : String(word.filter { $0 != "~" })
        #expect(found.contains(spelling), "\(line)")
      }
      lines += 1
    }
    #expect(lines > 300)
  }
}
