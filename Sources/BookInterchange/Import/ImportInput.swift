import AddressBookModel
import ContactInterchange
import Glibc
import SystemCalls
import VCard

/// A file, a pipe or standard input that an import reads in chunks. Opening a path takes half a second at most:
/// folders, sockets, pipes that have no writer by then, and devices other than terminals and /dev/null are refused.
/// Standard input is already open, and may also be a socket or a pipe without a writer.
final class ImportInput {
  /// Its name in messages: the path as given, or `-`.
  let name: String
  /// Size in bytes; nil if unknown.
  private(set) var size: Int?
  /// The number of bytes read so far; once the input is in a spool, of those read from the spool.
  private(set) var bytesRead = 0

  /// The fraction of the input that was read, 0 to 1; nil if its size is unknown or 0.
  var fraction: Double? { size.flatMap { $0 > 0 ? min(1, Double(bytesRead) / Double($0)) : nil } }

  private let descriptor: Int32
  private let isOwned: Bool
  private let isCancelled: () -> Bool
  private var first: [UInt8]?
  /// The stored data of an input that may be slow.
  private var spool: ImportSpool?
  private static let chunk = 1 << 18
  /// Longer than all signatures that ``InputKind`` knows.
  private static let sniffLength = 16

  /// Opens a path, or standard input for `-`.
  /// - Parameters:
  ///   - path: the path as given by the user.
  ///   - isCancelled: called before each read, and every half second while waiting for data.
  init(path: String, isCancelled: @escaping () -> Bool) throws(ImportError) {
    name = path
    self.isCancelled = isCancelled
    if path == "-" {
      descriptor = STDIN_FILENO
      isOwned = false
    } else {
      if AddressBook.isOpen(path: path) { throw ImportError(.isBook, file: path) }
      // Without O_NONBLOCK, opening a pipe would wait for its writer.
      descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      isOwned = true
    }
    guard descriptor >= 0 else { throw Self.openingError(path) }
    guard let status = ReadableFile(descriptor: descriptor).status else {
      throw ImportError(.unreadable, file: path, detail: Self.systemMessage)
    }
    size = status.isFile ? Int(status.st_size) : nil
    // If this throws, deinit closes the file.
    try configure(status, path)
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// Returns true if the path leads to a pipe, a terminal or anything else but a regular file: its sender may be slow.
  static func mayBeSlow(_ path: String) -> Bool {
    let status = path == "-" ? ReadableFile(descriptor: STDIN_FILENO).status : stat(of: path)
    return status.map { !$0.isFile } ?? false
  }

  /// Reads the whole input into a spool, so that later reads do not wait for the sender.
  func readToEnd() throws(ImportError) {
    var spool = ImportSpool(name: name)
    while let bytes = try next() { try spool.append(bytes) }
    bytesRead = 0
    size = spool.size
    self.spool = spool
  }

  func next() throws(ImportError) -> [UInt8]? {
    if let bytes = first {
      first = nil
      return bytes
    }
    return try nextChunk()
  }

  /// Returns the first bytes without consuming them, enough to detect the type unless the input is shorter; empty for
  /// an empty input.
  func peek() throws(ImportError) -> [UInt8] {
    // A pipe may deliver its first byte alone.
    while (first?.count ?? 0) < Self.sniffLength || !InputKind.isCertain(first ?? []), let more = try nextChunk() {
      first = (first ?? []) + more
    }
    return first ?? []
  }

  private func configure(_ status: stat, _ path: String) throws(ImportError) {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw ImportError(.isFolder, file: path)
    case S_IFBLK: throw ImportError(.isDevice, file: path)
    case S_IFSOCK where isOwned: throw ImportError(.isDevice, file: path)
    case S_IFCHR where isatty(descriptor) == 0:
      // /dev/null is an empty input; /dev/zero and the like never end.
      if status.st_rdev != Self.nullDevice { throw ImportError(.isDevice, file: path) }
    case S_IFIFO where isOwned: try awaitWriter(path)
    default: break
    }
    if isOwned {
      let flags = fcntl(descriptor, F_GETFL)
      if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) }
    }
  }

  /// Waits briefly for a writer: reading an empty pipe gives EAGAIN if it has one, and the end of the file if it has
  /// none.
  private func awaitWriter(_ path: String) throws(ImportError) {
    for _ in 0..<25 {
      var byte: [UInt8] = [0]
      let got = read(descriptor, &byte, 1)
      if got > 0 {
        first = byte
        bytesRead += 1
        return
      }
      if got < 0 { return }
      poll(nil, 0, 20)
    }
    throw ImportError(.noWriter, file: path)
  }

  private func nextChunk() throws(ImportError) -> [UInt8]? {
    if spool != nil {
      let bytes = try spool?.next()
      bytesRead += bytes?.count ?? 0
      return bytes
    }
    while true {
      if isCancelled() { throw ImportError(.cancelled, file: name) }
      // A signal that arrives just before a read does not interrupt the read, so never start one that has to wait.
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&ready, 1, 500) <= 0 { continue }
      var got = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
        got = read(descriptor, buffer.baseAddress, buffer.count)
        count = max(got, 0)
      }
      if got > 0 {
        bytesRead += got
        return bytes
      }
      if got == 0 { return nil }
      switch errno {
      case EINTR, EAGAIN: continue
      default: throw ImportError(.unreadable, file: name, detail: Self.systemMessage)
      }
    }
  }

  private static let nullDevice = makedev(1, 3)

  private static func makedev(_ major: UInt64, _ minor: UInt64) -> UInt64 { major << 8 | minor }

  private static func openingError(_ path: String) -> ImportError {
    switch errno {
    case ENOENT, ENOTDIR: return ImportError(.missing, file: path)
    case EACCES, EPERM: return ImportError(.notPermitted, file: path)
    case ENXIO, ENODEV: return ImportError(.isDevice, file: path)
    default: return ImportError(.unreadable, file: path, detail: systemMessage)
    }
  }

  private static var systemMessage: String { String(cString: strerror(errno)) }
}

