import AddressBookModel
import Contacts
import TerminalKit

/// The conflicts of one contact, and the user's decision about each.
struct ConflictModel {
  /// A version to choose from.
  enum Side: CaseIterable {
    case base, mine, theirs

    /// The name of the side in string keys.
    var name: String {
      switch self {
      case .base: "base"
      case .mine: "mine"
      case .theirs: "theirs"
      }
    }
  }

  /// The user's decision.
  enum Decision: Hashable {
    case side(Side)
    /// Another value, entered by the user; in a list, a value with another label.
    case own(MergeConflict.Value)
  }

  /// A conflict, with the user's decision.
  struct Row {
    let conflict: MergeConflict
    fileprivate(set) var decision: Decision?

    func value(of side: Side) -> MergeConflict.Value {
      switch side {
      case .base: conflict.base
      case .mine: conflict.mine
      case .theirs: conflict.theirs
      }
    }

    /// The chosen value; nil while the conflict is open.
    var decided: MergeConflict.Value? {
      switch decision {
      case .side(let side): value(of: side)
      case .own(let value): value
      case nil: nil
      }
    }

    /// The value that the user entered; nil if the user did not enter one.
    var own: MergeConflict.Value? {
      if case .own(let value) = decision { value } else { nil }
    }
  }

  private(set) var rows: [Row]
  /// The index of the row that keys apply to.
  private(set) var focus = 0

  /// - Parameter decided: earlier decisions about the same conflicts.
  init(_ conflicts: [MergeConflict], decided: [MergeConflict: Decision] = [:]) {
    rows = conflicts.map { conflict in
      let kept: Decision? =
        switch conflict.kept {
        case .each: nil
        case .mine: .side(.mine)
        case .theirs: .side(.theirs)
        }
      return Row(conflict: conflict, decision: decided[conflict] ?? kept)
    }
    focus = firstOpen ?? 0
  }

  var focused: Row { rows[focus] }

  var openCount: Int { rows.count { $0.decision == nil } }

  private var firstOpen: Int? { rows.firstIndex { $0.decision == nil } }

  var decisions: [MergeConflict: Decision] {
    Dictionary(rows.compactMap { row in row.decision.map { (row.conflict, $0) } }, uniquingKeysWith: { $1 })
  }

  /// Moves the focus by `offset` rows, at most to the first or the last.
  mutating func moveFocus(by offset: Int) { setFocus(focus + offset) }

  mutating func setFocus(_ row: Int) { focus = min(max(0, row), rows.count - 1) }

  /// Moves the focus to the first row that is still open, if there is one.
  mutating func focusOpen() { focus = firstOpen ?? focus }

  mutating func decide(_ decision: Decision) { rows[focus].decision = decision }
}

/// The values of conflicts as text.
struct ConflictText {
  let strings: Strings
  /// The maximum number of characters shown of a value.
  private static let limit = 4096

  /// Returns the name of the field in conflict, in the singular for a list; “contact” for a whole contact.
  func name(of conflict: MergeConflict) -> String {
    guard case .field(let field) = conflict.subject else { return strings("conflict.contact") }
    return strings.name(of: field)
  }

  func lines(of value: MergeConflict.Value, in conflict: MergeConflict) -> [String] {
    switch value {
    case .none: isList(conflict) ? [strings("conflict.removed")] : [strings("conflict.empty")]
    case .text(let text) where text.isEmpty: [strings("conflict.empty")]
    case .text(let text) where isKind(conflict): [strings("form.kind." + text)]
    case .text(let text): Self.lines(of: text)
    case .day(let day): [DateText(strings: strings).text(of: day)]
    case .labeled(let item): [label(item.label), PhoneText.grouped(item.value)]
    case .address(let address): [label(address.label)] + AddressText.lines(of: address)
    case .photo(let photo): [size(of: photo)]
    case .present, .changed, .deleted: []
    }
  }

  /// Returns the lines of the three versions. In free text, an ellipsis replaces all common lines at the beginning
  /// except the last.
  func sides(of row: ConflictModel.Row) -> [[String]] {
    var sides = ConflictModel.Side.allCases.map { lines(of: row.value(of: $0), in: row.conflict) }
    guard case .field(.text(let field)) = row.conflict.subject, field.role == .prose else { return sides }
    let shortest = sides.map(\.count).min() ?? 0
    let shared = (0..<shortest).prefix { line in sides.allSatisfy { $0[line] == sides[0][line] } }.count
    if shared > 1 { sides = sides.map { ["…"] + $0.dropFirst(shared - 1) } }
    return sides
  }

  private func isList(_ conflict: MergeConflict) -> Bool {
    switch conflict.subject {
    case .field(.values), .field(.special(.addresses)): true
    default: false
    }
  }

  private func isKind(_ conflict: MergeConflict) -> Bool { conflict.subject == .field(.special(.kind)) }

  private func label(_ label: String) -> String {
    label.isEmpty ? strings("form.label.none") : strings.localization.label(label)
  }

  /// Returns the format of a photo and its size in KiB, rounded up.
  func size(of photo: PhotoSummary) -> String {
    let format = photo.mediaType.split(separator: "/").last.map { $0.uppercased() } ?? ""
    let size = strings.number((photo.bytes + 1023) / 1024)
    return format.isEmpty ? strings("form.photo.bytes", size) : strings("form.photo.size", size, format)
  }

  /// Returns the lines of a text, up to the limit.
  static func lines(of text: String) -> [String] {
    text.prefix(limit).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
