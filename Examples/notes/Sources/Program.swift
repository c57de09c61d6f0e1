import Foundation

/// Does the same with both DAOs, and compares the output.
@main
struct Program {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let sql = try SQLNoteDAO(path: folder.appendingPathComponent("sql.db").path)
    let objects = try ObjectNoteDAO(path: folder.appendingPathComponent("objects.db").path)
    let (first, second) = (try run(sql), try run(objects))
    for line in first { print(line) }
    print("\(sql.name) and \(objects.name): \(first == second ? "the same output" : "different output")")
    guard first == second else { exit(1) }
  }

  private static func run(_ notes: any NoteDAO) throws -> [String] {
    var lines: [String] = []
    func list(_ title: String, _ found: [Note]) {
      lines.append(title)
      for note in found { lines.append("  \(note.date.formatted(.iso8601.year().month().day()))  \(note.content)") }
      lines.append("")
    }
    let day = 86_400.0
    func date(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(number) * day) }

    let welcome = try notes.create(Note(date: date(0), content: "欢迎使用 MyNotes"))
    let cafe = try notes.create(Note(date: date(1), content: "Café at three, with 李斌"))
    _ = try notes.create(Note(date: date(2), content: "Return the library book"))
    list("All notes, the newest first", try notes.findAll())

    var changed = cafe
    changed.date = date(5)
    changed.content = "Café at four, with 李斌"
    lines.append("modified: \(try notes.modify(changed))")
    list("The modified note has a newer date and comes first", try notes.findAll())

    list("Notes with 'CAFE'", try notes.find(containing: "CAFE"))
    lines.append("removed: \(try notes.remove(welcome)), removed again: \(try notes.remove(welcome))")
    let gone = try welcome.id.flatMap { try notes.find(id: $0) } == nil
    let there = try cafe.id.flatMap { try notes.find(id: $0) }?.content ?? "—"
    lines.append(
      "by id: the removed note is \(gone ? "gone" : "still there"), the other is '\(there)'")
    lines.append("modified a removed note: \(try notes.modify(welcome))")
    list("What is left", try notes.findAll())
    return lines
  }
}
