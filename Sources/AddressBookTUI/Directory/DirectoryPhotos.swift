import AddressBookModel
import Contacts
import Dispatch
import LDAPDirectory
import TerminalKit

/// The photos of the selected entries, read one at a time on another thread.
@MainActor
final class DirectoryPhotos {
  private let source: any DirectorySource
  private var known: [String: Photo?] = [:]
  private var work: LatestWork<String, Photo?>?
  /// The maximum number of photos to keep.
  private static let limit = 32

  init(_ source: any DirectorySource, loop: any ProgramLoop) {
    self.source = source
    work = LatestWork(loop: loop, work: { Self.read($0, source) }, deliver: { [weak self] in self?.receive($1, $0) })
  }

  /// Returns the photo of an entry; nil if it has none, if it cannot be read, or until it has been read. Never blocks.
  func photo(of id: String) -> Photo? {
    if let photo = known[id] { return photo }
    work?.request(id)
    return nil
  }

  /// True when nothing is being read.
  var isIdle: Bool { work?.isIdle ?? true }

  private func receive(_ photo: Photo?, _ id: String) {
    if known.count >= Self.limit { known = [:] }
    known[id] = .some(photo)
  }

  /// Returns nil on an error: the entry is then shown without a photo.
  private nonisolated static func read(_ id: String, _ source: any DirectorySource) -> Photo? {
    do {
      return try source.contact(id, isCancelled: { false })?.picture.flatMap { Photo(showing: $0) }
    } catch {
      return nil
    }
  }
}
