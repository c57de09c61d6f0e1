import AddressBookModel
import Messages

/// Something that an examination found: what it is, how serious, and whether a repair helps.
public struct Finding: Hashable, Sendable {
  /// How serious a finding is.
  public enum Severity: String, Hashable, Sendable, Comparable {
    /// Worth knowing; nothing needs to be done.
    case note
    /// Something should be done; nothing is lost.
    case warning
    /// The book differs from what was written.
    case damage

    /// Orders notes before warnings, and warnings before damage.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .damage: 2
      }
    }
  }

  /// What was found. The raw value is part of the output as JSON.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The file cannot be opened for a reason other than damage.
    case unopenable
    /// There is no book.
    case missing
    /// The file has no header of a book, but contacts can be read from its pages or its log.
    case header
    /// The file is empty or missing, but contacts can be read from its log.
    case emptied
    /// Pages are missing at the end of the file.
    case cut
    /// SQLite reports errors in the file.
    case structure
    /// Tables are missing or altered.
    case tables
    /// Indexes or triggers are missing or altered.
    case schema
    /// Another program added tables, indexes, triggers or views.
    case additions
    /// The book has the schema of an earlier version of the program.
    case olderSchema
    /// Rows that refer to a missing contact, group or other row.
    case references
    /// Contacts that differ from their checksums.
    case contacts
    /// Photos that differ from their digests.
    case photos
    /// Groups whose names differ between the table and its index.
    case groups
    /// Contacts whose derived values, such as display name and section, are not what this program derives.
    case derived
    /// Contacts without a checksum.
    case unchecked
    /// The counts of the sections are wrong.
    case sectionCounts
    /// The next ids to be assigned in tables are too low.
    case numbers
    /// The change log lacks its newest lines.
    case changeLog
    /// Steps of the history that cannot be read, or differ from what was written.
    case history
    /// A cache file is not valid.
    case cache
    /// A write-ahead log that no program uses.
    case log
    /// Previous books, or their logs, beside the book.
    case leftovers
    /// Other users can access the files.
    case permissions
    /// The file belongs to another user.
    case owner
    /// There is little space left on the disk.
    case space
    /// There is no backup.
    case noBackup
  }

  /// What was found.
  public let kind: Kind
  /// How serious it is.
  public let severity: Severity
  /// Depends on the kind: the number of contacts, files or other things found, the size of the log in bytes, free space
  /// in MiB, the id of a user, the version of a schema, or 0.
  public let count: Int
  /// The affected contacts, if any.
  public let contacts: [NamedContact]
  /// Names of tables, indexes, files or groups, or SQLite's messages; not translated.
  public let details: [String]
  /// Why the file cannot be opened.
  public let error: StoreError?
  /// True if a repair removes the finding.
  public let isRepairable: Bool

  init(
    _ kind: Kind, _ severity: Severity, count: Int = 0, contacts: [NamedContact] = [], details: [String] = [],
    error: StoreError? = nil, isRepairable: Bool = false
  ) {
    self.kind = kind
    self.severity = severity
    self.count = count
    self.contacts = contacts
    self.details = details
    self.error = error
    self.isRepairable = isRepairable
  }
}

/// The id and the name of a contact, for reports.
public struct NamedContact: Hashable, Sendable, Identifiable {
  /// Its id.
  public let id: Int64
  /// Its name as shown in lists; its UID, or nothing, if the name is unknown.
  public let name: String

  init(id: Int64, name: String) {
    self.id = id
    self.name = name
  }
}

/// What an examination found.
public struct Examination: Hashable, Sendable {
  /// The book.
  public let path: String
  /// What was found, the most serious first.
  public let findings: [Finding]
  /// The number of contacts that were examined or can be salvaged, including deleted ones; nil if they were not
  /// counted.
  public let contacts: Int?
  /// True if SQLite cannot read the book reliably: a repair makes a new one from what can be read.
  public let needsSalvage: Bool

  init(path: String, findings: [Finding], contacts: Int?, needsSalvage: Bool) {
    self.path = path
    // Stable: among equally serious findings, the first is usually the cause of the others.
    self.findings = findings.enumerated().sorted {
      ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
    }.map(\.element)
    self.contacts = contacts
    self.needsSalvage = needsSalvage
  }

  /// True if there is nothing to do.
  public var isHealthy: Bool { findings.allSatisfy { $0.severity == .note } }

  /// True if the file is not a book, so a repair leaves it alone.
  var isForeign: Bool {
    findings.contains { $0.kind == .unopenable && [.notADatabase, .foreign, .notAFile].contains($0.error?.reason) }
  }

  /// True if a repair keeps the original file, or a copy of it: it makes a new book, or repairs damage.
  public var keepsOriginal: Bool {
    needsSalvage || findings.contains { $0.isRepairable && $0.severity == .damage }
  }

  /// True if a repair would change something.
  public var isRepairable: Bool { findings.contains { $0.isRepairable } }
}

extension Finding {
  /// The maximum number of names in a message.
  private static let shown = 12

  /// Returns a message that says what was found.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    if kind == .unopenable, let error {
      // The error's own message proposes the examination that found this.
      if error.reason == .notADatabase { return localization.text("Finding/notADatabase", error.path) }
      return error.message(in: localization)
    }
    return localization.plural("Finding/\(kind.rawValue)", count: count, Self.list(details, localization))
  }

  /// Returns what to do; empty if there is nothing to do, or if the message already says it.
  public func advice(in localization: Localization) -> String {
    if kind == .unopenable { return "" }
    let key = "Advice/" + kind.rawValue + (isRepairable ? ".repair" : "")
    return localization.has(key) ? localization.text(key, Self.list(details, localization)) : ""
  }

  /// Returns the ids and names of up to 12 contacts, and the number of the others.
  public func contactList(in localization: Localization) -> String {
    Self.list(contacts.map(\.description), localization)
  }

  private static func list(_ names: [String], _ localization: Localization) -> String {
    let text = localization.list(Array(names.prefix(shown)))
    return names.count > shown ? localization.text("Doctor/more", text, names.count - shown) : text
  }
}

extension NamedContact: CustomStringConvertible {
  /// The id, and the name if it is known.
  public var description: String { name.isEmpty ? String(id) : "\(id) \(name)" }
}

extension RepairReport.Action {
  /// Returns a message that says what was done.
  /// - Parameters:
  ///   - localization: the language of the message.
  ///   - shown: the maximum number of contacts to name; nil names all after a loss, otherwise up to 20.
  public func message(in localization: Localization, naming shown: Int? = nil) -> String {
    let shown = shown ?? (isLoss ? contacts.count : 20)
    let names = localization.list(contacts.prefix(shown).map(\.description))
    let list = contacts.count > shown ? localization.text("Doctor/more", names, contacts.count - shown) : names
    return localization.plural("Repaired/\(kind.rawValue)", count: count, contacts.isEmpty ? path : list)
  }
}

extension Localization {
  /// Returns the name of a stage.
  public func name(of stage: DoctorProgress.Stage) -> String { text("DoctorStage/" + stage.rawValue) }
}
