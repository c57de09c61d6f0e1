import AddressBookModel
import ContactInterchange
import Contacts
import GRDB

/// The values that a contact had, and that were replaced or removed, as far as its history goes.
///
/// A contact may be in the files of several programs, which have no UIDs and do not know of each other's changes, nor of
/// those in the book. The card that the contact keeps tells only what the last file said.
struct ReplacedValues {
  private let known: Contact
  private let file: String
  private let db: Database
  private var changes: [ContactChange]?

  /// - Parameter file: the file of the card, which may bring back what a file of its name replaced; `-` for standard
  ///   input, which may bring back anything.
  init(of known: Contact, file: String, _ db: Database) {
    (self.known, self.file, self.db) = (known, file, db)
  }

  /// Removes replaced values from a card.
  /// - Parameter base: what the card is compared with; its values are not removed.
  /// - Returns: the fields that had such values.
  mutating func remove(from card: inout Contact, _ base: Contact) throws -> [ContactField] {
    let all = card
    var fields: [ContactField] = []
    func remove(_ field: ContactField, if isIn: (Contact) -> Bool, _ removal: (inout Contact) -> Void) throws {
      guard !isIn(base), !isIn(known), try wasReplaced(isIn) else { return }
      removal(&card)
      if !fields.contains(field) { fields.append(field) }
    }
    func remove<Value: Equatable>(_ field: ContactField, _ list: WritableKeyPath<Contact, [Value]>) throws {
      for value in all[keyPath: list] {
        try remove(field, if: { $0[keyPath: list].contains(value) }) { $0[keyPath: list].removeAll { $0 == value } }
      }
    }
    for field in ContactFields.standard.all {
      switch field {
      case .text(let text) where !all[text].isEmpty:
        try remove(field, if: { $0[text] == all[text] }) { $0[text] = "" }
      case .values(let values): try remove(field, values.property)
      case .special(.addresses): try remove(field, \.addresses)
      case .special(.groups): try remove(field, \.groups)
      case .special(.birthday) where all.birthday != nil:
        try remove(field, if: { $0.birthday == all.birthday }) { $0.birthday = nil }
      case .special(.photo) where all.photo != nil:
        try remove(field, if: { $0.photo?.sha256 == all.photo?.sha256 }) { $0.photo = nil }
      case .text, .special: break
      }
    }
    if !fields.isEmpty { card.cardLines = ContactCardWriter().keptLines(for: card) }
    return fields
  }

  /// Returns whether a value was in the contact, until something else than this import replaced it.
  private mutating func wasReplaced(_ isIn: (Contact) -> Bool) throws -> Bool {
    if file == "-" { return false }
    let changes = try self.changes ?? history()
    self.changes = changes
    let replacing = changes.first { change in
      !change.step.isReversed && change.step.kind != .undo && isIn(change.before) && !isIn(change.after)
    }
    return replacing.map { !isOfThisFile($0.step.name) } ?? false
  }

  /// A damaged history does not stop an import: the contact is whole.
  private func history() throws -> [ContactChange] {
    do {
      return try AddressBook.changes(db, ofContact: known.id)
    } catch let error as StoreError where error.reason == .damaged {
      return []
    }
  }

  /// Returns whether a step imported a file of this name, in whatever folder, or another download of it (`mail (1).csv`).
  private func isOfThisFile(_ step: StepName) -> Bool {
    func parts(_ text: String) -> String {
      "/" + text.replacing(#/ ?\(\d+\)/#, with: "").replacing(" ", with: "/") + "/"
    }
    // The subject has the names of all files, with blanks between them.
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return step.action == .importing && parts(step.subject).contains(parts(name))
  }
}