/// The type of an input by its first bytes: a wrong file is reported at once.
enum InputKind: Hashable {
  /// Text in a format that can be imported; text in no known format is treated as vCard.
  case text(ImportFormat)
  case empty
  /// Compressed, with the program that unpacks it.
  case compressed(unpackedBy: String)
  /// Another type of file, by name, such as `PNG` or `HTML`.
  case foreign(String)

  /// - Parameters:
  ///   - name: the name of the file. One in `.csv` or `.tsv` is CSV if its beginning shows no other format.
  ///   - map: the columns of CSV that the user mapped; a file that has them is recognized as CSV.
  init(_ bytes: [UInt8], name: String = "", map: [CSVMapping] = []) {
    if bytes.isEmpty {
      self = .empty
    } else if let signature = FileSignature(of: bytes) {
      self = signature.unpacker.map { .compressed(unpackedBy: $0) } ?? .foreign(signature.name)
    } else {
      self = Self.text(bytes, name, map)
    }
  }

  /// Returns true if more bytes are unlikely to change the answer: the beginning has enough whole lines, a format is
  /// recognized, or there are 4 KiB.
  static func isCertain(_ bytes: [UInt8]) -> Bool {
    if FileSignature(of: bytes) != nil || bytes.count >= 4096 { return true }
    let head = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    if head.first == UInt8(ascii: "#") || head.first == UInt8(ascii: "[") {
      return head.split(separator: 0x0A, omittingEmptySubsequences: false).count > 8
    }
    return head.contains(0x0A) || head.contains(0x0D) || begins(head, with: "begin:vcard")
  }

  /// The lowercased text after the last dot of a name.
  static func suffix(of name: String) -> String { name.split(separator: ".").last?.lowercased() ?? "" }

