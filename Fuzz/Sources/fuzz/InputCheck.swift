import TerminalKit

/// The input from a terminal: single bytes give the same events as the whole, no event contains a control character
/// except a line break or a tab that was pasted, and CAN, Esc and a pause end any state.
enum InputCheck {
  static func check(_ bytes: [UInt8]) {
    var whole = InputDecoder()
    let events = whole.feed(bytes) + whole.flush()
    var single = InputDecoder()
    var inPieces: [Event] = []
    for byte in bytes { inPieces += single.feed([byte]) }
    inPieces += single.flush()
    if events != inPieces { fatalError("\(events)\nis byte by byte\n\(inPieces)") }
    for event in events where !isText(event) { fatalError("\(event)") }
    _ = single.feed([0x18, 0x1B])
    _ = single.flush()
    _ = single.feed([0x1B])
    _ = single.flush()
    if single.feed([0x61]) != [.key(.character("a"))] { fatalError("CAN, Esc and a pause did not end a state") }
  }

  private static func isText(_ event: Event) -> Bool {
    switch event {
    case .key(let key):
      guard case .character(let character) = key.code else { return true }
      return character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    case .paste(let text):
      return text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control }
    default: return true
    }
  }
}
