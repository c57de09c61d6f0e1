import AddressBookModel
import Foundation
import Glibc
import Messages
import SystemCalls

/// The last sync of a folder, or what the last sync of an account could not do, for people.
public struct SyncRecord: Hashable, Sendable, Codable {
  /// How it ended, from best to worst.
  public enum State: String, Sendable, Codable, CaseIterable {
    /// All was synced.
    case done
    /// Conflicts are open, or files were left alone.
    case open
    /// Nothing was done, because too many cards are missing on one side.
    case refused
    /// It failed.
    case failed
  }

  private let moment: String
  /// How it ended.
  public let state: State
  /// What was added, changed and deleted in the book.
  public let toBook: SyncReport.Counts
  /// The same in the folder.
  public let toFolder: SyncReport.Counts
  /// What happened, in the language of the time.
  public let lines: [String]

  /// When it ended, in local time: `2026-03-01 10:30`.
  public var localTime: String { Timestamp.local(moment) }

  /// The record of a sync that has just ended.
  public init(_ report: SyncReport, in localization: Localization) {
    self.init(
      report.refused != nil ? .refused : report.isIncomplete ? .open : .done, report.toBook, report.toFolder,
      report.lines(in: localization))
  }

  /// The record of a sync that has just ended with these problems.
  public init(_ problems: [SyncProblem], in localization: Localization) {
    self.init(
      problems.isEmpty
        ? .done : problems.allSatisfy(\.isPartial) || problems.contains(where: \.isUndecided) ? .open : .failed,
      .init(), .init(),
      problems.map { $0.message(in: localization) })
  }

  private init(_ state: State, _ toBook: SyncReport.Counts, _ toFolder: SyncReport.Counts, _ lines: [String]) {
    (moment, self.state, self.toBook, self.toFolder, self.lines) = (Timestamp.now(), state, toBook, toFolder, lines)
  }
}

/// The records of a book's syncs, in the state folder.
public struct SyncRecords: Sendable {
  private let folder: String
  private let book: String
  private static let limit = 1 << 20

  /// - Returns: nil for a book without a file, and without a state folder.
  public init?(
    book: AddressBook, environment: [String: String] = ProcessEnvironment.values(of: SyncWatcher.variables)
  ) {
    guard let file = book.location.path.flatMap(RealPath.of), let state = SyncWatcher.folder(environment) else {
      return nil
    }
    folder = state + "/synced"
    self.book = file
  }

  /// Returns the last record of a folder or an account, by the path of the folder.
  public func record(of path: String) -> SyncRecord? {
    guard let bytes = try? FileBytes.all(of: file(path), atMost: Self.limit) else { return nil }
    return try? JSONDecoder().decode(SyncRecord.self, from: Data(bytes))
  }

  /// Keeps the record of a folder or an account. It is only a note for people: if it cannot be kept, what was synced is
  /// stored all the same.
  public func keep(_ record: SyncRecord, of path: String) {
    do {
      try PrivateFolder.make(folder)
      try FileReplacement.write(try JSONEncoder().encode(record), to: file(path), isDurable: false)
    } catch {}
  }

  private func file(_ path: String) -> String {
    folder + "/" + SyncWatcher.digest(of: book + "\0" + RealPath.resolved(path)) + ".json"
  }
}
