import Synchronization

/// An address that a terminal opens when its text is clicked (OSC 8,
/// https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
///
/// Draw the text, then mark its cells with ``Canvas/link(_:to:)``. In a terminal without links
/// (``NcursesTerminal/Options-swift.struct/links-swift.property``) it is plain text.
public struct TerminalLink: Hashable, Sendable {
  /// The address that is sent to the terminal: printable ASCII without spaces, at most ``longest`` bytes.
  public let address: String
  /// The number that cells store, from 1. An address has the same number in the whole process.
  let number: UInt16

  /// The maximum length of an address that terminals accept, in bytes.
  public static let longest = 2083

  /// Creates a link to a web page, an email address or a phone number.
  ///
  /// Addresses are often untrusted, and the terminal may pass them to another program. So only `http:` and `https:`
  /// with a host, `mailto:` and `tel:` are accepted. Spaces, characters outside ASCII, and others that an address
  /// cannot contain are percent-encoded (RFC 3987, 3.1).
  ///
  /// - Returns: nil for any other address, for one that has control characters or is longer than ``longest``, and if
  ///   the process already has links to 65,535 other addresses.
  public init?(_ address: String) {
    guard let checked = Self.checked(address), let number = Self.table.withLock({ $0.number(of: checked) }) else {
      return nil
    }
    self.init(address: checked, number: number)
  }

  private init(address: String, number: UInt16) {
    self.address = address
    self.number = number
  }

  /// Looks up the link with this number; nil if there is none.
  init?(number: UInt16) {
    guard number > 0, let address = Self.table.withLock({ $0.address(of: number) }) else { return nil }
    self.init(address: address, number: number)
  }

  // MARK: Checking addresses

  private static func checked(_ address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon].lowercased()
    let rest = address[address.index(after: colon)...]
    switch scheme {
    case "http", "https":
      guard rest.hasPrefix("//"), let host = rest.dropFirst(2).first, !"/?#".contains(host) else { return nil }
    case "mailto", "tel":
      guard !rest.isEmpty else { return nil }
    default: return nil
    }
    guard rest.utf8.count <= longest, rest.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    let checked = scheme + ":" + encoded(rest)
    return checked.utf8.count <= longest ? checked : nil
  }

  private static func encoded(_ text: Substring) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte > 0x20, byte < 0x7F, !#""<>\^`{|}"#.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Numbers

  /// Addresses by number. They are never removed, because a cell may still have the number.
  private struct Table {
    private var numbers: [String: UInt16] = [:]
    private var addresses: [String] = []

    mutating func number(of address: String) -> UInt16? {
      if let known = numbers[address] { return known }
      guard let number = UInt16(exactly: addresses.count + 1) else { return nil }
      addresses.append(address)
      numbers[address] = number
      return number
    }

    func address(of number: UInt16) -> String? {
      addresses.indices.contains(Int(number) - 1) ? addresses[Int(number) - 1] : nil
    }
  }

  private static let table = Mutex(Table())
}

extension Canvas {
  /// Makes the cells of the rectangle a link, or removes their links if `link` is nil. Cells that are drawn over later
  /// are no longer part of the link.
  ///
  /// If only one half of a wide cell is inside, both halves are changed.
  public mutating func link(_ rect: Rect, to link: TerminalLink?) {
    for row in max(0, rect.row)..<max(0, min(rect.endRow, size.rows), rect.row) {
      var columns = max(0, rect.column)..<max(0, min(rect.endColumn, size.columns), rect.column)
      guard !columns.isEmpty else { continue }
      if self[row, columns.lowerBound].width == 0 { columns = max(0, columns.lowerBound - 1)..<columns.upperBound }
      if self[row, columns.upperBound].width == 0 { columns = columns.lowerBound..<columns.upperBound + 1 }
      change(Rect(row: row, column: columns.lowerBound, rows: 1, columns: columns.count)) {
        $0.linkNumber = link?.number ?? 0
      }
    }
  }
}

extension Canvas {
  /// Returns true if the line, which must be inside, has links.
  func hasLinks(inLine row: Int) -> Bool { cells(ofLine: row).contains { $0.linkNumber > 0 } }
}

extension Cell {
  /// The link that the cell is part of; nil for none.
  public var link: TerminalLink? { TerminalLink(number: linkNumber) }
}

/// The terminal's support for links (OSC 8), judged by the environment. Most terminals without links ignore the
/// sequence, but some display it (VTE 0.42), so only terminals that are known to support it get it.
enum LinkSupport {
  /// - Parameter type: the value of TERM.
  static func hasLinks(
    _ requested: NcursesTerminal.Options.Links, type: String, environment: (String) -> String?
  ) -> Bool {
    func value(_ name: String) -> String { environment(name) ?? "" }
    func has(_ names: String...) -> Bool { names.contains { !value($0).isEmpty } }
    switch requested {
    case .always: return true
    case .never: return false
    case .automatic: break
    }
    let program = (name: value("TERM_PROGRAM"), version: value("TERM_PROGRAM_VERSION"))
    // From 3.4 on, tmux keeps links and sends them to terminals that support them.
    if has("TMUX") { return program.name == "tmux" && isVersion(program.version, atLeast: 3, 4) }
    // Other programs with a terminal inside pass on the environment of the outer one.
    if has("STY", "ZELLIJ", "NVIM", "INSIDE_EMACS") { return false }
    let types = ["xterm-kitty", "xterm-ghostty", "foot", "wezterm", "alacritty"]
    if types.contains(where: type.hasPrefix) { return true }
    // The following variables say nothing about a terminal of another type that was started from one of these
    // terminals.
    guard type.hasPrefix("xterm"), !has("XTERM_VERSION") else { return false }
    // VTE 0.50.0 crashes on links.
    if has("VTE_VERSION") { return (Int(value("VTE_VERSION")) ?? 0) >= 5001 }
    if has("KONSOLE_VERSION") { return (Int(value("KONSOLE_VERSION")) ?? 0) >= 201_200 }
    switch program.name {
    case "WezTerm", "ghostty", "kitty": return true
    case "iTerm.app": return isVersion(program.version, atLeast: 3, 1)
    case "vscode": return isVersion(program.version, atLeast: 1, 72)
    case "": return has("KITTY_WINDOW_ID", "ALACRITTY_WINDOW_ID", "WT_SESSION")
    default: return false
    }
  }

  /// Compares the first two numbers of `3.4`, `3.5a` or `20240203-110809-5046fc22`.
  private static func isVersion(_ text: String, atLeast major: Int, _ minor: Int) -> Bool {
    let numbers = text.split(separator: ".", maxSplits: 2).map { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    guard let first = numbers.first, let first else { return false }
    return (first, (numbers.count > 1 ? numbers[1] : nil) ?? 0) >= (major, minor)
  }
}

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
