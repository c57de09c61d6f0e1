import CNcurses
import Glibc

/// The only file that uses ncurses: its screen, its colors, its terminal descriptions.
///
/// ncurses computes the shortest output that turns one screen into the next; its input functions are not used.
@MainActor
final class NcursesScreen {
  nonisolated static var libraryVersion: String { curses_version().map { String(cString: $0) } ?? "ncurses" }

  /// The number of colors in the terminal's description; 0 if it has none, or if color is not wanted.
  let colors: Int
  /// The type whose description is used: that of TERM, or xterm's if there is none.
  let type: String
  /// True if the terminal's background is light, false if it is dark, nil if it is not known.
  var hasLightBackground: Bool?
  /// True for `linux` and FreeBSD's `cons25`, which show zero-width characters as boxes.
  let isConsole: Bool
  /// True if the C library knows that the placeholder of an image takes one column.
  var measuresPlaceholders: Bool { wcwidth(wchar_t(ImagePlaceholder.base.value)) == 1 }
  private let screen: OpaquePointer
  private let device: TerminalDevice
  /// The descriptor that ncurses writes to.
  private let descriptor: Int32
  /// A file in memory that takes ncurses' output if it has stand-ins; opened when first needed.
  private var memory: Int32?
  private var pairs: [UInt64: Int32] = [:]
  // A buffer for the cells of a line, reused for each line.
  private var line: [cchar_t] = []

  /// Opens the screen of that terminal without writing to it yet.
  /// - Parameter folders: the folders to search for descriptions that ncurses does not find.
  init(
    type: String, device: TerminalDevice, wantsColor: Bool, folders: DescriptionFolders = DescriptionFolders()
  ) throws(TerminalError) {
    // ncurses only sends UTF-8 in a UTF-8 locale. Terminals without UTF-8 are extinct, but LANG=C is not.
    if setlocale(LC_CTYPE, "C.UTF-8") == nil, setlocale(LC_CTYPE, "en_US.UTF-8") == nil { setlocale(LC_CTYPE, "") }
    var folders = folders
    defer { folders.remove() }
    let known = try Self.describedType(type, device: device, &folders)
    self.type = known
    isConsole = known.hasPrefix("linux") || known.hasPrefix("cons")
    // A separate descriptor, which can be redirected.
    let own = fcntl(device.output, F_DUPFD_CLOEXEC, 0)
    guard own >= 0, let output = fdopen(own, "w"), let input = fdopen(device.input, "r") else { throw .system(errno) }
    guard let screen = newterm(known, output, input) else { throw .unknownTerminalType(type) }
    self.screen = screen
    self.device = device
    descriptor = own
    raw()
    noecho()
    nonl()
    screen_prepare()
    def_prog_mode()
    Self.suspendOnce(descriptor: own, device: device)
    if wantsColor, has_colors() {
      start_color()
      use_default_colors()
      colors = Int(screen_color_count())
    } else {
      colors = 0
    }
  }

  // Until a program has been suspended for the first time, ncurses assumes that it only moves the cursor, and flushes
  // with each movement (`ewInitial` in its lib_mvcur.c). The terminal, or the other end of a slow line, would wake up
  // for each of these pieces and could show half a frame. So suspend once while nothing is visible.
  private static func suspendOnce(descriptor: Int32, device: TerminalDevice) {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    defer { close(nowhere) }
    redirect(descriptor, to: nowhere, device) { endwin() }
  }

  // Runs a function of ncurses while its output goes elsewhere.
  private static func redirect(_ descriptor: Int32, to other: Int32, _ device: TerminalDevice, _ body: () -> Void) {
    guard dup3(other, descriptor, O_CLOEXEC) >= 0 else { return }
    body()
    while dup3(device.output, descriptor, O_CLOEXEC) < 0, errno == EINTR || errno == EBUSY {}
  }

  // The type to use: the requested one, or a compatible one if its description is missing on this host. Nearly all
  // terminals understand what xterm does.
  private static func describedType(
    _ type: String, device: TerminalDevice, _ folders: inout DescriptionFolders
  ) throws(TerminalError) -> String {
    let compatible = type.hasPrefix("tmux") ? ["screen-256color", "screen"] : []
    for candidate in [type] + compatible + ["xterm-256color", "xterm"] {
      if !findsDescription(of: candidate, device) {
        folders.add()
        guard findsDescription(of: candidate, device) else { continue }
      }
      let canPlace = screen_string("cup") != nil && tigetflag("hc") != 1
      screen_forget_description()
      guard canPlace else { throw .unsuitableTerminalType(type) }
      return candidate
    }
    throw .unknownTerminalType(type)
  }

