import Glibc

/// The real terminal, through ncurses.
///
/// ncurses chooses the bytes. In addition, this class sends the sequences for bracketed paste, the mouse, focus
/// reports, the cursor's shape, the clipboard, images, links, and 24-bit colors if the terminal supports them but its
/// description does not. A frame with many changes is sent as a synchronized update (DEC mode 2026), which the terminal
/// shows in one step; terminals without this mode ignore it.
///
/// Images are drawn with kitty's placeholders, which are ordinary cells, so ncurses moves and clears them like text;
/// or, with sixel and iTerm2's protocol, they are laid over the cells and sent again when something was written there.
@MainActor
public final class NcursesTerminal: Terminal {
  /// The name and version of the library, such as `ncurses 6.4.20221231`.
  public nonisolated static var libraryVersion: String { NcursesScreen.libraryVersion }

  /// The current number of lines and columns.
  public private(set) var size: Size
  /// The number of colors; see ``Terminal/colors``.
  public let colors: Int
  /// The size of a cell in pixels, if the terminal shows images; an estimate if it does not report the size.
  public private(set) var imageCell: PixelSize?
  /// How the terminal shows images.
  public let imageProtocol: ImageProtocol
  /// The type in TERM if no description of it is installed, so that it is treated as xterm; otherwise nil.
  public let missingType: String?
  /// The keyboard and the signals, for ``EventLoop``.
  public let input: any InputSource

  private let device: TerminalDevice
  private let screen: NcursesScreen
  private var overlay: CellOverlay
  private let resetBytes: [UInt8]
  private let modesOn: [UInt8]
  private let modesOff: [UInt8]
  private let wrapping: ClipboardSequence.Wrapping
  private var images: ImageStore
  /// Images of protocols other than kitty's.
  private var layer: ImageLayer
  private var shown: Canvas?
  // Unknown until it is first set.
  private var isCursorVisible: Bool?
  private let hasCursorShapes: Bool
  private var cursorShape = CursorShape.standard
  private let canSynchronize: Bool
  private let showsImages: Bool
  private var hasPresented = false
  // True until the query is sent with the next frame; again if the terminal was released before the reply arrived.
  private var asksForBackground: Bool
  // When the background was asked for, in milliseconds; nil once the reply has arrived.
  private var backgroundQueryTime: Int?
  // The same for the width of ambiguous characters.
  private var asksForWidth: Bool
  private var widthQueryTime: Int?
  private var isOurs = false
  private var wasLeftInBackground = false
  private var isMouseHeld = false
  private var lastMouseReport: Int?

  /// Takes over the terminal: raw keys and bracketed paste at once, the alternate screen with the first frame. Uses
  /// standard input and output; in place of one that is a pipe or a file, as in `command | program`, uses the
  /// controlling terminal (`/dev/tty`).
  ///
  /// - Throws: a problem with the terminal, before anything was written to it.
  public convenience init(options: Options = Options()) throws(TerminalError) {
    let device = try TerminalDevice.ofProcess()
    guard let type = Self.environment("TERM"), !type.isEmpty else { throw .noTerminalType }
    let signals = TerminalGuard.install(leaving: options.hostSignals)
    // ncurses installs handlers where it finds none.
    let screen = try TerminalGuard.keepingHandlers(of: options.hostSignals) { () throws(TerminalError) in
      try NcursesScreen(type: type, device: device, wantsColor: options.color)
    }
    _ = TerminalGuard.install(leaving: options.hostSignals)
    self.init(device: device, screen: screen, type: type, signalDescriptor: signals, options: options)
  }

  /// True if there is a terminal to read keys from: standard input or the controlling terminal (`/dev/tty`). Nothing is
  /// sent to it.
  public static var hasKeyboard: Bool { TerminalDevice.processHasKeyboard }

  /// Takes over any device, without signal handlers.
  convenience init(
    device: TerminalDevice, type: String, signalDescriptor: Int32, options: Options
  ) throws(TerminalError) {
    let screen = try NcursesScreen(type: type, device: device, wantsColor: options.color)
    self.init(device: device, screen: screen, type: type, signalDescriptor: signalDescriptor, options: options)
  }

