import AddressBookModel
import Messages
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

/// The fields of a form, as a list from which the user chooses the field to go to.
struct FormFieldList {
  /// Where the focus can go.
  enum Target: Hashable {
    case row(FormRow.Identity)
    /// A kind of value that the contact does not have yet.
    case added(MultiField)
    /// A part of the name that is not shown.
    case hidden(SingleField)
  }

  /// The fields in the order of the form.
  let targets: [Target]
  /// The same fields as items of the list, with their values.
  let items: [ChooserState.Item]
  private static let longestValue = 30

  init(_ model: FormModel, strings: Strings) {
    let languages = Language.allCases.filter { $0 != strings.localization.language }
    let others = languages.map { Strings(Localization(language: $0)) }
    var targets: [Target] = []
    var items: [ChooserState.Item] = []
    func add(
      _ target: Target, _ name: (Strings) -> String, label: String = "", value: String = "",
      alias: ((Strings) -> String)? = nil
    ) {
      targets.append(target)
      let first = value.split(whereSeparator: \.isNewline).first.map { DisplayText.clean(String($0)) } ?? ""
      items.append(
        ChooserState.Item(
          label.isEmpty ? name(strings) : name(strings) + strings("list.separator") + label,
          detail: String(first.prefix(Self.longestValue)),
          aliases: others.map(name) + (alias.map { ([strings] + others).map($0) } ?? []), isPreferred: !value.isEmpty))
    }
    for row in model.rows {
      let target = Target.row(row.identity)
      let label = strings.localization.label(row.label)
      switch row.identity {
      case .kind, .photo: add(target) { $0.name(of: .special(row.identity == .kind ? .kind : .photo)) }
      case .single(let field): add(target, { $0.name(of: field.field) }, value: row.text)
      case .value(let field, _): add(target, { $0.name(of: field.field) }, label: label, value: row.text)
      case .address(.street, _):
        add(target, { $0("field.street") }, label: label, value: row.text, alias: { $0("field.address") })
      case .address(let part, _): add(target, { $0("field." + part.rawValue) }, value: row.text)
      case .adder(let field):
        if !model.rows.contains(where: { $0.multiField == field && $0.serial != nil }) {
          add(.added(field)) { $0.name(of: field.field) }
        }
      case .moreNames:
        for field in model.hiddenNames { add(.hidden(.text(field))) { $0.name(of: .text(field)) } }
      }
    }
    (self.targets, self.items) = (targets, items)
  }
}

extension FormModel {
  /// Moves the focus to a field; adds the value or shows the field if it is not there yet.
  mutating func go(to target: FormFieldList.Target) {
    switch target {
    case .row(let identity): if let row = rows.firstIndex(where: { $0.identity == identity }) { setFocus(row) }
    case .added(let field): add(field)
    case .hidden(let field):
      showAllNames()
      go(to: .row(.single(field)))
    }
  }
}
