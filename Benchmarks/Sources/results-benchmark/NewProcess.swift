import BenchmarkReport
import CBareLoop
import Foundation
import GRDB
import ResultsController

/// The measurements in a process that has done nothing else: the first opening, and the memory of a list. The file is
/// always in the system's cache.
enum NewProcess: String {
  /// The bare loop: opens the file, prepares the query, and steps through all rows.
  case loop
  /// A complete list of a database that is open for writing: opens a reading connection, and reads all rows.
  case open
  /// The first forty rows and all sections.
  case first
  /// The peak and the current memory beyond that of the bare process: with the list, after ten thousand rows moved, and
  /// after the list was read again and compared.
  case memory

  /// Runs the measurement in a new process, and returns the numbers that it prints.
  func run(on path: String) throws -> [Double] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [rawValue, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  }

  /// Runs the measurement in this process, and prints its numbers.
  func measure(_ path: String) throws {
    switch self {
    case .loop:
      print(
        milliseconds {
          var sum: Int64 = 0
          let database = bare_loop_open(path)
          precondition(bare_loop_run(database, ItemTable.listSQL, &sum) > 0)
          bare_loop_close(database)
        })
    case .open, .first:
      // The program already has its pool; the list opens its first reading connection.
      let controller = FetchedRecordsController<Item>(
        try DatabasePool(path: path), request: ItemTable.request, deliver: ResultsDelivery { $0() })
      print(
        try milliseconds {
          guard self == .first else { return try controller.performFetch() }
          controller.listen { _ in }
          try controller.performFetch(.firstRows)
          controller.fetchRest()
          for row in 0..<40 { _ = try controller.object(atFlatRow: row) }
        })
    case .memory: try measureMemory(path)
    }
  }

  private func measureMemory(_ path: String) throws {
    let pool = try DatabasePool(path: path)
    let rows = try pool.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM item") } ?? 0
    let own = processMemory("VmRSS")
    func show() { print(processMemory("VmHWM") - own, processMemory("VmRSS") - own) }
    func move(_ count: Int, losesLog: Bool) throws {
      try pool.write { db in
        let statement = try db.cachedStatement(sql: "UPDATE item SET sort_key = randomblob(30) WHERE id = ?")
        for _ in 0..<count { try statement.execute(arguments: [Int64.random(in: 1...rows)]) }
        if losesLog { try db.execute(sql: "DELETE FROM results_log_item") }
      }
    }

    let changed = DispatchSemaphore(value: 0)
    let controller = FetchedRecordsController<Item>(pool, request: ItemTable.request, deliver: ResultsDelivery { $0() })
    controller.listen { event in if case .changed = event { changed.signal() } }
    try controller.performFetch()
    show()
    try move(10_000, losesLog: false)
    changed.wait()
    show()
    try move(1, losesLog: true)
    changed.wait()
    show()
    controller.stopTracking()
  }
}