  private static func findsDescription(of type: String, _ device: TerminalDevice) -> Bool {
    var status: Int32 = 0
    return setupterm(type, device.output, &status) == OK
  }

  /// Returns a string of the terminal's description without its delays; empty if it has none.
  func capability(_ name: String) -> [UInt8] { screen_string(name).map(Self.withoutDelays) ?? [] }

  private static func withoutDelays(_ value: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var isDelay = false
    for byte in String(cString: value).utf8 {
      if byte == UInt8(ascii: "<"), bytes.last == UInt8(ascii: "$") {
        bytes.removeLast()
        isDelay = true
      } else if isDelay {
        isDelay = byte != UInt8(ascii: ">")
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns the bytes that make the terminal move lines itself; empty if it cannot. After sending them, call
  /// ``shift(_:)``.
  func bytes(of plan: ScrollPlan, rows: Int) -> [UInt8] {
    func string(_ name: String, _ first: Int = 0, _ second: Int = 0) -> [UInt8] {
      screen_filled(name, Int32(first), Int32(second)).map(Self.withoutDelays) ?? []
    }
    let count = abs(plan.count)
    let isUp = plan.count > 0
    let region = string("csr", plan.lines.lowerBound, plan.lines.upperBound)
    let one = string(isUp ? "ind" : "ri")
    let several = count > 1 ? string(isUp ? "indn" : "rin", count) : []
    // New lines take the current colors (bce), so reset them.
    let plain = capability("sgr0")
    guard !region.isEmpty, !one.isEmpty, !plain.isEmpty else { return [] }
    let cursor = syncedCursor()
    let start = string("cup", isUp ? plan.lines.upperBound : plan.lines.lowerBound)
    let move = several.isEmpty ? Array(repeatElement(one, count: count).joined()) : several
    return plain + region + start + move + string("csr", 0, rows - 1) + string("cup", cursor.row, cursor.column)
  }

  /// Tells ncurses that the terminal moved lines.
  func shift(_ plan: ScrollPlan) {
    screen_shift(Int32(plan.lines.lowerBound), Int32(plan.lines.upperBound), Int32(plan.count))
  }

  func resize(to size: Size) {
    guard screen_rows() != size.rows || screen_columns() != size.columns else { return }
    resizeterm(Int32(clamping: size.rows), Int32(clamping: size.columns))
  }

  /// Queues cells to be shown from that column on, which must not be the second half of a wide cell.
  func write(_ cells: ArraySlice<Cell>, row: Int, column: Int) {
    if line.count < cells.count { line = Array(repeating: cchar_t(), count: cells.count) }
    var style = Style.plain
    var rendition = self.rendition(of: style)
    line.withUnsafeMutableBufferPointer { line in
      guard let start = line.baseAddress else { return }
      var count = 0
      for cell in cells where cell.width > 0 {
        // A block in the color of its background is sent as a blank, for which ncurses has shorter sequences.
        let looksBlank = cell.looksBlank
        let cellStyle = looksBlank ? Style(background: cell.style.background) : cell.style
        if cellStyle != style {
          style = cellStyle
          rendition = self.rendition(of: style)
        }
        let ascii = looksBlank ? 0x20 : cell.ascii
        if ascii > 0 {
          screen_ascii_cell(start + count, &rendition, ascii)
        } else {
          var text = cell.codePoints
          if isConsole { text.removeAll { $0 == Canvas.leftToRightMark.value } }
          if cell.width == 2, let standIn = AmbiguousWidth.standIn(for: text[0]) { text[0] = standIn }
          screen_cell(start + count, &rendition, &text, Int32(text.count), Int32(cell.width))
        }
        count += 1
      }
      screen_write(Int32(row), Int32(column), start, Int32(count))
    }
  }

  /// Returns the text that is sent for a cell: a replacement if the C library gives it another width.
  nonisolated static func sentText(of cell: Cell) -> String {
    if cell.ascii > 0 { return String(UnicodeScalar(cell.ascii)) }
    let base = sentBase(of: cell)
    let isKept = base == cell.base || base == AmbiguousWidth.standIn(for: cell.base)
    var text = String.UnicodeScalarView()
    if base > 0, let scalar = Unicode.Scalar(isKept ? cell.base : base) { text.append(scalar) }
    guard isKept else { return String(text) }
    for point in cell.codePoints.dropFirst() where wcwidth(wchar_t(bitPattern: point)) == 0 {
      if let scalar = Unicode.Scalar(point) { text.append(scalar) }
    }
    return String(text)
  }

  /// Returns the first code point that ncurses gets for a cell; 0 in the second half of a wide cell.
  nonisolated static func sentBase(of cell: Cell) -> UInt32 {
    if cell.ascii > 0 || cell.width == 0 { return cell.base }
    if cell.looksBlank { return 0x20 }
    let base = cell.width == 2 ? AmbiguousWidth.standIn(for: cell.base) ?? cell.base : cell.base
    return wcwidth(wchar_t(bitPattern: base)) == cell.width ? base : cell.width == 2 ? 0x3013 : 0xFFFD
  }

  /// Returns true for cells without text, which ncurses may erase together with others.
  nonisolated static func areBlank(_ cells: ArraySlice<Cell>) -> Bool { cells.allSatisfy { sentBase(of: $0) == 0x20 } }

  /// Returns true if ncurses may make the terminal move lines to get from one screen to the next: a changed line has
  /// the hash of another changed line in the old screen. The hash is that of ncurses' hashmap.c.
  nonisolated static func mayMoveLines(from old: Canvas, to new: Canvas) -> Bool {
    let rows = new.changedLines(since: old)
    func hashes(_ canvas: Canvas) -> [UInt] {
      rows.map { row in
        var base: UInt32 = 0
        return canvas.cells(ofLine: row).reduce(0) { hash, cell in
          if cell.width > 0 { base = sentBase(of: cell) }
          return hash &* 33 &+ UInt(base)
        }
      }
    }
    let (before, after) = (hashes(old), hashes(new))
    return after.indices.contains { row in before.indices.contains { $0 != row && before[$0] == after[row] } }
  }

  /// Sends the changes and leaves the cursor at that position. They are sent in one piece, unless they exceed ncurses'
  /// buffer, which holds little more than one byte per cell of the screen.
  func update(cursor: Point) {
    if AmbiguousWidth.isWide, memory == nil { memory = screen_memory() }
    guard AmbiguousWidth.isWide, let memory, memory >= 0 else {
      return screen_update(Int32(cursor.row), Int32(cursor.column))
    }
    Self.redirect(descriptor, to: memory, device) { screen_update(Int32(cursor.row), Int32(cursor.column)) }
    var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(memory, 0, SEEK_END))))
    let count = pread(memory, &bytes, bytes.count, 0)
    _ = ftruncate(memory, 0)
    lseek(memory, 0, SEEK_SET)
    device.write(AmbiguousWidth.restored(Array(bytes.prefix(max(0, count)))))
  }