  private init(
    device: TerminalDevice, screen: NcursesScreen, type: String, signalDescriptor: Int32, options: Options
  ) {
    self.device = device
    self.screen = screen
    input = TerminalInput(device: device, signalDescriptor: signalDescriptor)
    missingType = screen.type == type || Self.areAlike(screen.type, type) ? nil : type
    let advertisesDirectColors = ["truecolor", "24bit"].contains(Self.environment("COLORTERM") ?? "")
    let run = OverlayRun(
      hasDirectColors: advertisesDirectColors && screen.colors == 256,
      hasLinks: !screen.isConsole
        && LinkSupport.hasLinks(options.links, type: type, environment: Self.environment),
      colors: screen.colors)
    overlay = CellOverlay(run)
    colors = run.hasDirectColors ? 16_777_216 : screen.colors
    let route = ImageSupport.route(options.images, type: type, environment: Self.environment)
    imageProtocol = route?.imageProtocol ?? .kitty
    images = ImageStore(KittySequence(wrapping: route?.wrapping ?? .none))
    layer = ImageLayer(imageProtocol)
    let canShow =
      switch imageProtocol {
      // With another number of colors, ncurses would change the color that identifies the image.
      case .kitty: screen.colors == 256 && screen.measuresPlaceholders
      case .sixel, .iterm: screen.colors > 0
      }
    showsImages = route != nil && canShow
    wrapping = ClipboardSequence.Wrapping(type: type, environment: Self.environment)
    // A terminal without `kmous` in its description sends no mouse reports, and the Linux console has no bracketed
    // paste.
    let mouse = options.mouse && !screen.capability("kmous").isEmpty
    let focus = options.focus && !screen.isConsole
    let alt = screen.type.hasPrefix("xterm")
    modesOn = Array(
      ((screen.isConsole ? "" : "\u{1B}[?2004h") + (alt ? altOn : "") + (mouse ? mouseOn : "")
        + (focus ? "\u{1B}[?1004h" : "")).utf8)
    modesOff = Array(
      ((focus ? "\u{1B}[?1004l" : "") + (mouse ? mouseOff : "") + (alt ? altOff : "")
        + (screen.isConsole ? "" : "\u{1B}[?2004l")).utf8)
    asksForBackground = options.background && screen.colors > 0 && !screen.isConsole
    asksForWidth = options.ambiguousWidth == .automatic && !screen.isConsole
    TextWidth.ambiguousColumns = options.ambiguousWidth == .wide ? 2 : 1
    let background = screen.isConsole ? false : Self.environment("COLORFGBG").flatMap(Self.isLight)
    screen.hasLightBackground = background
    overlay.run.hasLightBackground = background
    hasCursorShapes = !screen.capability("Ss").isEmpty
    canSynchronize = !screen.isConsole
    // `rmcup` restores the cursor; without it, resetting the scroll region must not move the cursor.
    let endsScreen = screen.capability("rmcup")
    let wholeScreen = endsScreen.isEmpty ? "\u{1B}7\u{1B}[r\u{1B}8" : "\u{1B}[r"
    resetBytes =
      (run.hasLinks ? OverlayRun.noLink : []) + (canSynchronize ? synchronizedOff : []) + modesOff
      + (hasCursorShapes ? Self.bytes(of: .standard) : [])
      + screen.capability("sgr0") + screen.capability("op") + screen.capability("rmkx")
      + screen.capability("cnorm") + (screen.capability("csr").isEmpty ? [] : Array(wholeScreen.utf8)) + endsScreen
      + [0x0D]
    size = device.size
    screen.resize(to: size)
    imageCell = readImageCell()
    acquire()
  }

  deinit { TerminalGuard.restore() }

  /// Releases the terminal at the end of the program. Drawing does nothing afterwards. May be called more than once.
  public func restore() { leave() }

  // MARK: Drawing

