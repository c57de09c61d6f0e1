/// The lines of a help screen or a manual, generated from a key table.
public struct HelpLines<Command: Hashable & Sendable, Context: Hashable & Sendable> {
  /// Keys with their meaning, or a heading without keys; both texts are empty for the gap between groups.
  public struct Line: Hashable, Sendable {
    /// The keys for display (``KeySequence/label``).
    public var keys: String
    /// The description, or the heading.
    public var text: String

    /// Creates a line.
    public init(keys: String, text: String) {
      self.keys = keys
      self.text = text
    }
  }

  private let keys: KeyMap<Command, Context>
  private let text: (String) -> String

  /// Creates the lines of a table.
  /// - Parameters:
  ///   - keys: the table.
  ///   - text: looks up a ``KeyBinding/help`` or ``KeyBinding/group`` in the program's strings.
  public init(keys: KeyMap<Command, Context>, text: @escaping (String) -> String) {
    self.keys = keys
    self.text = text
  }

  /// All lines of the table, under their headings.
  public var lines: [Line] { titled.map(\.line) }

  /// Finds the lines that contain all words of a filter in their keys, text or heading, ignoring case, and puts them
  /// under their headings.
  /// - Returns: the lines, and how many of them have keys.
  public static func filter(_ lines: [Line], by text: String) -> (lines: [Line], count: Int) {
    let words = text.lowercased().split(separator: " ")
    var found: [Line] = []
    var count = 0
    var heading: Line?
    var headingText = ""
    for line in lines where !(line.keys.isEmpty && line.text.isEmpty) {
      if line.keys.isEmpty {
        (heading, headingText) = (line, line.text)
        continue
      }
      let searched = "\(line.keys)\n\(line.text)\n\(headingText)".lowercased()
      guard words.allSatisfy({ searched.contains($0) }) else { continue }
      if let title = heading {
        if !found.isEmpty { found.append(Line(keys: "", text: "")) }
        found.append(title)
        heading = nil
      }
      found.append(line)
      count += 1
    }
    return (found, count)
  }

  /// Returns the index of the first heading with a key specific to the context; 0 if there is none.
  public func firstLine(of context: Context) -> Int {
    // A key that works nearly everywhere is not specific to a context.
    let contextCount = keys.bindings.reduce(into: Set<Context>()) { $0.formUnion($1.contexts) }.count
    let titled = titled
    func first(sharedByFewerThan count: Int) -> Int? {
      titled.firstIndex { $0.binding.map { $0.contexts.contains(context) && $0.contexts.count < count } ?? false }
    }
    // Prefer keys of one or two contexts: they are more typical of a context than keys that it shares with many others.
    let most = max(2, contextCount - 1)
    guard let first = first(sharedByFewerThan: min(3, most)) ?? first(sharedByFewerThan: most) else { return 0 }
    return titled[..<first].lastIndex { $0.line.keys.isEmpty && !$0.line.text.isEmpty } ?? 0
  }

  private var titled: [(line: Line, binding: KeyBinding<Command, Context>?)] {
    var lines: [(line: Line, binding: KeyBinding<Command, Context>?)] = []
    var heading = ""
    for binding in keys.bindings {
      if binding.group != heading {
        if !lines.isEmpty { lines.append((Line(keys: "", text: ""), nil)) }
        heading = binding.group
        lines.append((Line(keys: "", text: text(heading)), nil))
      }
      let keys = binding.sequences.map(\.label).joined(separator: "  ")
      lines.append((Line(keys: keys.isEmpty ? "–" : keys, text: text(binding.help)), binding))
    }
    return lines
  }
}
