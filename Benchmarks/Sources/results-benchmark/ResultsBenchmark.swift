import Foundation

/// Times and memory of a list of many rows: `results-benchmark ROWS`.
@main
enum ResultsBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.count == 2, let part = NewProcess(rawValue: arguments[1]) { return try part.measure(arguments[2]) }
    guard arguments.count == 1, let rows = Int(arguments[1]), rows > 0 else {
      print("usage: results-benchmark ROWS")
      exit(2)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("results-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try ListBenchmark(ItemTable(rows: rows, path: folder.appendingPathComponent("items.db").path)).run()
  }
}
