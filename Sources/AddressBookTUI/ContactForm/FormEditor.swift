import TerminalKit

/// The editor of a row of the form.
enum FormEditor {
  case field(TextField)
  case area(TextArea)
  /// The index of the selected choice, and the number of choices.
  case choice(Int, of: Int)
  case button

  /// The text in the editor; empty for a choice or a button.
  var text: String {
    switch self {
    case .field(let field): field.text
    case .area(let area): area.text
    case .choice, .button: ""
    }
  }

  /// Handles a key; false if the editor does not support it.
  /// - Parameter columns: the width of a text area.
  mutating func handle(_ key: Key, columns: Int) -> Bool {
    switch self {
    case .field(var field):
      defer { self = .field(field) }
      return field.handle(key)
    case .area(var area):
      area.columns = columns
      defer { self = .area(area) }
      return area.handle(key)
    case .choice(let chosen, let count):
      switch key.code {
      case .character(" "), .right: self = .choice((chosen + 1) % count, of: count)
      case .left: self = .choice((chosen + count - 1) % count, of: count)
      default: return false
      }
      return true
    case .button: return false
    }
  }

  /// Moves the cursor to a cell of an editor of that size.
  mutating func moveCursor(toRow row: Int, column: Int, in size: Size) {
    switch self {
    case .field(var field):
      field.moveCursor(toColumn: column, columns: size.columns)
      self = .field(field)
    case .area(var area):
      area.moveCursor(toRow: row, column: column, in: size)
      self = .area(area)
    case .choice, .button: break
    }
  }

  /// Selects one of the choices.
  mutating func choose(_ index: Int) {
    guard case .choice(_, let count) = self, (0..<count).contains(index) else { return }
    self = .choice(index, of: count)
  }

  /// Inserts text at the cursor.
  mutating func insert(_ text: String) {
    switch self {
    case .field(var field):
      field.insert(text)
      self = .field(field)
    case .area(var area):
      area.insert(text)
      self = .area(area)
    case .choice, .button: break
    }
  }
}
