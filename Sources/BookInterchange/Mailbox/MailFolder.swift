import AddressBookModel
import ContactInterchange
import Glibc
import SystemCalls

/// Mail whose headers are read: a Maildir with the folders in it, an mbox file, one message, either of these from
/// standard input, or what notmuch finds. Nothing is written, and no message is marked as read.
public struct MailFolder {
  /// Called before each message and each chunk of a file; true stops the reading.
  public var isCancelled: () -> Bool = { false }
  /// Called with the identity of each message; true leaves it out. It is that of the file in a Maildir, which is then not
  /// opened, or else that of the header.
  public var isKnown: (UInt64) -> Bool = { _ in false }
  /// The path, as given by the user.
  private let path: String
  private static let depth = 20
  /// What a path begins with that is a search of notmuch.
  public static let notmuch = "notmuch:"

  /// - Parameter path: the path of a folder or file, `-` for standard input, or `notmuch:` and a search of notmuch.
  public init(_ path: String) { self.path = path }

  /// Calls a function with the identity and the header of each message.
  /// - Throws: `ImportError`, and what the function throws.
  public func forEachHeader(_ body: (UInt64, MailHeader) throws -> Void) throws {
    if path.hasPrefix(Self.notmuch) {
      try readFound(body)
    } else if path != "-", stat(of: path)?.isFolder == true {
      if try readFolder(path, depth: 0, body) == 0 { throw ImportError(.noMail, file: path) }
    } else {
      try readFile(body)
    }
  }

  // MARK: Maildir

  /// Reads a folder and those in it.
  /// - Returns: the number of Maildirs.
  private func readFolder(_ folder: String, depth: Int, _ body: (UInt64, MailHeader) throws -> Void) throws -> Int {
    let names = Folder.names(in: folder).sorted()
    var count = names.contains("cur") || names.contains("new") ? 1 : 0
    for name in count == 0 ? [] : ["cur", "new"] {
      for message in Folder.names(in: folder + "/" + name) {
        try readMessage(folder + "/" + name, message, body)
      }
    }
    guard depth < Self.depth else { return count }
    for name in names where !["cur", "new", "tmp"].contains(name) {
      let inner = folder + "/" + name
      guard stat(of: inner, followsLinks: false)?.isFolder == true else { continue }
      count += try readFolder(inner, depth: depth + 1, body)
    }
    return count
  }

  /// Reads a file with one message. Its name up to the colon stays the same when the message is moved or marked.
  private func readMessage(
    _ folder: String, _ name: String, _ body: (UInt64, MailHeader) throws -> Void
  ) throws {
    if isCancelled() { throw ImportError(.cancelled, file: path) }
    let identity = Self.identity(of: Array(name.prefix { $0 != ":" }.utf8))
    guard !isKnown(identity), let file = ReadableFile(folder + "/" + name), file.status?.isFile == true else { return }
    try body(identity, MailHeader(of: Self.header(of: file)))
  }

  fileprivate static func identity(of bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { Checksum.of($0) } }

  /// The header is short, and the body may be long.
  private static func header(of file: ReadableFile) -> [UInt8] {
    var bytes = file.bytes(upTo: 1 << 13)
    while !hasEnd(bytes), bytes.count < MailHeader.limit {
      let more = file.bytes(upTo: bytes.count, at: bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// True if the bytes have an empty line.
  private static func hasEnd(_ bytes: [UInt8]) -> Bool {
    var last: UInt8 = 0
    for byte in bytes where byte != 0x0D {
      if byte == 0x0A, last == 0x0A { return true }
      last = byte
    }
    return false
  }

  // MARK: notmuch

  private func readFound(_ body: (UInt64, MailHeader) throws -> Void) throws {
    let query = path.dropFirst(Self.notmuch.count)
    let words = ["notmuch", "search", "--output=files", "--duplicate=1", "--", query.isEmpty ? "*" : String(query)]
    let output: [UInt8]
    let end: ChildProcess.End
    do throws(FileFailure) {
      (output, end) = try ChildProcess.run(words, terminal: .shared)
    } catch {
      throw ImportError(.notmuchFailed, file: path)
    }
    guard end == .status(0) else { throw ImportError(.notmuchFailed, file: path) }
    let files = output.split(separator: 0x0A).map { Folder.split(String(decoding: $0, as: UTF8.self)) }
    if files.isEmpty { throw ImportError(.noMail, file: path) }
    for file in files { try readMessage(file.folder, file.name, body) }
  }

  // MARK: mbox

  private func readFile(_ body: (UInt64, MailHeader) throws -> Void) throws {
    let input = try ImportInput(path: path, isCancelled: isCancelled)
    var messages = MboxHeaders()
    func add(_ header: [UInt8]) throws {
      let identity = Self.identity(of: header)
      if !isKnown(identity) { try body(identity, MailHeader(of: header)) }
    }
    while let chunk = try input.next() { try messages.read(chunk, add) }
    try messages.end(add)
    if messages.count == 0 { throw ImportError(.noMail, file: path) }
  }
}

/// Finds the headers of messages in the chunks of an mbox file: each message begins with a line `From …` after an empty
/// line, or at the beginning (RFC 4155). A file without such a line is one message.
struct MboxHeaders {
  private(set) var count = 0
  private var header: [UInt8] = []
  private var line: [UInt8] = []
  private var isInHeader = true
  private var isAfterBlank = true
  private static let from = Array("From ".utf8)

  mutating func read(_ chunk: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows {
    var rest = chunk[...]
    while let end = rest.firstIndex(of: 0x0A) {
      append(rest[..<end])
      try endLine(body)
      rest = rest[(end + 1)...]
    }
    append(rest)
  }

  /// Of a line in the body, only the beginning matters.
  private mutating func append(_ part: ArraySlice<UInt8>) {
    let limit = isInHeader ? MailHeader.limit : Self.from.count
    line += part.prefix(max(0, limit - line.count))
  }

  private mutating func endLine(_ body: ([UInt8]) throws -> Void) rethrows {
    if line.last == 0x0D { line.removeLast() }
    if isAfterBlank, line.starts(with: Self.from) {
      try flush(body)
      isInHeader = true
    } else if line.isEmpty, isInHeader, !header.isEmpty {
      try flush(body)
      isInHeader = false
    } else if isInHeader, header.count + line.count < MailHeader.limit {
      header += line + [0x0A]
    }
    isAfterBlank = line.isEmpty
    line.removeAll(keepingCapacity: true)
  }

  mutating func end(_ body: ([UInt8]) throws -> Void) rethrows {
    if !line.isEmpty { try endLine(body) }
    try flush(body)
  }

  private mutating func flush(_ body: ([UInt8]) throws -> Void) rethrows {
    guard isInHeader, !header.isEmpty else { return }
    let bytes = header
    header = []
    // Text that is no mail has no names of fields.
    guard let first = bytes.split(separator: 0x0A).first, first.contains(UInt8(ascii: ":")) else { return }
    count += 1
    try body(bytes)
  }
}
