import Foundation
import ObjectGraph

/// Runs the same code on four kinds of store, and compares the output.
@main
struct Program {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("college-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    let stores: [(name: String, description: StoreDescription)] = [
      ("SQLite", .sqlite(path("college.db"))), ("memory", .memory()),
      ("XML", .propertyList(path("college.xml"), format: .xml)),
      ("binary", .propertyList(path("college.plist"), format: .binary)),
    ]
    let runs = try stores.map { try run(on: $0.description) }
    for line in runs[0] { print(line) }

    print("\nStores")
    var isSame = true
    for (store, lines) in zip(stores, runs) {
      print("  \(store.name): \(lines.count) lines, \(lines == runs[0] ? "the same" : "different")")
      for (line, first) in zip(lines, runs[0]) where line != first {
        print("    \(line)\n    instead of\n    \(first)")
      }
      isSame = isSame && lines == runs[0]
    }
    guard isSame else { exit(1) }
  }

  private static func run(on store: StoreDescription) throws -> [String] {
    let transcript = Transcript()
    let filled = try ObjectStack(model: College.model(), store: store)
    try CollegeData(filled.newContext()).insert()
    try filled.close()

    // Reopen the store, to read everything from it.
    let stack = try ObjectStack(model: College.model(), store: store)
    try CollegeQueries(stack.newContext(), transcript).run()
    try CollegeEdits(stack.newContext(), transcript).run()
    try CollegeDeletes(stack.newContext(), transcript).run()
    try stack.close()
    return transcript.lines
  }
}
