import AddressBookModel
import Messages
import TerminalKit

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
    let labels = LabelText(strings: strings)
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
      let label = row.label.isEmpty ? "" : labels.text(of: row.label, else: "")
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
