import TerminalKit

/// The picture that the main screen drew last and what each part of it showed: the next one begins as a copy, and only parts
/// that are to show something else are drawn. Most keys change two lines of the list.
struct DrawnParts {
  /// All that the title line depends on while nobody searches.
  struct Title: Equatable {
    var group: String?
    var count: Int
    /// Flat position of the row that the line says the cursor is on; nil where it says none.
    var row: Int?
    var markedCount: Int
    var isReadOnly: Bool
  }

  /// All that the bottom line depends on.
  struct Bottom: Equatable {
    var mode: BrowserScreen.Mode
    var message: String?
    var isError = false
    var task: String?
    var isEmpty: Bool
    var showsDetail: Bool
    var hasMarks: Bool
    var isSearched: Bool
    var isGroup: Bool
  }

  /// All that the detail depends on.
  struct Detail: Equatable {
    var layout: DetailLayoutKey?
    /// The first line that is seen.
    var top: Int
    var rect: Rect
  }

  /// All that the index bar depends on.
  struct IndexBar: Equatable {
    /// Ordinals of the titles that have people.
    var present: [Int]
    var current: Int?
    var isWaiting: Bool
  }

  private var layout: BrowserLayout?
  private var canvas: Canvas?
  private var lines: ListLines?
  private var detail: Detail?
  private var title: Title?
  private var bottom: Bottom?
  private var indexBar: IndexBar?
  private var divider: Style?

  /// The picture that the next one begins with; nil when the parts stand elsewhere.
  func last(for layout: BrowserLayout, size: Size) -> Canvas? {
    self.layout == layout && canvas?.size == size ? canvas : nil
  }

  /// Begins with nothing.
  mutating func forget() { self = DrawnParts() }

  /// Keeps the picture.
  mutating func keep(_ canvas: Canvas, _ layout: BrowserLayout) {
    self.canvas = canvas
    self.layout = layout
  }

  /// Notes the new lines, and gives the last ones.
  mutating func replace(lines: ListLines) -> ListLines? {
    defer { self.lines = lines }
    return self.lines
  }

  /// Each notes what a part is to show, and says whether it showed that before.
  mutating func isSame(_ new: Detail) -> Bool { Self.replace(&detail, new) }
  mutating func isSame(_ new: Title?) -> Bool { Self.replace(&title, new) }
  mutating func isSame(_ new: Bottom) -> Bool { Self.replace(&bottom, new) }
  mutating func isSame(_ new: IndexBar) -> Bool { Self.replace(&indexBar, new) }
  mutating func isSame(divider new: Style) -> Bool { Self.replace(&divider, new) }

  /// A part that is nil is never the same.
  private static func replace<Part: Equatable>(_ old: inout Part?, _ new: Part?) -> Bool {
    if let new, old == new { return true }
    old = new
    return false
  }
}
