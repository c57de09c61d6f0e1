import AddressBookModel
import SystemCalls

/// The pages of a book's file, with the committed pages of its write-ahead log applied, however damaged the rest is.
///
/// SQLite is not used here, because it refuses a damaged file as a whole. The formats are described at
/// https://www.sqlite.org/fileformat2.html, that of the log in sections 4.1 and 4.2.
final class PageFile {
  /// The size of a page in bytes.
  let pageSize: Int
  /// The number of pages. The first is page 1.
  let count: Int

  private let file: ReadableFile?
  private let log: ReadableFile?
  private let fileSize: Int
  /// The offset in the log of the newest committed content of each page.
  private let logged: [Int: Int]

  /// The size of the pages that this program makes: SQLite's default.
  private static let usualSize = 4096

  /// - Parameters:
  ///   - file: the file; nil when there is none.
  ///   - log: the path of the write-ahead log.
  /// - Returns: nil when there are no pages at all.
  init?(_ file: ReadableFile?, log: String) {
    self.file = file
    fileSize = Int(file?.status?.st_size ?? 0)
    self.log = ReadableFile(log)
    let frames = LogFrames(self.log)
    logged = frames.offsets
    var size = Self.usualSize
    if let inLog = frames.pageSize {
      size = inLog
    } else {
      let header = Self.read(file, 0, 18)
      let stored = Int(header[16]) << 8 | Int(header[17])
      let named = stored == 1 ? 65_536 : stored
      // The size in a damaged header may be wrong. With the right size, more pages begin like pages of trees.
      if named != size, named >= 512, named.nonzeroBitCount == 1,
        Self.treePages(file, fileSize, named) > Self.treePages(file, fileSize, size)
      {
        size = named
      }
    }
    pageSize = size
    count = max((fileSize + size - 1) / size, logged.keys.max() ?? 0)
    if count == 0 { return nil }
  }

  /// The least number of bytes of a page that is used: those of the headers of the file and of a tree's page.
  private static let shortest = 112

  /// Returns the bytes of a page, fewer if the end of the page is not in the file or cannot be read; nil if there is no
  /// such page.
  func page(_ number: Int) -> [UInt8]? {
    guard number > 0, number <= count else { return nil }
    let (file, offset) = logged[number].map { (log, $0) } ?? (file, (number - 1) * pageSize)
    guard let bytes = file?.bytes(upTo: pageSize, at: offset), bytes.count >= Self.shortest else { return nil }
    return bytes
  }

  /// Bytes that the disk cannot read are zero, like missing ones.
  private static func read(_ file: ReadableFile?, _ offset: Int, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    _ = bytes.withUnsafeMutableBytes { file?.fill($0, at: offset) }
    return bytes
  }

  /// Returns the number of pages from 2 to 64 that begin like pages of trees if this is the page size.
  private static func treePages(_ file: ReadableFile?, _ fileSize: Int, _ size: Int) -> Int {
    (1..<64).count { $0 * size < fileSize && [0x02, 0x05, 0x0a, 0x0d].contains(read(file, $0 * size, 1)[0]) }
  }
}

/// The committed frames of a write-ahead log, up to the first invalid one.
private struct LogFrames {
  private(set) var pageSize: Int?
  private(set) var offsets: [Int: Int] = [:]

  init(_ log: ReadableFile?) {
    guard let log, let header = log.bytes(32, at: 0), let magic = Self.number(header, 0),
      magic & ~1 == 0x377f_0682, let size = Self.number(header, 8).map({ Int($0) }), size >= 512, size <= 65_536,
      size.nonzeroBitCount == 1
    else { return }
    let isBig = magic & 1 == 1
    var sum = Self.sum(header[0..<24], (0, 0), isBig)
    guard Self.number(header, 24) == sum.0, Self.number(header, 28) == sum.1 else { return }
    var offset = 32
    var pending: [Int: Int] = [:]
    while let frame = log.bytes(24 + size, at: offset) {
      guard frame[8..<16] == header[16..<24] else { return }
      sum = Self.sum(frame[0..<8], sum, isBig)
      sum = Self.sum(frame[24...], sum, isBig)
      guard Self.number(frame, 16) == sum.0, Self.number(frame, 20) == sum.1, let page = Self.number(frame, 0) else {
        return
      }
      pending[Int(page)] = offset + 24
      if let commit = Self.number(frame, 4), commit > 0 {
        offsets.merge(pending) { _, new in new }
        offsets = offsets.filter { $0.key <= Int(commit) }
        pending = [:]
        pageSize = size
      }
      offset += 24 + size
    }
  }

  private static func sum(_ bytes: ArraySlice<UInt8>, _ start: (UInt32, UInt32), _ isBig: Bool) -> (UInt32, UInt32) {
    var (first, second) = start
    bytes.withUnsafeBytes { buffer in
      for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
        let left = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let right = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first = first &+ (isBig ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ second
        second = second &+ (isBig ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ first
      }
    }
    return (first, second)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension PageReader {
  init(_ pages: PageFile) {
    self.init(pageSize: pages.pageSize, fileSize: pages.count * pages.pageSize) { pages.page($0) }
  }
}
