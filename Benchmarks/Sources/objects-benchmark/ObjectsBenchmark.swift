import Foundation

/// Times of saves and fetches in a store of many objects, compared with plain SQL: `objects-benchmark ROWS`.
@main
enum ObjectsBenchmark {
  static func main() throws {
    guard CommandLine.arguments.count == 2, let rows = Int(CommandLine.arguments[1]), rows >= 1000 else {
      print("usage: objects-benchmark ROWS")
      exit(2)
    }
    // In the current folder, not in a temporary one that may be in memory: commits should reach a disk.
    let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .appendingPathComponent("objects-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try PeopleStore(rows: rows, folder: folder)
    try SaveBenchmark(store).run()
    try FetchBenchmark(store).run()
  }
}
