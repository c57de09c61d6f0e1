import Foundation
import GRDB
import PictureFormat

/// Imports the cards of files into a book, all of them in one IMMEDIATE transaction: after a crash, a failure or a
/// cancellation the book is as it was. Pipes and terminals are read to their end first (``ImportSpool``): nobody waits for
/// the book because somebody else has not sent everything yet.
///
/// A vCard with a UID that the book knows replaces that contact, but for its groups and its photo, to which it only adds. A
/// JSON object with such a UID changes the keys that are there and no others (``ContactPatch``); it, too, only adds groups,
/// and a photo of null leaves the one in the book. A
/// card without one is matched by its content and only adds (see ``CardIdentity``, ``ContentKey``). So the same file may be
/// imported again: nothing is doubled.
///
/// Two cards of one import with the same UID are one person, and the second only adds, unless both have a name and the
/// names differ, or both have a birthday and the days differ: then they are two people, the second gets a UID of its own,
/// and a notice says so (see ``CardIdentity``). Memory does not grow with the file, but for a few bytes a card.
public final class Importer {
  /// What the files are; nil to tell by their content.
  public var format: ImportFormat?
  /// True to do everything, count it, and take it back.
  public var isDryRun = false
  /// What photos may measure.
  public var pictureLimits = Photo.limits
  /// True to store photos as they are, with what cameras write into them: place, time, device. False leaves that out.
  public var keepsPhotoMetadata = false
  /// Asked for every card, from two threads; true ends the import and changes nothing.
  public var isCancelled: @Sendable () -> Bool = { false }
  /// Told of cards that were skipped or taken in part, in the order of the files.
  public var onNotice: (ImportNotice) -> Void = { _ in }
  /// Told how far the import is, many times a second.
  public var onProgress: (ImportProgress) -> Void = { _ in }
  /// True to keep a ``journal`` of what is written, for undo.
  public var keepsJournal = false
  /// What the last run wrote, when ``keepsJournal`` is set.
  public private(set) var journal: BulkJournal
  /// How many notices the last run had, those beyond the limit among them.
  public private(set) var noticeCount = 0
  /// Most notices about one file; a message says when there were more.
  public var noticeLimit = 200

  private let book: AddressBook

  /// An import into a book that is open to write.
  public init(book: AddressBook) {
    self.book = book
    journal = book.makeJournal()
  }

  /// Imports files in their order; `-` is standard input.
  /// - Throws: `ImportError` when a file cannot be read as a whole or the import was cancelled, `StoreError` when the book
  ///   cannot be written. The book is then unchanged.
  public func run(_ files: [String]) throws -> ImportReport {
    var report = ImportReport()
    let journal = book.makeJournal()
    let slow = try files.map { try CardFile.spooled($0, format: format, isCancelled: isCancelled) }
    do {
      try book.store.transaction(isBulk: true, raisesVersions: true) { db in
        var session = try ImportSession(
          db, limits: pictureLimits, keepsPhotoMetadata: keepsPhotoMetadata, journal: journal,
          damage: book.store.damage)
        session.onNotice = notices()
        session.keepsJournal = keepsJournal
        for (file, input) in zip(files, slow) { try importFile(file, input, &session) }
        try session.finish()
        report = session.report
        if isCancelled() { throw ImportError(.cancelled, file: files.last ?? "-") }
        if isDryRun { throw TrialEnded() }
      }
    } catch is TrialEnded {
      return report
    } catch let error as DatabaseError {
      throw book.store.storeError(error)
    }
    self.journal = journal
    return report
  }

  /// - Parameter input: the file, if it is open already.
  private func importFile(_ file: String, _ input: ImportInput?, _ session: inout ImportSession) throws {
    // Handed over to the pipe's thread.
    nonisolated(unsafe) let input = input
    let pipe = try CardPipe { [format, isCancelled] () throws(ImportError) in
      if let input { return try CardFile.cards(of: input, format: format) }
      return try CardFile.open(file, format: format, isCancelled: isCancelled)
    }
    defer { pipe.stop() }
    while let batch = pipe.next(isCancelled: isCancelled) {
      for event in batch.events {
        if isCancelled() { throw ImportError(.cancelled, file: file) }
        switch event {
        case .card(let card): try session.take(card, file: file)
        case .finding(let line, let kind): session.report(kind, file: file, line: line)
        case .unreadable(let line, let kind): session.refuse(kind, file: file, line: line)
        }
      }
      onProgress(ImportProgress(cards: session.cardsSeen, fraction: batch.fraction))
      if let end = batch.end { return try end.get() }
    }
    throw ImportError(.cancelled, file: file)
  }

  /// Passes notices on, up to the limit for each file.
  private func notices() -> (ImportNotice) -> Void {
    var file = ""
    var count = 0
    noticeCount = 0
    return { [self, onNotice, noticeLimit] notice in
      noticeCount += 1
      if notice.file != file {
        file = notice.file
        count = 0
      }
      count += 1
      if count <= noticeLimit {
        onNotice(notice)
      } else if count == noticeLimit + 1 {
        onNotice(ImportNotice(file: notice.file, line: notice.line, kind: .manyNotices))
      }
    }
  }
}

/// Takes back what a dry run did.
private struct TrialEnded: Error {}
