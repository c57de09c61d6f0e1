/// Text made safe to send to a terminal.
public enum DisplayText {
  /// The text as it is shown on one line.
  ///
  /// Control characters become visible marks (`␛`), C1 controls, private, unassigned and noncharacters `�`; tabs and line
  /// ends become spaces; bidi controls, zero-width and other invisible characters are dropped; clusters are reduced to
  /// what every terminal shows alike (see ``TextWidth``). Nothing below U+0020 and nothing in U+007F–U+009F remains.
  /// Empty when nothing of the text is visible: the placeholder is the caller's.
  public static func clean(_ text: String) -> String {
    if TextWidth.printableASCIICount(text) != nil { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for character in text { result += TextWidth.cluster(character).text }
    return result
  }
}