  /// Makes the next update clear the screen and send everything.
  func invalidate() { screen_clear_on_next_update() }

  func showCursor(_ isVisible: Bool) { curs_set(isVisible ? 1 : 0) }

  /// Returns the position of the terminal's cursor. ncurses then assumes that attributes are off, which the caller must
  /// ensure.
  func syncedCursor() -> Point {
    var row: Int32 = 0
    var column: Int32 = 0
    screen_sync_cursor(&row, &column)
    return Point(row: Int(row), column: Int(column))
  }

  /// Restores the terminal's own modes, until ``enter()``.
  func leave() { endwin() }

  /// Sets the program's modes again; the next update sends everything.
  func enter() {
    reset_prog_mode()
    screen_clear_on_next_update()
  }

  // MARK: Styles

  // A blank in that style.
  private func rendition(of style: Style) -> cchar_t {
    var rendition = cchar_t()
    screen_rendition(&rendition, attributes(style), pair(style))
    return rendition
  }

  private func attributes(_ style: Style) -> attr_t {
    if style.attributes.isEmpty { return 0 }
    var result: attr_t = 0
    if style.attributes.contains(.bold) { result |= screen_bold }
    if style.attributes.contains(.dim) { result |= screen_dim }
    if style.attributes.contains(.underline) { result |= screen_underline }
    if style.attributes.contains(.reverse) { result |= screen_reverse }
    if style.attributes.contains(.italic) { result |= screen_italic }
    return result
  }

  /// True if a color was needed when no color pair was left; see ``resetPairs()``.
  private(set) var ranOutOfPairs = false

  /// Drops all color pairs; everything must be written again.
  func resetPairs() {
    pairs.removeAll(keepingCapacity: true)
    ranOutOfPairs = false
  }

  private func pair(_ style: Style) -> Int32 {
    if colors == 0 || style.foreground == .standard && style.background == .standard { return 0 }
    let foreground = ColorReduction.number(style.foreground, colors: colors, hasLightBackground: hasLightBackground)
    let background = ColorReduction.number(style.background, colors: colors, hasLightBackground: hasLightBackground)
    if foreground == -1, background == -1 { return 0 }
    let key = UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
    if let known = pairs[key] { return known }
    let next = Int32(pairs.count + 1)
    guard next < screen_pair_count() else {
      ranOutOfPairs = true
      return 0
    }
    init_extended_pair(next, foreground, background)
    pairs[key] = next
    return next
  }
}
