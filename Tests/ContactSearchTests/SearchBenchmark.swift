import ContactSearch
import Foundation
import Testing

/// Times of a key, build time and memory, at 100,000 and 1,000,000 people. Only in a release build does it mean anything:
/// `SEARCH_BENCH=1 swift test -c release -Xswiftc -enable-testing --filter SearchBenchmark`; SEARCH_BENCH=100000 for one size.
@Suite struct SearchBenchmark {
  private static let wanted = ProcessInfo.processInfo.environment["SEARCH_BENCH"]

  @Test func aKeyAtEachSize() throws {
    guard let wanted = SearchBenchmark.wanted else {
      print("skipped: SEARCH_BENCH is not set")
      return
    }
    let sizes = Int(wanted).map { $0 > 1 ? [$0] : [100_000, 1_000_000] } ?? [100_000, 1_000_000]
    for size in sizes { measure(size) }
  }

  private func measure(_ size: Int) {
    var people = RandomPeople(seed: 7)
    let documents = (1...size).map { people.next(id: Int64($0)) }
    let index = SearchIndex()
    let before = SearchBenchmark.residentBytes()
    let clock = ContinuousClock()
    let built = clock.measure { index.rebuild(from: documents) }
    let after = SearchBenchmark.residentBytes()
    print(
      "\(size) people: built in \(built), \(index.footprint / size) bytes a person counted, \((after - before) / size) resident"
    )
    let kinds: [(String, [String])] = [
      ("one letter", ["l", "z", "w", "a", "s"]),
      ("initials", ["lx", "wxm", "zgl", "bjrj", "js"]),
      ("full pinyin", ["lixiaolong", "wangwei", "zhang", "chongqing", "xiaom"]),
      ("Latin word", ["smith", "muller", "jsmith", "acme", "gmail"]),
      ("Han", ["李", "王强", "有限公司", "重庆", "张伟"]),
      ("digits", ["138", "5678", "0", "13812", "+86 139"]),
      ("two terms", ["li qiang", "wang 138", "smith acme", "z gcs", "j s"]),
      ("field terms", ["org:acme", "has:photo li", "-li", "tel:13", "group:vip"]),
    ]
    for (kind, texts) in kinds {
      var times: [Duration] = []
      var found: [Int] = []
      for text in texts {
        for _ in 0..<9 {
          times.append(clock.measure { found.append(index.find(SearchQuery(text), ranking: 1)?.count ?? 0) })
        }
      }
      report(kind, times, "found \(stride(from: 0, to: found.count, by: 9).map { found[$0] })")
    }
    var narrowing: [Duration] = []
    var back: [Duration] = []
    var slowest: (Duration, String) = (.zero, "")
    for text in ["lixiaolong", "wangxm", "smith j", "王小", "13812345"] {
      for _ in 0..<5 {
        var session = SearchSession(index)
        for length in 1...text.count {
          let time = clock.measure { _ = session.update(SearchQuery(String(text.prefix(length)))) }
          narrowing.append(time)
          if time > slowest.0 { slowest = (time, String(text.prefix(length))) }
        }
        for length in (1..<text.count).reversed() {
          back.append(clock.measure { _ = session.update(SearchQuery(String(text.prefix(length)))) })
        }
      }
    }
    report("narrowing", narrowing, "slowest \(slowest)")
    report("backspace", back, "")
    let changes = (0..<1000).map { people.next(id: Int64($0 * 37 % size)) }
    report("change", changes.map { change in clock.measure { index.upsert(change) } }, "")
    let all = clock.measure { _ = index.search(SearchQuery("l")) }
    print("  ranking all of one letter: \(all)")
  }

  private func report(_ kind: String, _ times: [Duration], _ note: String) {
    let sorted = times.sorted()
    func milliseconds(_ time: Duration) -> String {
      let (seconds, attoseconds) = time.components
      return String(format: "%7.3f", Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
    }
    let label = kind.padding(toLength: 12, withPad: " ", startingAt: 0)
    print(
      "  \(label) median \(milliseconds(sorted[sorted.count / 2])) ms, 95th \(milliseconds(sorted[sorted.count * 95 / 100])) ms  \(note)"
    )
  }

  private static func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
  }
}
