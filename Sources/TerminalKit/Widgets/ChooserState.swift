/// A popup list to choose one item from. Typing filters it; optionally the typed text can be chosen too.
public struct ChooserState: Sendable {
  /// A possible choice.
  public enum Choice: Hashable, Sendable {
    /// One of the items, by its index.
    case item(Int)
    /// The typed text.
    case own(String)
  }

  /// The texts of a chooser besides its items, in the user's language.
  public struct Texts: Sendable {
    /// The placeholder in the empty field.
    public var placeholder: String
    /// The line that offers the typed text.
    public var own: @Sendable (String) -> String
    /// The text shown instead of the list if no item matches the typed text.
    public var noMatch: @Sendable (String) -> String

    /// Creates the texts of a chooser.
    public init(
      placeholder: String, own: @escaping @Sendable (String) -> String = { $0 },
      noMatch: @escaping @Sendable (String) -> String
    ) {
      self.placeholder = placeholder
      self.own = own
      self.noMatch = noMatch
    }
  }

  /// An item of the list.
  public struct Item: Hashable, Sendable {
    /// The text, one line.
    public var text: String
    /// Text at the right, such as its key; empty for none.
    public var detail: String
    /// Further texts that the typed text may match.
    public var aliases: [String]
    /// Other ways to type it, for example in another script. Unlike an alias, a spelling can still be chosen as typed
    /// text.
    public var spellings: [String]
    /// The color of a dot before the text; nil for none.
    public var dot: Color?
    /// Whether a ranked chooser lists it before others that match the typed text equally well.
    public var isPreferred: Bool
    /// Attributes of the text, such as bold.
    public var attributes: Style.Attributes = []

    /// Creates an item.
    public init(
      _ text: String, detail: String = "", aliases: [String] = [], spellings: [String] = [], dot: Color? = nil,
      isPreferred: Bool = false
    ) {
      self.text = text
      self.detail = detail
      self.aliases = aliases
      self.spellings = spellings
      self.dot = dot
      self.isPreferred = isPreferred
    }
  }

  private let title: String
  /// The items; the selection keeps its line when they are replaced.
  public var items: [Item] {
    didSet { findChoices() }
  }
  /// The minimum number of columns inside the frame, as far as the window has room.
  private static let minimumColumns = 24
  private let hint: String
  private let texts: Texts
  private let allowsOwnText: Bool
  private let isRanked: Bool
  /// The choices that match the typed text.
  public private(set) var choices: [Choice]
  /// The selected and the visible lines of the list.
  public private(set) var selection: ListSelection
  /// The typed text.
  public private(set) var field = TextField("")
  /// True after the selection was moved: the cursor then stands on it, for screen readers, until text is typed.
  private var isMoving = false
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var fieldRect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// The width of the details of a popup; nil if each has its own.
  private var detailColumns: Int?

  /// Creates a chooser of these items.
  /// - Parameters:
  ///   - title: the title in the frame.
  ///   - items: the items.
  ///   - selected: the index of the initially selected item.
  ///   - allowsOwnText: whether other text can be typed and chosen.
  ///   - isRanked: whether typing also finds items that have the typed characters with others between them, and lists
  ///     the best matches first (``ChoiceFilter/rank(of:)``); otherwise the items that contain the text keep their
  ///     order.
  ///   - hint: a line below the list; empty for none.
  ///   - texts: its other texts.
  public init(
    title: String, items: [Item], selected: Int = 0, allowsOwnText: Bool = false, isRanked: Bool = false,
    hint: String = "", texts: Texts
  ) {
    self.title = title
    self.items = items
    self.isRanked = isRanked
    self.hint = hint
    self.texts = texts
    self.allowsOwnText = allowsOwnText
    choices = items.indices.map(Choice.item)
    selection = ListSelection(count: items.count, selected: selected)
  }