  /// Shows the canvas; see ``Terminal``.
  public func present(_ canvas: Canvas) {
    guard isOurs else { return }
    if asksForWidth { askForWidth() }
    let canvas = withImages(canvas)
    let last = shown
    var isSynchronized = scroll(toward: canvas)
    let before = shown
    if before == nil, hasLayer, hasPresented { screen.update(cursor: Point(row: 0, column: 0)) }
    hasPresented = true
    let keepsLines = mustKeepLines(from: before, to: canvas)
    var laidImages = layer.bytes(on: canvas, before: before, rewritesColors: overlay.run.hasDirectColors)
    if canSynchronize, keepsLines || !laidImages.isEmpty {
      device.write(synchronizedOn)
      isSynchronized = true
    }
    var (rows, cells) = write(canvas, before: before, lineByLine: keepsLines)
    if screen.ranOutOfPairs {
      screen.resetPairs()
      (rows, cells) = write(canvas, before: nil)
      laidImages = layer.bytes(on: canvas, before: nil, rewritesColors: false)
    }
    if !isSynchronized, canSynchronize, cells >= Self.synchronizedCells {
      device.write(synchronizedOn)
      isSynchronized = true
    }
    shown = canvas
    if (canvas.cursor != nil) != isCursorVisible {
      isCursorVisible = canvas.cursor != nil
      screen.showCursor(canvas.cursor != nil)
    }
    if canvas.cursor != nil { show(canvas.cursorShape) }
    let corner = Point(row: max(0, size.rows - 1), column: max(0, size.columns - 1))
    let requested = canvas.restingPoint
    screen.update(
      cursor: Point(row: min(max(0, requested.row), corner.row), column: min(max(0, requested.column), corner.column)))
    let laid = overlay.bytes(on: canvas, rows: rows, limit: size, before: before, last: last) + laidImages
    if !laid.isEmpty {
      let synced = screen.syncedCursor()
      device.write(laid + Array("\u{1B}[m\u{1B}[\(synced.row + 1);\(synced.column + 1)H".utf8))
    }
    if isSynchronized { device.write(synchronizedOff) }
    if asksForBackground {
      asksForBackground = false
      device.write(BackgroundReply.query)
      backgroundQueryTime = MonotonicClock.milliseconds
    }
  }

  // Asks where the cursor is after an ambiguous character, on the program's own screen, which is then cleared for the
  // first frame. Not in the first line, where the reply could be a key.
  private func askForWidth() {
    asksForWidth = false
    guard size.rows > 1 else { return }
    widthQueryTime = MonotonicClock.milliseconds
    screen.update(cursor: Point(row: 0, column: 0))
    device.write((canSynchronize ? synchronizedOn : []) + Array("\u{1B}[2;1H\u{25BD}\u{1B}[6n\r\u{1B}[K".utf8))
    clearNext()
  }

  /// Sends everything again if the reply says that characters of ambiguous width take two columns.
  public func setPosition(_ position: Point) {
    guard widthQueryTime != nil else { return }
    widthQueryTime = nil
    guard position == Point(row: 1, column: 2) else { return }
    TextWidth.ambiguousColumns = 2
    clearNext()
  }

  /// Frames with at least this many changed cells, which take a few hundred bytes, are synchronized. Moving the
  /// selection of a list changes fewer cells, and avoids the overhead.
  private static let synchronizedCells = 400

  private func show(_ shape: CursorShape) {
    guard hasCursorShapes, shape != cursorShape else { return }
    cursorShape = shape
    device.write(Self.bytes(of: shape))
  }

  // DECSCUSR. 0 is the user's configuration; terminfo's `Se` is a block in many descriptions.
  private static func bytes(of shape: CursorShape) -> [UInt8] {
    let number =
      switch shape {
      case .standard: 0
      case .block: 2
      case .underline: 4
      case .bar: 6
      }
    return Array("\u{1B}[\(number) q".utf8)
  }

  // Lets the terminal move lines itself, if that saves enough bytes. Returns true if this began a synchronized update.
  private func scroll(toward canvas: Canvas) -> Bool {
    guard var moved = shown, moved.size == canvas.size, canvas.size == size else { return false }
    // ncurses would keep the hashes of the old lines.
    guard !hasLayer else { return false }
    // Images would move with the lines.
    guard moved.images.isEmpty, canvas.images.isEmpty, let plan = ScrollPlan(from: moved, to: canvas) else {
      return false
    }
    let bytes = screen.bytes(of: plan, rows: size.rows)
    guard !bytes.isEmpty else { return false }
    device.write((canSynchronize ? synchronizedOn : []) + bytes)
    screen.shift(plan)
    moved.scroll(plan)
    shown = moved
    overlay.noteLinks(of: moved, in: plan.lines)
    return canSynchronize
  }

