import ContactInterchange
import Glibc
import SystemCalls

/// Mail whose headers are read: a Maildir with the folders in it, an mbox file, one message, or either of these from
/// standard input. Nothing is written, and no message is marked as read.
public struct MailFolder {
  /// Called before each message and each chunk of a file; true stops the reading.
  public var isCancelled: () -> Bool = { false }
  /// The path, as given by the user.
  private let path: String
  private static let depth = 20

  /// - Parameter path: the path of a folder or file, or `-` for standard input.
  public init(_ path: String) { self.path = path }

  /// Calls a function with the header of each message.
  /// - Throws: `ImportError`, and what the function throws.
  public func forEachHeader(_ body: (MailHeader) throws -> Void) throws {
    if path != "-", stat(of: path)?.isFolder == true {
      if try readFolder(path, depth: 0, body) == 0 { throw ImportError(.noMail, file: path) }
    } else {
      try readFile(body)
    }
  }

  // MARK: Maildir

  /// Reads a folder and those in it.
  /// - Returns: the number of Maildirs.
  private func readFolder(_ folder: String, depth: Int, _ body: (MailHeader) throws -> Void) throws -> Int {
    let names = Folder.names(in: folder).sorted()
    var count = names.contains("cur") || names.contains("new") ? 1 : 0
    for name in count == 0 ? [] : ["cur", "new"] {
      for message in Folder.names(in: folder + "/" + name) {
        if isCancelled() { throw ImportError(.cancelled, file: path) }
        guard let file = ReadableFile(folder + "/" + name + "/" + message), file.status?.isFile == true else {
          continue
        }
        try body(MailHeader(of: Self.header(of: file)))
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

  // MARK: mbox

  private func readFile(_ body: (MailHeader) throws -> Void) throws {
    let input = try ImportInput(path: path, isCancelled: isCancelled)
    var messages = MboxHeaders()
    while let chunk = try input.next() { try messages.read(chunk, body) }
    try messages.end(body)
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

  mutating func read(_ chunk: [UInt8], _ body: (MailHeader) throws -> Void) rethrows {
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

  private mutating func endLine(_ body: (MailHeader) throws -> Void) rethrows {
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

  mutating func end(_ body: (MailHeader) throws -> Void) rethrows {
    if !line.isEmpty { try endLine(body) }
    try flush(body)
  }

  private mutating func flush(_ body: (MailHeader) throws -> Void) rethrows {
    guard isInHeader, !header.isEmpty else { return }
    let bytes = header
    header = []
    // Text that is no mail has no names of fields.
    guard let first = bytes.split(separator: 0x0A).first, first.contains(UInt8(ascii: ":")) else { return }
    count += 1
    try body(MailHeader(of: bytes))
  }
}
