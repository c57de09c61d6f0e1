/// The bytes that make a terminal copy text to the system's clipboard: OSC 52 of xterm's control sequences.
enum ClipboardSequence {
  /// The multiplexer between the program and the terminal.
  enum Wrapping: Hashable {
    case none, tmux, screen

    /// Detects the multiplexer. Over ssh, the variables of both are missing, and only the type of the terminal may show
    /// GNU screen.
    /// - Parameters:
    ///   - type: the type of the terminal (`TERM`).
    ///   - environment: returns the value of an environment variable; nil if it is not set.
    init(type: String, environment: (String) -> String?) {
      func has(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
      self = has("TMUX") ? .tmux : has("STY") || type.hasPrefix("screen") ? .screen : .none
    }
  }

  /// The longest control sequence that every version of GNU screen accepts, in bytes; the rest of a longer one appears
  /// as text. The limit is 768 since version 4.2.1.
  private static let screenLimit = 256

  /// Returns the bytes for this text.
  ///
  /// tmux passes OSC 52 on with `set-clipboard on`, and anything wrapped with `allow-passthrough on`: both are sent,
  /// because the environment shows neither setting and copying twice is harmless. GNU screen needs it wrapped, in pieces
  /// if it is long. The type of the terminal may also be `screen` inside tmux on another host, which needs it bare.
  static func bytes(copying text: String, wrapping: Wrapping) -> [UInt8] {
    let plain = Array("\u{1B}]52;c;".utf8) + Base64.encoded(Array(text.utf8)) + [0x07]
    let (begin, end) = (Array("\u{1B}P".utf8), Array("\u{1B}\\".utf8))
    switch wrapping {
    case .none: return plain
    case .tmux:
      let inner = plain.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
      return plain + begin + Array("tmux;".utf8) + inner + end
    case .screen:
      let size = screenLimit - begin.count - end.count
      let pieces = stride(from: 0, to: plain.count, by: size).map { plain[$0..<min($0 + size, plain.count)] }
      return (plain.count <= screenLimit ? plain : []) + pieces.flatMap { begin + $0 + end }
    }
  }
}

/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = min(3, bytes.count - index)
      var group = Int(bytes[index]) << 16
      if rest > 1 { group |= Int(bytes[index + 1]) << 8 }
      if rest > 2 { group |= Int(bytes[index + 2]) }
      for position in 0..<4 {
        result.append(position <= rest ? alphabet[group >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
      index += 3
    }
    return result
  }
}
