/// The bytes that make a terminal copy text to the system's clipboard: OSC 52 of xterm's control sequences.
enum ClipboardSequence {
  /// The multiplexer between the program and the terminal.
  enum Wrapping: Hashable { case none, tmux, screen }

  /// Returns the bytes for this text.
  ///
  /// tmux passes OSC 52 on with `set-clipboard on`, and anything wrapped with `allow-passthrough on`: both are sent,
  /// because the environment shows neither setting and copying twice is harmless. GNU screen needs it wrapped.
  static func bytes(copying text: String, wrapping: Wrapping) -> [UInt8] {
    let plain = Array("\u{1B}]52;c;".utf8) + Base64.encoded(Array(text.utf8)) + [0x07]
    switch wrapping {
    case .none: return plain
    case .tmux:
      let inner = plain.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
      return plain + Array("\u{1B}Ptmux;".utf8) + inner + Array("\u{1B}\\".utf8)
    case .screen: return Array("\u{1B}P".utf8) + plain + Array("\u{1B}\\".utf8)
    }
  }
}
