import Foundation

/// Times of saves and fetches in a store of many objects, beside SQL alone: `objects-benchmark ROWS`.
@main
enum ObjectsBenchmark {
  static func main() throws {
    guard CommandLine.arguments.count == 2, let rows = Int(CommandLine.arguments[1]), rows >= 1000 else {
      print("usage: objects-benchmark ROWS")
      exit(2)
    }
    // Beside the program and not in a folder that may be memory: a commit is to meet a disk.
    let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .appendingPathComponent("objects-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try PeopleStore(rows: rows, folder: folder)
    try SaveBenchmark(store).run()
    try FetchBenchmark(store).run()
  }
}
