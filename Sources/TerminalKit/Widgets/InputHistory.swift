/// Earlier input of a field, for going back to it with keys.
///
/// Going back finds only entries that begin with the text that was typed, as in a shell's history search; going forward
/// from the newest of them returns to that text.
public struct InputHistory: Hashable, Sendable, Codable {
  /// The entries, the newest first, each once.
  public private(set) var entries: [String]
  /// The shown entry; nil for the typed text.
  private var shown: Int?
  private var typed = ""

  private enum CodingKeys: CodingKey { case entries }

  /// The maximum number of entries.
  public static let most = 50

  /// Creates a history with these entries, the newest first.
  public init(_ entries: [String] = []) { self.entries = Array(entries.prefix(Self.most)) }

  /// Adds an entry, unless it is empty, and ends going back.
  public mutating func add(_ text: String) {
    shown = nil
    guard !text.isEmpty else { return }
    entries.removeAll { $0 == text }
    entries.insert(text, at: 0)
    entries = Array(entries.prefix(Self.most))
  }

  /// Returns the next older entry; nil if there is none.
  /// - Parameter text: the text of the field.
  public mutating func older(than text: String) -> String? {
    // An entry that was edited is a new text to begin with.
    if shown.map({ entries[$0] != text }) ?? true { (shown, typed) = (nil, text) }
    let first = shown.map { $0 + 1 } ?? 0
    guard let index = entries[first...].firstIndex(where: { $0.hasPrefix(typed) && $0 != text }) else { return nil }
    shown = index
    return entries[index]
  }

  /// Returns the next newer entry, or the typed text after the newest; nil if no entry is shown.
  /// - Parameter text: the text of the field.
  public mutating func newer(than text: String) -> String? {
    guard let present = shown, entries[present] == text else { return nil }
    shown = entries[..<present].lastIndex { $0.hasPrefix(typed) }
    return shown.map { entries[$0] } ?? typed
  }
}
