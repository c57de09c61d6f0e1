import BenchmarkReport
import CBareLoop
import ChangeLog
import Dispatch
import GRDB
import IDSets
import ResultsController
import Synchronization

/// Times of one list, compared with a bare loop over its index, with bare transactions, and with reading it again.
final class ListBenchmark: Sendable {
  private let table: ItemTable
  private let controller: FetchedRecordsController<Item>
  private let changed = DispatchSemaphore(value: 0)
  private let arrival = Mutex(ContinuousClock.now)
  private let counts: [Int]

  init(_ table: ItemTable) {
    self.table = table
    counts = [1, 100, 10_000].filter { $0 <= table.rows }
    controller = FetchedRecordsController<Item>(
      table.pool, request: ItemTable.request, deliver: ResultsDelivery { $0() })
  }

  func run() throws {
    // Without triggers and without a listener.
    for count in counts {
      report("\(count) moved, bare transaction", try median(Self.repeats(count)) { try table.move(count) })
    }
    try table.checkpoint()
    try table.pool.write { try ChangeTracking(table: "item").install(in: $0) }
    try openCold()
    try openWarm()
    try change()
    try filter()
    controller.stopTracking()
  }

  private static func repeats(_ count: Int) -> Int { count == 1 ? 61 : count == 100 ? 21 : 5 }

  // MARK: Opening

  private func openCold() throws {
    try table.checkpoint()
    let kinds: [(NewProcess, String)] = [
      (.loop, "bare C loop over the index, new process"), (.open, "list, complete, new process"),
      (.first, "first 40 rows, new process"),
    ]
    var times = [[Double]](repeating: [], count: kinds.count)
    for _ in 0..<7 {
      for (index, kind) in kinds.enumerated() { times[index] += try kind.0.run(on: table.path) }
    }
    for (index, kind) in kinds.enumerated() { report(kind.1, median(times[index])) }
    let memory = try NewProcess.memory.run(on: table.path)
    for (index, name) in ["of the list", "after 10000 moved", "after refetch and diff"].enumerated() {
      report("memory \(name), peak", memory[2 * index], "MB")
      report("memory \(name)", memory[2 * index + 1], "MB")
    }
  }

  private func openWarm() throws {
    let connection = bare_loop_open(table.path)
    defer { bare_loop_close(connection) }
    var loops: [Double] = []
    var lists: [Double] = []
    // Both alternate, so that a slow moment of the machine affects both.
    for _ in 0..<(table.rows > 100_000 ? 5 : 25) {
      loops.append(
        milliseconds {
          var sum: Int64 = 0
          precondition(bare_loop_run(connection, ItemTable.listSQL, &sum) == table.rows)
        })
      lists.append(
        try milliseconds {
          try FetchedRecordsController<Item>(table.pool, request: ItemTable.request, deliver: ResultsDelivery { $0() })
            .performFetch()
        })
    }
    report("bare C loop over the index", median(loops))
    report("list, complete", median(lists))
    controller.listen { [self] event in
      guard case .changed = event else { return }
      arrival.withLock { $0 = ContinuousClock.now }
      changed.signal()
    }
    report(
      "first 40 rows",
      try milliseconds {
        try controller.performFetch(.firstRows)
        controller.fetchRest()
        for row in 0..<min(40, table.rows) { _ = try controller.object(atFlatRow: row) }
      })
    changed.wait()
  }

  // MARK: Changes

  private func change() throws {
    for count in counts {
      var commits: [Double] = []
      var delays: [Double] = []
      for _ in 0..<Self.repeats(count) {
        let (commit, delay) = try time { try table.move(count) }
        commits.append(commit)
        delays.append(delay)
      }
      report("\(count) moved, transaction with triggers", median(commits))
      report("\(count) moved, commit to change set", median(delays))
      report("\(count) moved, all of it", median(zip(commits, delays).map { $0 + $1 }))
    }
    // Without the log, the list must be read again and compared.
    let delays = try (0..<5).map { _ in
      try time { try table.move(1) { try $0.execute(sql: "DELETE FROM results_log_item") } }.delay
    }
    report("1 moved, refetch and diff", median(delays))
  }

  /// Returns the time of a transaction, and the time from its commit to the delivery of the change set. A commit is
  /// visible before it returns, so the change set may be delivered first.
  private func time(_ write: () throws -> Void) throws -> (commit: Double, delay: Double) {
    let start = ContinuousClock.now
    try write()
    let committed = ContinuousClock.now
    changed.wait()
    let arrived = arrival.withLock { $0 }
    return (milliseconds(committed - start), max(0, milliseconds(arrived - committed)))
  }

  private func filter() throws {
    func measure(_ name: String, _ change: (inout ResultsRequest) -> Void) throws {
      var request = ItemTable.request
      change(&request)
      report(
        name,
        try milliseconds {
          try controller.setRequest(request)
          changed.wait()
        })
    }
    let half = IDSet((1...Int64(table.rows)).filter { $0 % 2 == 0 })
    let few = IDSet((1...Int64(table.rows)).filter { $0 % 1000 == 0 })
    try measure("filter: half of the ids") { $0.ids = half }
    try measure("filter: one in a thousand ids") { $0.ids = few }
    try measure("filter: all again") { _ in }
    try measure("filter: from all to one in a thousand") { $0.ids = few }
    try measure("filter: all again, from few") { _ in }
    try measure("filter: SQL, one in ten") { $0.filter = .sql("name LIKE '%7'") }
    try measure("filter: all again, from SQL") { _ in }
  }
}
