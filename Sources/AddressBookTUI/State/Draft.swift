import AddressBookModel
import Contacts
import Foundation
import Glibc
import SystemCalls

/// The unsaved input of a form, without the photo: the old and the new value of each changed field, so that restoring
/// the draft later changes only what the user changed.
struct Draft: Codable, Equatable {
  /// The fields of a form as strings and lists.
  struct Fields: Codable, Equatable {
    /// A value in a list.
    struct Value: Codable, Equatable {
      var label: String
      /// A single text, or the parts of an address in the order of the form.
      var parts: [String]
    }

    var kind: Int
    var texts: [String: String]
    var values: [String: [Value]]
  }

  /// The contact's id; 0 for a new contact.
  var id: Int64
  /// Its UID, because in another book at the same path the id may belong to a different contact.
  var uid: String
  var before: Fields
  var after: Fields

  /// The changes that a form makes to a contact.
  init(original: Contact, changed: Contact) {
    id = original.id
    uid = original.uid
    let (old, new) = (Fields(original), Fields(changed))
    // Unchanged fields are left out, so that a long note is not written again and again while a number is typed.
    before = old.differing(from: new)
    after = new.differing(from: old)
  }

  /// Returns the contact with the input applied.
  func applied(to contact: Contact) -> Contact { put(after, unlike: before, in: contact) }

  /// Returns the contact with the changed fields as they were when the form was opened, so that changes by others since
  /// then are noticed.
  func base(of contact: Contact) -> Contact { put(before, unlike: after, in: contact) }

  /// Returns the contact with the values of `fields` that differ from `others`.
  private func put(_ fields: Fields, unlike others: Fields, in contact: Contact) -> Contact {
    var contact = contact
    if fields.kind != others.kind, let kind = Contact.Kind(rawValue: fields.kind) { contact.kind = kind }
    for field in SingleField.allCases {
      let text = fields.texts[field.name, default: ""]
      guard text != others.texts[field.name, default: ""] else { continue }
      switch field {
      case .birthday: contact.birthday = PartialDate(text)
      case .groups: contact.groups = text.isEmpty ? [] : text.split(separator: "\n").map(String.init)
      case .text(let field): contact[field] = text
      }
    }
    for field in MultiField.allCases {
      let values = fields.values[field.name, default: []]
      guard values != others.values[field.name, default: []] else { continue }
      if let row = field.values {
        contact[keyPath: row.property] = values.map { LabeledValue(label: $0.label, value: $0.parts.first ?? "") }
      } else {
        contact.addresses = values.map { value in
          var address = PostalAddress(label: value.label)
          for (part, text) in zip(AddressPart.allCases, value.parts) { address[part] = text }
          return address
        }
      }
    }
    return contact
  }
}

extension Draft.Fields {
  /// Returns the fields with only the texts and lists that differ from the others.
  fileprivate func differing(from others: Self) -> Self {
    var fields = self
    fields.texts = texts.filter { others.texts[$0.key] != $0.value }
    fields.values = values.filter { others.values[$0.key] != $0.value }
    return fields
  }

  init(_ contact: Contact) {
    kind = contact.kind.rawValue
    texts = [:]
    for field in SingleField.allCases {
      switch field {
      case .birthday: texts[field.name] = contact.birthday?.iso ?? ""
      case .groups: texts[field.name] = contact.groups.joined(separator: "\n")
      case .text(let text): texts[field.name] = contact[text]
      }
    }
    values = [:]
    for field in MultiField.allCases {
      if let row = field.values {
        values[field.name] = contact[keyPath: row.property].map { Value(label: $0.label, parts: [$0.value]) }
      } else {
        values[field.name] = contact.addresses.map { address in
          Value(label: address.label, parts: AddressPart.allCases.map { address[$0] })
        }
      }
    }
  }
}

/// Storage for the draft of this program.
protocol DraftStore: Sendable {
  var path: String { get }
  /// Saves the draft of this program, replacing an older one.
  func write(_ draft: Draft) throws(FileFailure)
  func remove() throws(FileFailure)
}

/// The drafts of a book in the state folder: one file per process, and renamed files of earlier sessions.
struct DraftFolder: DraftStore {
  private struct Content: Codable {
    var book: String
    var draft: Draft
  }

  /// The maximum size in bytes: enough for the longest note, before and after the edit, as JSON.
  private static let largest = 128 << 20
  private static let keptName = "kept-"
  private let folder: String
  private let book: String
  /// The process id of the program, which is in the file's name.
  private let process: Int32

  init(folder: String, book: String, process: Int32 = getpid()) {
    self.folder = folder + "/drafts"
    self.book = book
    self.process = process
  }

  private var own: PrivateFile { PrivateFile("\(folder)/\(process).json") }

  var path: String { own.path }

  func write(_ draft: Draft) throws(FileFailure) {
    guard let data = try? JSONEncoder().encode(Content(book: book, draft: draft)) else { return }
    try own.write(Array(data), makesFolder: true, isDurable: true)
  }

  func remove() throws(FileFailure) { try own.remove() }

  /// Renames a draft with this process id, so that it is not overwritten. It was left by an earlier process, or by this
  /// one before it reopened the book.
  /// - Returns: the system's error message if that failed.
  func setAside() -> String? {
    for number in 1... {
      let kept = "\(folder)/\(Self.keptName)\(number).json"
      // Unlike a rename, this never replaces a file.
      if link(own.path, kept) == 0 {
        return unlink(own.path) == 0 ? nil : String(cString: strerror(errno))
      }
      if errno == ENOENT || errno == ENOTDIR { return nil }
      guard errno == EEXIST, number < 1000 else { break }
    }
    return String(cString: strerror(errno))
  }

  /// Returns the drafts of this book that no other running program is writing, the oldest first.
  /// - Parameter isRunning: whether the process with an id runs this program.
  func left(isRunning: (Int32) -> Bool = Self.isThisProgram) -> [(file: PrivateFile, draft: Draft)] {
    return Folder.names(in: folder).map { (name: $0, moment: moment(of: $0)) }.sorted {
      ($0.moment, $0.name) < ($1.moment, $1.name)
    }
    .compactMap { name, _ in
      guard name.hasSuffix(".json"), isLeft(name.dropLast(5), isRunning) else { return nil }
      let file = PrivateFile(folder + "/" + name)
      guard let bytes = try? file.read(atMost: Self.largest),
        let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), content.book == book
      else { return nil }
      return (file, content.draft)
    }
  }

  /// Returns true for the name, without its extension, of a draft that no other running program is writing.
  private func isLeft(_ name: Substring, _ isRunning: (Int32) -> Bool) -> Bool {
    if name.hasPrefix(Self.keptName) { return true }
    guard let number = Int32(name) else { return false }
    return number == process || !isRunning(number)
  }

  /// Returns the modification time of a file; 1970 if it is unknown.
  private func moment(of name: String) -> FileTime {
    stat(of: folder + "/" + name, followsLinks: false)?.modified ?? FileTime()
  }

  /// Returns true if the process runs the same program as this one.
  static func isThisProgram(_ process: Int32) -> Bool {
    let paths = [getpid(), process].map { RealPath.destination(ofLink: "/proc/\($0)/exe") }
    return paths[1] != nil && paths[0] == paths[1]
  }
}