  /// Creates a chooser of texts; see ``init(title:items:selected:allowsOwnText:isRanked:hint:texts:)``.
  public init(
    title: String, items: [String], selected: Int = 0, allowsOwnText: Bool = false, hint: String = "", texts: Texts
  ) {
    self.init(
      title: title, items: items.map { Item($0) }, selected: selected, allowsOwnText: allowsOwnText, hint: hint,
      texts: texts)
  }

  /// The selected choice; nil if there are no choices.
  public var selectedChoice: Choice? {
    choices.indices.contains(selection.selected) ? choices[selection.selected] : nil
  }

  // MARK: Events

  /// What is left to the screen of a chooser.
  public enum Step: Hashable, Sendable {
    /// The selected choice was chosen.
    case accepted
    /// The chooser is to be closed.
    case canceled
  }

  /// Performs a command by its role: moves, chooses or cancels; canceling first clears the typed text.
  public mutating func perform(_ role: CommandRole?) -> Step? {
    switch role {
    case .accept: return .accepted
    case .cancel where field.isEmpty: return .canceled
    case .cancel: clear()
    case .move(let movement): move(movement)
    default: break
    }
    return nil
  }

  /// Inserts pasted text, or handles the mouse; a double click chooses.
  public mutating func handle(_ event: Event) -> Step? {
    switch event {
    case .paste(let text): insert(text)
    case .mouse(let mouse): return handle(mouse) ? .accepted : nil
    default: break
    }
    return nil
  }

  /// Replaces the items, and selects the best match of the typed text.
  public mutating func replace(_ items: [Item]) {
    self.items = items
    applyFilter()
  }

  /// Selects an item, if it matches the typed text.
  public mutating func select(_ item: Int) {
    if let line = choices.firstIndex(of: .item(item)) { selection.select(line) }
  }

  /// Moves the selection.
  public mutating func move(_ movement: Movement) {
    selection.move(movement)
    isMoving = true
  }

  /// Edits the typed text with a key.
  public mutating func type(_ key: Key) { edit { _ = $0.handle(key) } }

  /// Inserts text, for example a paste.
  public mutating func insert(_ text: String) { edit { $0.insert(text) } }

  /// Clears the typed text.
  public mutating func clear() { edit { $0 = TextField("") } }

  /// Moves the cursor or the selection.
  /// - Returns: true if a line was double-clicked and is chosen.
  public mutating func handle(_ mouse: Mouse) -> Bool {
    guard mouse.action == .press, fieldRect.contains(mouse.position) else { return selection.handle(mouse) }
    field.moveCursor(toColumn: mouse.position.column - fieldRect.column, columns: fieldRect.columns)
    return false
  }

