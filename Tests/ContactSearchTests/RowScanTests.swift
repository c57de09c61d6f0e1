import SeededRandom
import Testing

@testable import ContactSearch

/// Scanning 64 rows at once finds what scanning them one by one finds.
@Suite struct RowScanTests {
  @Test(
    arguments: [
      "l", "z", "li", "wang", "zgl", "李", "王强", "138", "0", "5678", "+86 139", "smith", "gmail", "a@", "org:acme",
      "email:gm", "tel:13", "note:a", "\"li qiang\"", "example.com",
    ], [1, 63, 64, 129, 300])
  func rowsAreScannedTogether(_ text: String, _ count: Int) throws {
    var people = RandomPeople(seed: UInt64(count))
    var storage = SearchStorage()
    for id in 1...count { storage.put(people.next(id: Int64(id))) }
    let plan = QueryPlan(SearchQuery(text))
    for (number, term) in plan.query.terms.enumerated() {
      guard case .text(let term) = term.condition else { continue }
      storage.contacts.withView { view in
        func scan(_ sweepThreshold: Int) -> RowScan {
          RowScan(
            term, plan.compiled(number, storage.lexicon), contacts: view, sweepThreshold: sweepThreshold,
            isCancelled: { false })
        }
        let one = scan(65).all().rows()
        for sweepThreshold in [1, 16] {
          #expect(scan(sweepThreshold).all().rows() == one)
          let some = RowSet((0..<UInt32(view.rowCount)).filter { $0 % 3 != 1 }, below: view.rowCount)
          #expect(
            scan(sweepThreshold).all(among: some).rows() == one.filter { some.contains(Int($0)) })
        }
        #expect(scan(65).filter((0..<UInt32(view.rowCount)).map { $0 }) == one)
      }
    }
  }
}

/// Comparing the units of 64 rows at once finds what comparing row by row finds.
@Suite struct UnitSweepTests {
  @Test(arguments: [10, Token.escape, Token.escape + 1, 200_000], [0, 3, 200])
  func sweepAgreesWithRows(_ entries: Int, _ longest: Int) {
    let seed = UInt64.random(in: 0...1_000_000)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let hints = (0..<entries).map { _ in random.chance(90) ? 0 : UInt8.random(in: 0...15, using: &random) }
    var tokens: [UInt16] = []
    var starts: [UInt32] = [0]
    for _ in 0..<200 {
      // Most rows are short; a note may be long.
      let count = Int.random(in: 0...(random.chance(5) ? longest * 20 : longest), using: &random)
      for _ in 0..<count { Token.append(Int.random(in: 0..<entries, using: &random), to: &tokens) }
      starts.append(UInt32(tokens.count))
    }
    withView(tokens, starts) { view in
      hints.withUnsafeBufferPointer { hints in
        var sweep = UnitSweep(view, hints)
        for word in 0..<4 {
          let (whole, shared, others) = sweep.rows(word)
          var before: UInt8 = 0
          for row in word * 64..<min(word * 64 + 64, view.rowCount) {
            let units = view.units(row)
            var (isWhole, isShared, isLater) = (false, false, false)
            var index = 0
            while index < units.count {
              let hint = hints[Token.read(units, &index)]
              isWhole = isWhole || hint & UnitScan.whole != 0 && hint & UnitScan.shared == 0
              isShared = isShared || hint & UnitScan.shared != 0
              isLater = isLater || hint & UnitScan.later != 0 && before & UnitScan.beginning != 0
              before = hint
            }
            let bit: UInt64 = 1 << UInt64(row & 63)
            #expect((whole & bit != 0) == isWhole)
            #expect((shared & bit != 0) == isShared)
            #expect((others & bit != 0) == isLater)
            if UnitScan.mayMatch(units, hints) { #expect((whole | shared | others) & bit != 0) }
          }
          #expect(view.rowCount - word * 64 >= 64 || (whole | shared | others) >> UInt64(view.rowCount & 63) == 0)
        }
      }
    }
  }

  private func withView(_ tokens: [UInt16], _ starts: [UInt32], _ body: (PackedContactsView) -> Void) {
    let ids = (0..<starts.count - 1).map { Int64($0) }
    let columns = SignatureColumns()
    ids.withUnsafeBufferPointer { ids in
      tokens.withUnsafeBufferPointer { tokens in
        starts.withUnsafeBufferPointer { starts in
          let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
          body(
            PackedContactsView(
              ids: ids, columns: columns.view, presences: UnsafeBufferPointer(start: nil, count: 0),
              tokenStarts: starts, literalStarts: starts, phoneStarts: starts, tokens: tokens, literals: none,
              phones: none))
        }
      }
    }
  }
}