  private static func text(_ bytes: [UInt8], _ name: String, _ map: [CSVMapping]) -> InputKind {
    if !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) { return .foreign("zeros") }
    let head = Array(TextInput.beginning(of: Array(bytes.prefix(8192))).drop { $0 <= 0x20 })
    guard let byte = head.first else { return .text(.vCard) }
    if begins(head[...], with: "<!doctype html") || begins(head[...], with: "<html") { return .foreign("HTML") }
    if begins(head[...], with: "<?xml") || begins(head[...], with: "<vcards") { return .foreign("XML") }
    if byte == UInt8(ascii: "{") { return .text(.json) }
    // Skip comments, which LDIF and abook's file may begin with.
    let lines = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).filter { $0.first != UInt8(ascii: "#") }
    let first = lines.first ?? head[...]
    if begins(head[...], with: "# abook") || begins(first, with: "[format]") { return .text(.abook) }
    if byte == UInt8(ascii: "[") { return .text(isJCard(head) ? .jCard : .json) }
    if begins(first, with: "version: 1") || begins(first, with: "version:1") || begins(first, with: "dn:") {
      return .text(.ldif)
    }
    if begins(first, with: "begin:vcard") { return .text(.vCard) }
    if ContactTemplate.begins(String(decoding: first, as: UTF8.self)) { return .text(.template) }
    let isCSV = ["csv", "tsv"].contains(suffix(of: name)) || CSVFormat.isLikely(head, map: map)
    return .text(isCSV ? .csv : .vCard)
  }

  /// Returns true if a text begins with `["vcard"` or `[["vcard"`, ignoring blanks.
  private static func isJCard(_ head: [UInt8]) -> Bool {
    let signs = head.prefix(256).filter { $0 > 0x20 }
    return begins(signs[...], with: "[\"vcard\"") || begins(signs[...], with: "[[\"vcard\"")
  }

  private static func begins(_ text: ArraySlice<UInt8>, with word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      text.count >= word.count && zip(text, word).allSatisfy { ($0 | ($0 >= 0x41 && $0 <= 0x5A ? 0x20 : 0)) == $1 }
    }
  }
}

/// The data of a pipe or a terminal until all of it has arrived: the beginning in memory, the rest in an unlinked file
/// (0600, in `TMPDIR` or /tmp), which disappears with the process, however the process ends.
struct ImportSpool {
  /// The maximum size in bytes.
  static let standardLimit = 4 << 30
  /// The maximum size in memory, in bytes.
  private static let memoryLimit = 8 << 20
  private static let chunk = 1 << 18

  private(set) var size = 0

  private let name: String
  private let limit: Int
  private var memory: [[UInt8]] = []
  private var nextInMemory = 0
  private var inMemory = 0
  private var file: UnlinkedFile?

  /// - Parameters:
  ///   - name: the name of the input in messages.
  ///   - limit: the maximum size in bytes.
  init(name: String, limit: Int = Self.standardLimit) {
    self.name = name
    self.limit = limit
  }

  /// Appends bytes.
  /// - Throws: `ImportError.tooLong` past the limit, `ImportError.noSpool` if they cannot be stored.
  mutating func append(_ bytes: [UInt8]) throws(ImportError) {
    guard bytes.count <= limit - size else { throw ImportError(.tooLong, file: name, detail: "\(limit >> 20)") }
    size += bytes.count
    if file == nil, inMemory + bytes.count <= Self.memoryLimit {
      inMemory += bytes.count
      memory.append(bytes)
      return
    }
    do throws(UnlinkedFile.Failure) {
      if file == nil { file = try UnlinkedFile() }
      try file?.append(bytes)
    } catch {
      throw ImportError(.noSpool, file: name, detail: String(cString: strerror(error.code)))
    }
  }

  mutating func next() throws(ImportError) -> [UInt8]? {
    if nextInMemory < memory.count {
      defer {
        // Read only once, so free it.
        memory[nextInMemory] = []
        nextInMemory += 1
      }
      return memory[nextInMemory]
    }
    do throws(UnlinkedFile.Failure) {
      return try file?.next(Self.chunk)
    } catch {
      throw ImportError(.unreadable, file: name, detail: String(cString: strerror(error.code)))
    }
  }
}