  // Sends the images of a frame with kitty's protocol, or makes the cells blank where images are laid over them.
  private func withImages(_ canvas: Canvas) -> Canvas {
    guard let imageCell else { return canvas }
    if hasLayer { return layer.begin(canvas, limit: size, cell: imageCell) }
    send(images.show(canvas.images))
    return canvas
  }

  // Whether images are laid over the cells. Then `mustKeepLines` must predict whether ncurses will make the terminal
  // move lines. ncurses decides by hashes of the lines, and does not update them when it sends lines to a cleared
  // screen. So after clearing, `present` first has it send the old lines again, and then the new ones as a change.
  private var hasLayer: Bool { imageCell != nil && imageProtocol != .kitty }

  // True if ncurses would make the terminal move lines while images are laid over them: some terminals move the pixels
  // too, others do not.
  private func mustKeepLines(from before: Canvas?, to canvas: Canvas) -> Bool {
    guard layer.isInUse, let before, before.size == canvas.size else { return false }
    return NcursesScreen.mayMoveLines(from: before, to: canvas)
  }

  // Writes the differences, and returns the lines and the number of cells. With `lineByLine`, each line is sent
  // separately: a single changed line has no other one that ncurses could move.
  private func write(_ canvas: Canvas, before: Canvas?, lineByLine: Bool = false) -> (rows: [Int], cells: Int) {
    let limit = min(canvas.size.columns, size.columns)
    let visible = 0..<min(canvas.size.rows, size.rows)
    var rows: [Int] = []
    var cells = 0
    if let before, before.size == canvas.size {
      for row in canvas.changedLines(since: before) where visible.contains(row) {
        let columns = canvas.changedColumns(ofLine: row, since: before, limit: limit)
        guard !columns.isEmpty else { continue }
        screen.write(canvas.cells(ofLine: row)[columns], row: row, column: columns.lowerBound)
        if lineByLine { screen.update(cursor: Point(row: row, column: columns.lowerBound)) }
        rows.append(row)
        cells += columns.count
      }
    } else if limit > 0 {
      for row in visible {
        screen.write(canvas.cells(ofLine: row)[..<limit], row: row, column: 0)
        rows.append(row)
        cells += limit
      }
    }
    return (rows, cells)
  }

