import Glibc
import Synchronization

/// A pixel image for terminals that can show one (``Terminal/imageCell``), and its size in cells.
///
/// Creating one encodes it for transmission, and can be done on any thread. ``Terminal/imageProtocol`` says whether the
/// terminal wants a PNG or sixels. Two images are equal if one is a copy of the other.
public struct TerminalImage: Hashable, Sendable {
  /// The number of lines.
  public let rows: Int
  /// The number of columns.
  public let columns: Int
  /// The PNG in base64; empty for an image in sixels.
  let payload: [UInt8]
  /// The number of bytes of the PNG.
  let byteCount: Int
  /// The image in sixels; nil for a PNG.
  let sixel: SixelData?
  private let serial: Int

  /// The maximum number of lines or columns.
  public static let largestSide = ImagePlaceholder.limit

  /// Creates an image of that size in cells; the terminal scales it to fit and keeps its aspect ratio. Nil if there are
  /// no bytes or a side is outside 1…``largestSide``. It is blank on terminals that show sixels.
  public init?(png: [UInt8], columns: Int, rows: Int) {
    guard !png.isEmpty else { return nil }
    self.init(payload: Base64.encoded(png), byteCount: png.count, sixel: nil, columns: columns, rows: rows)
  }

  /// Creates an image for terminals with ``ImageProtocol/sixel``; it is blank on others.
  ///
  /// Nil if a side is outside 1…``largestSide``, or if the bytes are not one complete sixel image with square pixels
  /// (raster attributes `"1;1;width;height`) from its `Esc P` to its `Esc \`. It is only shown while it fits in that
  /// many cells of the current size (``Terminal/imageCell``).
  public init?(sixel: [UInt8], columns: Int, rows: Int) {
    guard let sixel = SixelData(sixel) else { return nil }
    self.init(payload: [], byteCount: 0, sixel: sixel, columns: columns, rows: rows)
  }

  private init?(payload: [UInt8], byteCount: Int, sixel: SixelData?, columns: Int, rows: Int) {
    let sides = 1...Self.largestSide
    guard sides.contains(columns), sides.contains(rows) else { return nil }
    self.rows = rows
    self.columns = columns
    self.payload = payload
    self.byteCount = byteCount
    self.sixel = sixel
    serial = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// Compares serial numbers, not bytes.
  public static func == (one: TerminalImage, other: TerminalImage) -> Bool { one.serial == other.serial }

  /// Hashes the serial number.
  public func hash(into hasher: inout Hasher) { hasher.combine(serial) }

  // MARK: The number in the terminal

  private static let count = Atomic<Int>(0)
  /// Image numbers are shared by all programs in a terminal, such as those in the panes of tmux, so a process starts at
  /// a number that depends on its id.
  private static let firstHighByte = Int(getpid()) % 255
  /// The palette colors that are the same in every terminal and that users rarely redefine.
  private static let colors = 16...255

  /// The lowest byte of its number, which is the color of its placeholders.
  var color: UInt8 { UInt8(Self.colors.lowerBound + serial % Self.colors.count) }
  /// The highest byte of its number. The combination with the color repeats after 61,200 images.
  var highByte: Int { 1 + (Self.firstHighByte + serial / Self.colors.count) % 255 }
  var identifier: Int { highByte << 24 | Int(color) }
}

/// How images are sent to a terminal.
public enum ImageProtocol: Hashable, Sendable {
  /// kitty's graphics protocol with Unicode placeholders: images are part of the text and move with it.
  case kitty
  /// Sixel graphics (DEC STD 070), for images made with ``TerminalImage/init(sixel:columns:rows:)``.
  case sixel
  /// iTerm2's inline images (OSC 1337; https://iterm2.com/documentation-images.html).
  case iterm
}

extension Canvas {
  /// Draws an image's lines, starting with line `first`, at the rectangle's top left corner, clipped to the rectangle.
  ///
  /// Its cells behave like any others: drawing over them later hides that part of the image, and lines that move take
  /// it with them. Where the image is transparent, the background shows. Terminals with a protocol other than
  /// ``ImageProtocol/kitty`` only show an image while all its cells are visible.
  public mutating func put(_ image: TerminalImage, from first: Int = 0, in rect: Rect, background: Color = .standard) {
    let style = Style(foreground: .palette(image.color), background: background)
    var isDrawn = false
    for row in max(0, first)..<max(0, first, min(image.rows, first + rect.rows)) {
      for column in 0..<max(0, min(image.columns, rect.columns)) {
        let point = Point(row: rect.row + row - first, column: rect.column + column)
        guard isInside(point.row, point.column) else { continue }
        let text = ImagePlaceholder.text(row: row, column: column, highByte: image.highByte)
        set(point.row, point.column, Cell(text: text, style: style))
        isDrawn = true
      }
    }
    if isDrawn, !images.contains(image) { images.append(image) }
  }

  /// Clears the list of drawn images, for a canvas copied from another whose image area will be redrawn.
  public mutating func removeImages() { images = [] }
}

/// The images in a terminal: each is sent only if the terminal lacks it, and the least recently shown ones are deleted.
/// For implementations of ``Terminal`` that show images; see ``Terminal/imageCell``.
public struct ImageStore: Sendable {
  /// The number of images to keep in the terminal, unless a frame has more. It is small, because a crash must be able
  /// to delete them all.
  public static let limit = 8

  private let sequence: KittySequence
  /// Ordered by use: the most recently shown image is at the end.
  private var held: [Entry] = []

  private struct Entry: Sendable {
    let image: TerminalImage
    /// False if the terminal may have lost the image.
    var isSent: Bool
  }

