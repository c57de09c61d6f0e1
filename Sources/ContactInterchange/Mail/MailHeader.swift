import VCard

/// The header of an email (RFC 5322): its fields, unfolded.
public struct MailHeader: Sendable {
  /// How much of a header is read, in bytes.
  public static let limit = 1 << 20

  private var fields: [(name: String, body: [UInt8])] = []
  private let text: ForeignText

  /// Reads the header at the beginning of an email; the body is ignored.
  ///
  /// A line `From …` before it, as in an mbox file, is skipped.
  public init(of mail: [UInt8]) {
    var text = ForeignText()
    text.observe(Array(mail.prefix(Self.limit)))
    self.text = text
    var rest = mail.prefix(Self.limit)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var isFirst = true
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[min(rest.endIndex, end + 1)...]
      if line.last == 0x0D { line = line.dropLast() }
      if line.isEmpty { return }
      defer { isFirst = false }
      if line.first == 0x20 || line.first == 0x09 {
        if !fields.isEmpty { fields[fields.count - 1].body += line }
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        if isFirst, line.starts(with: "From ".utf8) { continue }
        // The end of the header.
        return
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).trimmedBlanks.lowercased()
      fields.append((name, Array(line[(colon + 1)...])))
    }
  }

  /// Returns the addresses in the first field with this name that has any; empty if there is none.
  /// - Parameter name: the name of the field, in lower case.
  public func addresses(in name: String) -> [MailAddress] {
    for field in fields where field.name == name {
      let found = MailAddressList(text.text(of: field.body).text).addresses
      if !found.isEmpty { return found }
    }
    return []
  }
}
