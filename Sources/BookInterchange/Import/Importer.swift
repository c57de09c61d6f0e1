import AddressBookModel
import Contacts
import Foundation
import GRDB
import PictureFormat
import SystemCalls

/// An import of the cards of files into a book, all in one IMMEDIATE transaction: after a crash, a failure or a
/// cancellation the book is unchanged. Pipes and terminals are read to their end first (`ImportSpool`): a slow sender
/// does not keep the book locked.
///
/// A vCard with a known UID replaces the contact with that UID, but removes neither groups nor the photo. If the
/// contact was edited since its last import, both changes are merged by field, and in a conflict the book wins. A JSON
/// object with such a UID changes only the fields that it contains (`ContactPatch`); it removes no groups either, and
/// a photo of null keeps the present one. A card without a UID belongs to the contact that came from it, whatever was
/// edited since (`OriginalCards`), or else to one with the same content (`ContentKey`) or the same name and a number
/// or address (`MatchIndex`): it is merged by field too, but what it lacks is kept. A record of a format with fewer
/// fields (CSV, LDIF, abook) is merged in the same way, with or without a UID. So the same file may be imported again
/// without duplicates.
///
/// If the UID of a vCard belongs to a contact with another name, and the card cannot be about that contact
/// (`Contact.mayBeRenamed(to:)`), it becomes a second contact with a UID of its own, and a notice says so.
///
/// Two vCards of one import with the same UID are one person, and the second only replaces texts and adds values,
/// unless both have a name and the names differ, or both have a birthday and the days differ: then they are two people,
/// the second gets its own UID, and a notice says so (see `CardIdentity`). Memory does not grow with the file, except
/// for a few bytes per card and the cards of groups, which wait for their members.
public final class Importer {
  /// How the files are read.
  public var reading = ImportReading()
  /// What shows that a card without a UID is about a contact of the book, besides the same name and a number or address.
  /// If several contacts match, a notice says so and the card makes a new one.
  public var matching: Set<MatchKind> = []
  /// True to import and count everything, and then roll it back.
  public var isDryRun = false
  /// The limits for photos.
  public var pictureLimits = Photo.limits
  /// True to store photos unchanged, with the place, time and device that cameras add. False removes these.
  public var keepsPhotoMetadata = false
  /// Called often, from two threads; true cancels the import, and nothing is changed.
  public var isCancelled: @Sendable () -> Bool = { false }
  /// Called for cards that were skipped or partly imported, in the order of the files; for groups at the end.
  public var onNotice: (ImportNotice) -> Void = { _ in }
  /// Called for each card that changes a contact of the book, in the order of the files; nil to skip the comparison.
  public var onChange: ((ImportChange) -> Void)?
  /// Called with the progress after each batch of cards.
  public var onProgress: (ImportProgress) -> Void = { _ in }
  /// The session of the import, for the history.
  public var session: EditSession?
  /// The number of contacts that the last run wrote.
  public private(set) var recordedCount = 0
  /// The errors of the files in the last run that could not be opened or are not files of cards, in the order of the
  /// files.
  public var failures: [ImportError] { errors.compactMap(\.self) }
  /// The number of notices in the last run, including those beyond the limit.
  public private(set) var noticeCount = 0
  /// The maximum number of notices for one file; a last notice says if there were more.
  public var noticeLimit = 200
  /// The maximum number of cards without a UID that are listed because they were matched by what they share with a
  /// contact; a last notice says how many more there were.
  public var matchLimit = 50

  private let book: AddressBook
  /// The address space for an import of any size, in bytes: its threads, their batches, and the part of the search index
  /// that is in memory.
  private static let addresses = 64 << 20
  /// For each file of the last run, its error in ``failures``.
  private var errors: [ImportError?] = []

  /// An import into a book that is open for writing.
  public init(book: AddressBook) {
    self.book = book
  }

