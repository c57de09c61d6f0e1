import Synchronization
import Testing

@testable import Pinyin

/// Characters outside the table. No ICU in use has more readings than the table, so the tests provide a source.
@Suite struct MissingReadingsTests {
  private final class Calls: Sendable {
    let opened = Mutex(0)
    let asked = Mutex(0)
  }

  private func read(_ text: String, _ missing: MissingReadings) -> [UInt16] {
    let scalars = text.unicodeScalars.map(\.value)
    var codes = [UInt16](repeating: 0, count: scalars.count)
    scalars.withUnsafeBufferPointer { scalars in
      codes.withUnsafeMutableBufferPointer { NameReader.read(scalars, role: .person, into: $0, missing: missing) }
    }
    return codes
  }

  @Test func theSourceIsOpenedOnceAndReadingsAreCached() throws {
    let calls = Calls()
    let missing = MissingReadings {
      calls.opened.withLock { $0 += 1 }
      return { scalar in
        calls.asked.withLock { $0 += 1 }
        return scalar == "\u{3FFF0}" ? "zhǎng" : nil
      }
    }
    #expect(missing.reading(of: "a") == nil && missing.reading(of: "あ") == nil)
    #expect(read("李小龙", missing).allSatisfy { $0 != 0 })
    #expect(calls.opened.withLock { $0 } == 0)
    let codes = read("\u{3FFF0}李\u{3FFF0}\u{3FFF1}\u{3FFF1}", missing)
    #expect(codes.map { Syllable(code: $0)?.marked } == ["zhǎng", "lǐ", "zhǎng", nil, nil])
    #expect(calls.opened.withLock { $0 } == 1)
    #expect(calls.asked.withLock { $0 } == 2)
  }

  @Test func missingReadingsNeedASource() {
    let missing = MissingReadings { nil }
    #expect(missing.reading(of: "\u{3FFF0}") == nil)
  }

  @Test func icuIsASourceOfReadings() throws {
    let source = try #require(ICU.openTransliterator("Han-Latin"))
    #expect(source("李").flatMap { PinyinText.syllables(in: $0)?.first?.marked } == "lǐ")
    #expect(source("\u{20000}") != nil)
    #expect(ICU.isNewer(than: (1, 0)) && !ICU.isNewer(than: (9_999, 0)) && !ICU.isNewer(than: ICU.version))
  }
}