  /// Creates a store for a terminal without images yet, with the given protocol.
  public init(_ sequence: KittySequence = KittySequence()) { self.sequence = sequence }

  /// Returns the bytes to send before a frame with these images: they transmit the images that the terminal lacks and
  /// delete old ones.
  public mutating func show(_ images: [TerminalImage]) -> [UInt8] {
    var bytes: [UInt8] = []
    for image in images {
      var entry = Entry(image: image, isSent: false)
      if let index = held.firstIndex(where: { $0.image == image }) { entry = held.remove(at: index) }
      if !entry.isSent { bytes += sequence.transmission(of: image) }
      held.append(Entry(image: image, isSent: true))
    }
    while held.count > max(Self.limit, images.count) { bytes += sequence.deletion(of: held.removeFirst().image) }
    return bytes
  }

  /// Marks all images as possibly lost: each is sent again when it is next shown.
  public mutating func invalidate() {
    for index in held.indices { held[index].isSent = false }
  }

  /// The bytes that delete the ``limit`` most recently shown images, for use in a crash.
  public var deletion: [UInt8] { held.suffix(Self.limit).flatMap { sequence.deletion(of: $0.image) } }

  /// Returns the bytes that delete all images; the store is empty afterwards.
  public mutating func removeAll() -> [UInt8] {
    defer { held = [] }
    return held.flatMap { sequence.deletion(of: $0.image) }
  }
}

/// The terminal's support for images, judged by the environment. Querying the terminal would delay the first frame, and
/// its answer would be mixed with the keys.
enum ImageSupport {
  /// How images reach the terminal.
  struct Route: Hashable {
    var imageProtocol: ImageProtocol
    /// How kitty's sequences are sent.
    var wrapping = KittySequence.Wrapping.none
  }

  /// Returns how to send images; nil to send none.
  ///
  /// - Parameter type: the value of TERM.
  static func route(
    _ requested: NcursesTerminal.Options.Images, type: String, environment: (String) -> String?
  ) -> Route? {
    func has(_ names: String...) -> Bool { names.contains { !(environment($0) ?? "").isEmpty } }
    let isInTmux = has("TMUX")
    // GNU screen does not pass on sequences as long as an image.
    guard isInTmux || !(has("STY") || type.hasPrefix("screen")) else { return nil }
    switch requested {
    case .never: return nil
    case .always(.kitty): return Route(imageProtocol: .kitty, wrapping: isInTmux ? .tmux : .none)
    // tmux draws sixels itself, if it was built with support for them.
    case .always(.sixel): return Route(imageProtocol: .sixel)
    // tmux would pass the image on, but not the position of its pane.
    case .always(.iterm): return isInTmux ? nil : Route(imageProtocol: .iterm)
    case .automatic: break
    }
    // tmux passes images on only if `allow-passthrough` is on, which the environment does not show; it is off by
    // default. Other programs that contain a terminal pass on the outer terminal's environment.
    if isInTmux || has("ZELLIJ", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS") { return nil }
    if showsPlaceholders(type, environment) { return Route(imageProtocol: .kitty) }
    return overlaid(type, environment).map { Route(imageProtocol: $0) }
  }

  private static func showsPlaceholders(_ type: String, _ environment: (String) -> String?) -> Bool {
    func has(_ names: String...) -> Bool { names.contains { !(environment($0) ?? "").isEmpty } }
    if let folder = environment("KITTY_INSTALLATION_DIR"), !KittyInstallation.showsPlaceholders(folder: folder) {
      return false
    }
    if type == "xterm-kitty" || type == "xterm-ghostty" { return true }
    // Terminals that were started from within kitty or Ghostty, and support other protocols or none.
    let others = has(
      "VTE_VERSION", "KONSOLE_VERSION", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID", "XTERM_VERSION", "WT_SESSION", "MLTERM")
    guard type.hasPrefix("xterm"), !others else { return false }
    switch environment("TERM_PROGRAM") ?? "" {
    case "kitty", "ghostty": return true
    case "": return has("KITTY_WINDOW_ID")
    default: return false
    }
  }

  /// Returns the protocol of terminals that show sixels or iTerm2's images in their default configuration, and drop the
  /// pixels below new text. Konsole keeps them: an image would remain behind later text. The environment does not show
  /// whether xterm (only with `-ti vt340`), VS Code (only with `terminal.integrated.enableImages`) and Windows Terminal
  /// (only from 1.22) support images.
  private static func overlaid(_ type: String, _ environment: (String) -> String?) -> ImageProtocol? {
    for (name, imageProtocol) in [
      ("foot", ImageProtocol.sixel), ("contour", .sixel), ("mlterm", .sixel), ("wezterm", .iterm),
    ] where type == name || type.hasPrefix(name + "-") {
      return imageProtocol
    }
    guard type.hasPrefix("xterm") else { return nil }
    func has(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
    // A terminal that was started from another one has the variables of both, and nothing shows which one it is.
    let program = environment("TERM_PROGRAM") ?? ""
    var candidates: [ImageProtocol?] = []
    if program == "WezTerm" || has("WEZTERM_PANE") { candidates.append(.iterm) }
    if program == "iTerm.app" || environment("LC_TERMINAL") == "iTerm2" { candidates.append(.iterm) }
    if has("MLTERM") { candidates.append(.sixel) }
    if !["", "WezTerm", "iTerm.app"].contains(program) { candidates.append(nil) }
    let others = [
      "VTE_VERSION", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID", "XTERM_VERSION", "WT_SESSION", "KITTY_WINDOW_ID",
      "GHOSTTY_RESOURCES_DIR",
    ]
    if others.contains(where: has) { candidates.append(nil) }
    return Set(candidates).count == 1 ? candidates[0] : nil
  }
}
