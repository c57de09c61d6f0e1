import TerminalKit

/// The earlier states of a form, so that input can be undone before it is saved.
struct FormHistory {
  /// An input, as far as it decides what is undone together.
  enum Input: Equatable {
    /// Letters that were typed one after the other.
    case letters
    /// The blank after a word.
    case blank
    /// Characters that were deleted one after the other.
    case deletion
    /// Anything else is undone on its own.
    case other

    init(_ key: Key) {
      switch key.code {
      case .character(let character) where key.typesText: self = character.isWhitespace ? .blank : .letters
      case .backspace where key.modifiers.isEmpty, .delete where key.modifiers.isEmpty: self = .deletion
      default: self = .other
      }
    }

    /// True if the input belongs to the same step as the one before it.
    func joins(_ last: Input) -> Bool {
      switch self {
      case .letters, .blank: last == .letters || self == last
      case .deletion: last == .deletion
      case .other: false
      }
    }
  }

  private static let most = 500

  /// The state after the last input.
  private var current: FormModel
  private var earlier: [FormModel] = []
  private var undone: [FormModel] = []
  /// The last input, if it changed a row that is still focused.
  private var last = Input.other

  init(_ model: FormModel) { current = model }

  /// Records the state after an input.
  mutating func record(_ model: FormModel, after input: Input) {
    defer { current = model }
    guard !model.hasSameInput(as: current) else {
      last = .other
      return
    }
    let isSameRow = model.rows[model.focus].identity == current.rows[current.focus].identity
    if !(isSameRow && input.joins(last)) { earlier.append(current) }
    if earlier.count > Self.most { earlier.removeFirst() }
    undone = []
    last = input
  }

  /// The state before the last step; nil if there is none.
  mutating func undo() -> FormModel? { go(from: \.earlier, to: \.undone) }

  /// The state before the last undo; nil if there is none, or if there was input since.
  mutating func redo() -> FormModel? { go(from: \.undone, to: \.earlier) }

  private mutating func go(
    from source: WritableKeyPath<FormHistory, [FormModel]>, to target: WritableKeyPath<FormHistory, [FormModel]>
  ) -> FormModel? {
    guard let model = self[keyPath: source].popLast() else { return nil }
    self[keyPath: target].append(current)
    last = .other
    current = model
    return model
  }
}

extension FormModel {
  /// True if both have the same rows with the same texts, labels and photo.
  func hasSameInput(as other: FormModel) -> Bool {
    rows.count == other.rows.count && photo == other.photo
      && zip(rows, other.rows).allSatisfy {
        $0.identity == $1.identity && $0.label == $1.label && $0.editor.hasSameInput(as: $1.editor)
      }
  }
}

extension FormEditor {
  fileprivate func hasSameInput(as other: FormEditor) -> Bool {
    switch (self, other) {
    case (.choice(let mine, _), .choice(let theirs, _)): mine == theirs
    default: text == other.text
    }
  }
}