  private mutating func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    isMoving = false
    change(&field)
    if field.text != before { applyFilter() }
  }

  private mutating func applyFilter() {
    findChoices()
    selection.rewind()
    if !isRanked { selection.select(ChoiceFilter(field.text).best(of: choices.map(text(of:)))) }
  }

  private mutating func findChoices() {
    let filter = ChoiceFilter(field.text)
    choices = (isRanked ? ranked(filter) : items.indices.filter { matches(items[$0], filter) }).map(Choice.item)
    let typed = field.text.lowercased()
    if allowsOwnText, !field.isEmpty,
      !items.contains(where: { $0.text == field.text || $0.aliases.contains { $0.lowercased() == typed } })
    {
      choices.append(.own(field.text))
    }
    selection.count = choices.count
  }

  private func matches(_ item: Item, _ filter: ChoiceFilter) -> Bool {
    filter.matches(item.text) || item.aliases.contains(where: filter.matches) || isSpelled(item, filter)
  }

  private func isSpelled(_ item: Item, _ filter: ChoiceFilter) -> Bool {
    item.spellings.contains(where: filter.begins)
  }

  private func ranked(_ filter: ChoiceFilter) -> [Int] {
    if filter.isEmpty { return Array(items.indices) }
    let ranks = items.enumerated().compactMap { index, item in
      let ranks =
        ([item.text] + item.aliases).compactMap(filter.rank(of:))
        + (isSpelled(item, filter) ? [ChoiceFilter.prefix] : [])
      return ranks.min().map { (rank: $0, second: item.isPreferred ? 0 : 1, index: index) }
    }
    // Where a word matches, letters scattered over other lines are no match.
    let words = ranks.filter { $0.rank < ChoiceFilter.scattered }
    return (words.isEmpty ? ranks : words).sorted { ($0.rank, $0.second, $0.index) < ($1.rank, $1.second, $1.index) }
      .map(\.index)
  }

  private func text(of choice: Choice) -> String {
    switch choice {
    case .item(let index): items[index].text
    case .own(let text): texts.own(text)
    }
  }

  // MARK: Drawing

  /// Lays out a popup in the window.
  public mutating func layOut(in window: Rect) {
    func widest(_ texts: [String]) -> Int { texts.map { TextWidth.columns(of: DisplayText.clean($0)) }.max() ?? 0 }
    let details = widest(items.map(\.detail))
    let dots = items.contains { $0.dot != nil } ? 2 : 0
    let widestItem = widest(items.map(\.text)) + 2 + dots + (details > 0 ? details + 2 : 0)
    let columns = min(
      max(Self.minimumColumns, widestItem, widest([hint, texts.placeholder, title]) + 2), window.columns - 6)
    // In a small window the text is more important.
    detailColumns = min(details, columns / 3)
    let below = hint.isEmpty ? 0 : 2
    // The height of the frame does not change during typing.
    let most = max(1, items.count + (allowsOwnText ? 1 : 0))
    let visible = max(1, min(most, window.rows - 6 - below))
    let frame = Popup.frame(rows: visible + 2 + below, columns: columns, in: window)
    self.frame = frame
    let room = Popup.room(in: frame)
    // The scroll bar is on the edge.
    layOut(field: room.line(0), list: room.inset(top: 2, bottom: below, right: room.endColumn - frame.endColumn))
  }

  /// Lays out a chooser that is part of a screen: its field and its list.
  public mutating func layOut(field: Rect, list: Rect) {
    fieldRect = field
    selection.layOut(in: list)
  }

  /// Draws the popup at the position from ``layOut(in:)``.
  public func draw(on canvas: inout Canvas, style: WidgetStyle) {
    let room = Popup(style: style).draw(title: title, on: &canvas, in: frame)
    var quiet = style
    quiet.text = style.popup
    quiet.quiet = style.popup.adding(style.faint)
    quiet.accent = style.popup
    drawField(on: &canvas, style: style)
    drawList(on: &canvas, style: quiet)
    if choices.isEmpty, !field.isEmpty {
      canvas.put(texts.noMatch(field.text), in: room.inset(top: 2), style: quiet.quiet)
    }
    if !hint.isEmpty { canvas.put(hint, in: room.line(room.rows - 1), style: quiet.quiet) }
  }

  /// Draws the field, or its placeholder. While the selection moves, the cursor stands on it.
  public func drawField(on canvas: inout Canvas, style: WidgetStyle) {
    field.draw(on: &canvas, in: fieldRect, style: style.field, focused: !isMoving || choices.isEmpty)
    if field.isEmpty { canvas.put(texts.placeholder, in: fieldRect, style: style.field.adding(style.faint)) }
  }

  /// Draws the visible lines.
  public func drawList(on canvas: inout Canvas, style: WidgetStyle) {
    selection.draw(on: &canvas, style: style) { row(of: choices[$0]) }
  }

  /// Returns the text of the selected line if a list of that many columns has no room for it.
  public func cutText(columns: Int) -> String? {
    guard let row = selectedChoice.map(row),
      TextWidth.columns(of: DisplayText.clean(row.text)) > row.textColumns(in: columns - 1)
    else { return nil }
    return DisplayText.clean(row.text)
  }

  private func row(of choice: Choice) -> TextRow {
    var row = TextRow(text(of: choice))
    row.rightColumns = detailColumns
    if case .item(let index) = choice {
      row.right = items[index].detail
      row.dot = items[index].dot
      row.attributes = items[index].attributes
    }
    return row
  }
}
