import AddressBookModel
import ContactSearch
import GRDB
import Synchronization

/// The lines of all email addresses of a book, cached in a file: a query may match thousands of contacts, and
/// reading each of them from the book would take longer than finding them.
///
/// A query in half the time of abook needs it: without it, those with thousands of lines take 1.3 to 1.5 times as long.
final class MailLineCache: Sendable {
  private static let kind = "lines"
  /// The number of contacts whose lines a query may read from the book before a file is worth writing.
  private static let minimumUnknown = 500
  private let store: Store
  private let cache: BookCache
  private let pendingForm = Mutex<MailLineForm?>(nil)

  init(_ cache: BookCache, store: Store) {
    self.cache = cache
    self.store = store
  }

  private static func form(_ form: MailLineForm) -> UInt64 { BookCache.form("lines \(form.version)") }

  /// Returns the lines of these contacts in order, and their number.
  func lines(of ids: [Int64], form: MailLineForm) throws(StoreError) -> (text: [UInt8], count: Int) {
    try store.read { db in
      let file = try cache.read(Self.kind, form: Self.form(form), BookState(db), db, isMapped: true)
      if let file, let kept = StoredMailLines(file.parts) {
        return try lines(of: ids, form: form, db, kept, changed: file.changed)
      }
      return try lines(of: ids, form: form, db, nil, changed: [])
    }
  }

  private func lines(
    of ids: [Int64], form: MailLineForm, _ db: Database, _ kept: StoredMailLines?, changed: Set<Int64>
  ) throws -> (text: [UInt8], count: Int) {
    let unknown = kept == nil ? ids : ids.filter { changed.contains($0) }
    let read = try MailLines(db, of: unknown, form: form)
    if unknown.count > Self.minimumUnknown { pendingForm.withLock { $0 = form } }
    var text: [UInt8] = []
    text.reserveCapacity(ids.count * 64)
    read.ids.withUnsafeBufferPointer { readIDs in
      read.starts.withUnsafeBufferPointer { starts in
        read.bytes.withUnsafeBufferPointer { bytes in
          let fresh = StoredMailLines.View(ids: readIDs, starts: starts, bytes: bytes)
          let isFresh = kept == nil ? nil : Set(unknown)
          for id in ids {
            if let kept, isFresh?.contains(id) == false {
              kept.view.append(id, to: &text)
            } else {
              fresh.append(id, to: &text)
            }
          }
        }
      }
    }
    return (text, text.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) })
  }

  /// Writes the file if it would have made the last query much faster.
  func keep() {
    guard let form = pendingForm.withLock({ $0.take() }) else { return }
    do {
      let (state, lines) = try store.read { (try BookState($0), try MailLines($0, form: form)) }
      cache.write(Self.kind, CacheFile.Origin(form: Self.form(form), state: state)) { write in
        try lines.ids.withUnsafeBytes { ids in
          try lines.starts.withUnsafeBytes { starts in
            try lines.bytes.withUnsafeBytes { bytes in try write([ids, starts, bytes]) }
          }
        }
      }
    } catch {
      // The answer was already printed; if there is a problem with the book, the next query reports it.
    }
  }
}

/// Lines in a file.
private struct StoredMailLines {
  /// The lines by contact, with ids ascending.
  struct View {
    let ids: UnsafeBufferPointer<Int64>
    let starts: UnsafeBufferPointer<UInt64>
    let bytes: UnsafeBufferPointer<UInt8>

    func append(_ id: Int64, to text: inout [UInt8]) {
      let row = ids.firstIndex(notBelow: id)
      guard row < ids.count, ids[row] == id else { return }
      text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[Int(starts[row])..<Int(starts[row + 1])]))
    }
  }

  let view: View
  private let memory: [IndexMemory]

  /// Returns nil if the parts are not valid.
  init?(_ parts: [IndexMemory]) {
    guard parts.count == 3, parts[0].count.isMultiple(of: 8), parts[1].count == parts[0].count + 8 else { return nil }
    func part<Value>(_ number: Int, of type: Value.Type) -> UnsafeBufferPointer<Value> {
      UnsafeBufferPointer(parts[number].bytes.bindMemory(to: type))
    }
    view = View(ids: part(0, of: Int64.self), starts: part(1, of: UInt64.self), bytes: part(2, of: UInt8.self))
    memory = parts
    let starts = view.starts
    guard starts[0] == 0, starts[starts.count - 1] == parts[2].count,
      zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
  }
}
