/// The output of a run, kept for comparison with the runs on other stores.
final class Transcript {
  private(set) var lines: [String] = []

  func title(_ text: String) {
    lines.append("")
    lines.append(text)
  }

  func line(_ text: String) { lines.append("  " + text) }

  func list(_ label: String, _ items: [String]) {
    line("\(label): \(items.isEmpty ? "—" : items.joined(separator: ", "))")
  }
}