  /// Imports files in their order; `-` is standard input. If there are several, one that is missing or is not a file of
  /// cards does not stop the others; see ``failures``.
  /// - Throws: `ImportError` if no file can be read (the last of ``failures``), one cannot be read to its end or the
  ///   import was canceled, `StoreError` if the book cannot be written. The book is then unchanged.
  public func run(_ files: [String]) throws -> ImportReport {
    (recordedCount, noticeCount) = (0, 0)
    guard SystemLimits.hasAddresses(Self.addresses) else {
      throw StoreError(.outOfResources, path: book.location.path ?? "")
    }
    var report = ImportReport()
    errors = Array(repeating: nil, count: files.count)
    var inputs: [(index: Int, input: ImportInput?)] = []
    for (index, file) in files.enumerated() {
      do throws(ImportError) {
        inputs.append((index, try CardFile.spooled(file, reading, isCancelled: isCancelled)))
      } catch {
        try tolerate(error, ofFile: index)
      }
    }
    do {
      try book.store.transaction(isBulk: true, isTrial: isDryRun, raisesVersions: true) { db in
        let recorder = try StepRecorder(
          db, name: StepName(.importing, files.joined(separator: " ")), session: session ?? book.session)
        var session = try ImportSession(
          db, limits: pictureLimits, keepsPhotoMetadata: keepsPhotoMetadata, matching: matching,
          recorder: recorder, replacesTriggers: true)
        let notices = NoticeLimits(file: noticeLimit, matches: matchLimit)
        session.onNotice = { [self] notice in
          noticeCount += 1
          if let shown = notices.take(notice) { onNotice(shown) }
        }
        session.onChange = onChange
        do {
          for (index, input) in inputs {
            let before = session.cardsSeen
            do {
              try importFile(files[index], input, &session)
            } catch let error as ImportError where session.cardsSeen == before {
              try tolerate(error, ofFile: index)
            }
          }
          try session.finish()
          if let rest = notices.rest { onNotice(rest) }
        } catch {
          session.cancel()
          throw error
        }
        report = session.report
        recordedCount = session.recordedCount
        try recorder.finish()
        if isCancelled() { throw ImportError(.cancelled, file: files.last ?? "-") }
      }
    } catch let error as DatabaseError {
      throw book.store.storeError(error)
    }
    return report
  }

  /// Records the error of a file, and throws if the import was canceled or every file has failed.
  private func tolerate(_ error: ImportError, ofFile index: Int) throws(ImportError) {
    if error.reason == .cancelled { throw error }
    errors[index] = error
    if !errors.contains(nil) { throw errors.last.flatMap(\.self) ?? error }
  }

  /// - Parameter input: the file, if it is already open.
  private func importFile(_ file: String, _ input: ImportInput?, _ session: inout ImportSession) throws {
    // Handed over to the pipe's thread.
    nonisolated(unsafe) let input = input
    let pipe = try CardPipe(book: book.location.path ?? "", moment: session.moment) {
      [reading, isCancelled] () throws(ImportError) in
      if let input { return try CardFile.cards(of: input, reading) }
      return try CardFile.open(file, reading, isCancelled: isCancelled)
    }
    defer { pipe.stop() }
    while let batch = pipe.next(isCancelled: isCancelled) {
      try session.prepare(for: batch.events)
      for event in batch.events {
        if isCancelled() { throw ImportError(.cancelled, file: file) }
        switch event {
        case .card(let card): try session.importCard(card, file: file)
        case .finding(let line, let kind, let name): session.report(kind, file: file, line: line, name: name)
        case .unreadable(let line, let kind): session.refuse(kind, file: file, line: line)
        }
      }
      onProgress(ImportProgress(cards: session.cardsSeen, fraction: batch.fraction))
      if let end = batch.end { return try end.get() }
    }
    throw ImportError(.cancelled, file: file)
  }
}

/// The limits on the number of notices.
private final class NoticeLimits {
  private let limits: (file: Int, matches: Int)
  private var file = ""
  private var count = 0
  private var matches = 0
  private var lastMatch: ImportNotice?

  init(file: Int, matches: Int) { limits = (file, matches) }

  /// Returns the notice to show instead of this one; nil for none.
  func take(_ notice: ImportNotice) -> ImportNotice? {
    if case .matched = notice.kind {
      matches += 1
      lastMatch = notice
      return matches <= limits.matches ? notice : nil
    }
    if notice.file != file { (file, count) = (notice.file, 0) }
    count += 1
    if count <= limits.file { return notice }
    return count > limits.file + 1 ? nil : ImportNotice(file: file, line: notice.line, kind: .manyNotices)
  }

  /// A notice about the matches beyond the limit; nil if there are none.
  var rest: ImportNotice? {
    guard let lastMatch, matches > limits.matches else { return nil }
    return ImportNotice(
      file: lastMatch.file, line: lastMatch.line, kind: .furtherMatches(matches - limits.matches))
  }
}