  // Sends images or their deletion; from then on, a crash deletes those that the terminal has.
  private func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    TerminalGuard.armImages(images.deletion)
    device.write(bytes)
  }

  /// Drops all knowledge of the screen, images included.
  public func invalidate() {
    images.invalidate()
    clearNext()
  }

  // Clearing the screen does not delete the images shown by placeholders, because they are not part of it.
  private func clearNext() {
    shown = nil
    overlay.reset()
    layer.reset()
    screen.invalidate()
  }

  /// Rings the bell.
  public func bell() {
    if isOurs { device.write([0x07]) }
  }

  /// Copies text to the clipboard.
  public func copyToClipboard(_ text: String) {
    if isOurs { device.write(ClipboardSequence.bytes(copying: text, wrapping: wrapping)) }
  }

  /// Reads the size from the device.
  public func updateSize() -> Size {
    let new = device.size
    imageCell = readImageCell()
    guard new != size else { return size }
    size = new
    screen.resize(to: new)
    clearNext()
    return new
  }

  // MARK: Leaving and entering

  /// Releases the terminal.
  public func leave() {
    guard isOurs else { return }
    isOurs = false
    // In the background the terminal belongs to the shell, and touching it would stop us.
    guard device.isInForeground else {
      images.invalidate()
      TerminalGuard.disarm()
      wasLeftInBackground = true
      return
    }
    // Before leaving the screen: each of the terminal's two screens has its own images.
    send(images.removeAll())
    device.write(layer.removeAll())
    show(.standard)
    device.write(modesOff)
    discardReports()
    screen.showCursor(true)
    screen.leave()
    // Needed if ncurses found other modes at its start than we did.
    device.restoreModes()
    TerminalGuard.disarm()
    isCursorVisible = nil
  }

  /// Takes over the terminal again.
  public func enter() {
    guard !isOurs else { return }
    size = device.size
    imageCell = readImageCell()
    screen.resize(to: size)
    // The shell may have left the alternate screen; ncurses only enters it again after leaving it properly.
    if wasLeftInBackground { screen.leave() }
    wasLeftInBackground = false
    screen.enter()
    acquire()
  }

  /// Records a mouse report; see ``Terminal``.
  public func setMouseHeld(_ isHeld: Bool) {
    isMouseHeld = isHeld
    lastMouseReport = MonotonicClock.milliseconds
  }

  /// Shows adaptive colors for a light or a dark background from now on, if the terminal was asked and this is its first
  /// reply, however late. Any other one was not meant for this program.
  public func setBackground(isLight: Bool) {
    guard backgroundQueryTime != nil else { return }
    backgroundQueryTime = nil
    guard isLight != screen.hasLightBackground else { return }
    screen.hasLightBackground = isLight
    overlay.run.hasLightBackground = isLight
    // Everything is written to ncurses again, which sends the cells whose colors differ.
    shown = nil
  }

  // While a button is held or the wheel turns, reports may be in transit that the terminal sent before reporting was
  // turned off, and so may its replies about the background and its cursor. Its reply to another query comes after them.
  private func discardReports() {
    let isRecent = [lastMouseReport, backgroundQueryTime, widthQueryTime].contains { time in
      time.map { MonotonicClock.milliseconds - $0 < Self.reportTime } ?? false
    }
    lastMouseReport = nil
    if backgroundQueryTime != nil { asksForBackground = true }
    if widthQueryTime != nil { asksForWidth = true }
    backgroundQueryTime = nil
    widthQueryTime = nil
    guard isMouseHeld || isRecent else { return }
    isMouseHeld = false
    device.write(Array("\u{1B}[5n".utf8))
    device.discardInput(until: Array("\u{1B}[0n".utf8), atMost: Self.reportTime)
  }

  /// How long a report may be in transit, in milliseconds.
  private static let reportTime = 500

  // Whether two types name one terminal, such as `tmux-256color` and `screen`, or `foot` and `xterm-256color`.
  private static func areAlike(_ used: String, _ type: String) -> Bool {
    let followers = ["xterm", "alacritty", "foot", "kitty", "ghostty", "wezterm", "konsole", "vte", "gnome"]
    return used.hasPrefix("screen") || followers.contains(where: type.hasPrefix)
  }

  // COLORFGBG, set by rxvt, Konsole and others, ends with the number of the background's color.
  private static func isLight(_ value: String) -> Bool? {
    value.split(separator: ";").last.flatMap { UInt8($0) }.flatMap { $0 < 16 ? $0 == 7 || $0 > 8 : nil }
  }

  // A sixel image of the wrong size would cover other cells; the other protocols give the size in cells.
  private func readImageCell() -> PixelSize? {
    guard showsImages else { return nil }
    return device.cellPixels ?? (imageProtocol == .sixel ? nil : PixelSize(width: 10, height: 20))
  }

  private func acquire() {
    isOurs = true
    shown = nil
    overlay.reset()
    layer.reset()
    TerminalGuard.arm(descriptor: device.output, modes: device.savedModes, reset: resetBytes)
    device.write(modesOn)
  }
}

private let synchronizedOn = Array("\u{1B}[?2026h".utf8)
private let synchronizedOff = Array("\u{1B}[?2026l".utf8)
// Presses and releases, moves with a button down, coordinates past 223.
private let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
// xterm's own keyboard sends letters such as â for keys with Alt, unless these modes turn on the Esc prefix
// (metaSendsEscape, altSendsEscape). The user's own settings are saved and restored (XTSAVE, XTRESTORE).
private let altOn = "\u{1B}[?1036;1039s\u{1B}[?1036h\u{1B}[?1039h"
private let altOff = "\u{1B}[?1036;1039r"
private let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"
