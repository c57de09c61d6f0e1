import CNcurses
import Glibc

/// The only file that speaks to ncurses: its screen, its colors, its descriptions of terminals.
///
/// ncurses finds the shortest bytes from one screen to the next; its input is not used.
@MainActor
final class NcursesScreen {
  /// Colors of the terminal's description; 0 for none.
  let colors: Int
  /// True for `linux` and its like, which show zero-width characters as boxes.
  let isConsole: Bool
  /// True where the C library knows that the placeholder of an image takes one column.
  var measuresPlaceholders: Bool { wcwidth(wchar_t(ImagePlaceholder.base.value)) == 1 }
  private let screen: OpaquePointer
  private var pairs: [UInt64: Int32] = [:]
  // Room for the cells of a line on their way to ncurses.
  private var line: [cchar_t] = []

  /// Opens the screen of that terminal, without writing to it yet.
  init(type: String, device: TerminalDevice, wantsColor: Bool) throws(TerminalError) {
    // ncurses sends UTF-8 only in such a locale. Terminals that are not UTF-8 are gone, a LANG=C is not.
    if setlocale(LC_CTYPE, "C.UTF-8") == nil, setlocale(LC_CTYPE, "en_US.UTF-8") == nil { setlocale(LC_CTYPE, "") }
    let known = try Self.describedType(type, device: device)
    isConsole = known.hasPrefix("linux") || known.hasPrefix("con")
    // A descriptor of its own, which can be turned aside.
    let own = fcntl(device.output, F_DUPFD_CLOEXEC, 0)
    guard own >= 0, let output = fdopen(own, "w"), let input = fdopen(device.input, "r") else { throw .system(errno) }
    guard let screen = newterm(known, output, input) else { throw .unknownTerminalType(type) }
    self.screen = screen
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

  // Until a program has been suspended for the first time, ncurses takes it for one that only moves the cursor, and flushes with
  // each movement (`ewInitial` in its lib_mvcur.c). The terminal, or the program at the other end of a slow line, would wake for
  // each of these pieces and could show half a picture. So it is suspended once, where nobody sees it.
  private static func suspendOnce(descriptor: Int32, device: TerminalDevice) {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    defer { close(nowhere) }
    guard dup3(nowhere, descriptor, O_CLOEXEC) >= 0 else { return }
    endwin()
    while dup3(device.output, descriptor, O_CLOEXEC) < 0, errno == EINTR || errno == EBUSY {}
  }

  // The type to use: the one asked for, or for the names of terminals whose own description is often missing on other
  // hosts, the one that they say they follow.
  private static func describedType(_ type: String, device: TerminalDevice) throws(TerminalError) -> String {
    var candidates = [type]
    let followers = ["xterm", "alacritty", "foot", "kitty", "ghostty", "wezterm", "konsole", "vte", "gnome"]
    if followers.contains(where: type.hasPrefix) { candidates += ["xterm-256color", "xterm"] }
    if type.hasPrefix("tmux") { candidates += ["screen-256color", "screen"] }
    for candidate in candidates {
      var status: Int32 = 0
      guard setupterm(candidate, device.output, &status) == OK else { continue }
      let canPlace = screen_string("cup") != nil && tigetflag("hc") != 1
      screen_forget_description()
      guard canPlace else { throw .unsuitableTerminalType(type) }
      return candidate
    }
    throw .unknownTerminalType(type)
  }

  /// A string of the terminal's description without its delays; empty if it has none.
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

  /// The bytes by which the terminal moves lines itself; empty if it cannot. Once they are sent, ``shift(_:)`` tells ncurses.
  func bytes(of plan: ScrollPlan, rows: Int) -> [UInt8] {
    func string(_ name: String, _ first: Int = 0, _ second: Int = 0) -> [UInt8] {
      screen_filled(name, Int32(first), Int32(second)).map(Self.withoutDelays) ?? []
    }
    let count = abs(plan.count)
    let isUp = plan.count > 0
    let region = string("csr", plan.lines.lowerBound, plan.lines.upperBound)
    let one = string(isUp ? "ind" : "ri")
    let several = count > 1 ? string(isUp ? "indn" : "rin", count) : []
    // New lines take the colors that are on (bce), so all are put off.
    let plain = capability("sgr0")
    guard !region.isEmpty, !one.isEmpty, !plain.isEmpty else { return [] }
    let cursor = syncedCursor()
    let start = string("cup", isUp ? plan.lines.upperBound : plan.lines.lowerBound)
    let move = several.isEmpty ? Array(repeatElement(one, count: count).joined()) : several
    return plain + region + start + move + string("csr", 0, rows - 1) + string("cup", cursor.row, cursor.column)
  }

  /// Has ncurses know that the terminal moved lines.
  func shift(_ plan: ScrollPlan) {
    screen_shift(Int32(plan.lines.lowerBound), Int32(plan.lines.upperBound), Int32(plan.count))
  }

  /// Changes ncurses' idea of the size.
  func resize(to size: Size) {
    guard screen_rows() != size.rows || screen_columns() != size.columns else { return }
    resizeterm(Int32(clamping: size.rows), Int32(clamping: size.columns))
  }

  /// Notes cells to be shown from that column on, which must begin a cluster.
  func write(_ cells: ArraySlice<Cell>, row: Int, column: Int) {
    if line.count < cells.count { line = Array(repeating: cchar_t(), count: cells.count) }
    var style = Style.plain
    var look = self.look(of: style)
    line.withUnsafeMutableBufferPointer { line in
      guard let start = line.baseAddress else { return }
      var count = 0
      for cell in cells where cell.width > 0 {
        // A block in the color of its ground is sent as ground: ncurses has shorter ways for blanks.
        let isGround = cell.isGround
        let cellStyle = isGround ? Style(background: cell.style.background) : cell.style
        if cellStyle != style {
          style = cellStyle
          look = self.look(of: style)
        }
        let ascii = isGround ? 0x20 : cell.ascii
        if ascii > 0 {
          screen_ascii_cell(start + count, &look, ascii)
        } else {
          var text = cell.codePoints
          if isConsole { text.removeAll { $0 == Canvas.leftToRightMark.value } }
          screen_cell(start + count, &look, &text, Int32(text.count), Int32(cell.width))
        }
        count += 1
      }
      screen_write(Int32(row), Int32(column), start, Int32(count))
    }
  }

  /// The text of a cell as it is sent: a stand-in where the C library measures it otherwise than we do.
  nonisolated static func sentText(of cell: Cell) -> String {
    if cell.ascii > 0 { return String(UnicodeScalar(cell.ascii)) }
    let base = sentBase(of: cell)
    var text = String.UnicodeScalarView()
    if base > 0, let scalar = Unicode.Scalar(base) { text.append(scalar) }
    guard base == cell.base else { return String(text) }
    for point in cell.codePoints.dropFirst() where wcwidth(wchar_t(bitPattern: point)) == 0 {
      if let scalar = Unicode.Scalar(point) { text.append(scalar) }
    }
    return String(text)
  }

  /// The first code point of it; 0 in the second half of a wide cluster.
  nonisolated static func sentBase(of cell: Cell) -> UInt32 {
    if cell.ascii > 0 || cell.width == 0 { return cell.base }
    if cell.isGround { return 0x20 }
    return wcwidth(wchar_t(bitPattern: cell.base)) == cell.width ? cell.base : cell.width == 2 ? 0x3013 : 0xFFFD
  }

  /// True for cells without text, which ncurses may have erased together with others.
  nonisolated static func areBlank(_ cells: ArraySlice<Cell>) -> Bool { cells.allSatisfy { sentBase(of: $0) == 0x20 } }

  /// True when ncurses may have the terminal move lines on the way from one screen to the next: a line that changed has the sum
  /// that another such line had. So its hashmap.c finds lines again.
  nonisolated static func mayMoveLines(from old: Canvas, to new: Canvas) -> Bool {
    let rows = new.changedLines(since: old)
    func sums(_ canvas: Canvas) -> [UInt] {
      rows.map { row in
        var base: UInt32 = 0
        return canvas.cells(ofLine: row).reduce(0) { sum, cell in
          if cell.width > 0 { base = sentBase(of: cell) }
          return sum &* 33 &+ UInt(base)
        }
      }
    }
    let (before, after) = (sums(old), sums(new))
    return after.indices.contains { row in before.indices.contains { $0 != row && before[$0] == after[row] } }
  }

  /// Sends what changed, in one piece unless it is many lines, and leaves the cursor there.
  func update(cursor: Point) { screen_update(Int32(cursor.row), Int32(cursor.column)) }

  /// Has the next update clear the screen and send all of it.
  func invalidate() { screen_clear_on_next_update() }

  /// Shows or hides the cursor.
  func showCursor(_ isVisible: Bool) { curs_set(isVisible ? 1 : 0) }

  /// Where the terminal's cursor is; ncurses then takes attributes to be off, which the caller must see to.
  func syncedCursor() -> Point {
    var row: Int32 = 0
    var column: Int32 = 0
    screen_sync_cursor(&row, &column)
    return Point(row: Int(row), column: Int(column))
  }

  /// Gives the screen back.
  func leave() { endwin() }

  /// Sets the program's modes again; the next update takes the screen.
  func enter() {
    reset_prog_mode()
    screen_clear_on_next_update()
  }

  // MARK: Looks

  // A blank in that style.
  private func look(of style: Style) -> cchar_t {
    var look = cchar_t()
    screen_look(&look, attributes(style), pair(style))
    return look
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

  /// True when a color was wanted for which there was no pair left; see ``forgetPairs()``.
  private(set) var ranOutOfPairs = false

  /// Starts over without pairs; everything must be written again.
  func forgetPairs() {
    pairs.removeAll(keepingCapacity: true)
    ranOutOfPairs = false
  }

  private func pair(_ style: Style) -> Int32 {
    if colors == 0 || style.foreground == .standard && style.background == .standard { return 0 }
    let foreground = ColorReduction.number(style.foreground, colors: colors)
    let background = ColorReduction.number(style.background, colors: colors)
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
