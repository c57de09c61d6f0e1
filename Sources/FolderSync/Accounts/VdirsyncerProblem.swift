import AddressBookModel

/// A problem that vdirsyncer reported.
public struct VdirsyncerProblem: Hashable, Sendable {
  /// What it is.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The server does not accept the user or the password.
    case unauthorized
    /// The user may not read the address book or the account.
    case forbidden
    /// The user may not change the address book.
    case readOnly
    /// There is no CardDAV server, or no such address book, at the URL.
    case notFound
    /// The server does not answer.
    case unreachable
    /// The certificate of the server is not trusted.
    case certificate
    /// The certificate of the server does not have the fingerprint of the account.
    case fingerprint
    /// The server named a URL without encryption, which was not used.
    case clearText
    /// The password command failed, or printed nothing.
    case password
    /// The server failed; `detail` is its answer.
    case server
    /// The server does not accept a card; `detail` is the name of the card and the answer.
    case rejected
    /// Something was changed on the server at the same time.
    case changed
    /// Both sides changed the same field of a card.
    case conflict
    /// Several cards have one UID.
    case duplicates
    /// One side of the address book is empty, and nothing was deleted.
    case emptied
    /// Something else; `detail` is what vdirsyncer printed.
    case unclear
  }

  /// What it is.
  public let reason: Reason
  /// The name of the address book; nil if the problem is that of the account.
  public let addressBook: String?
  /// See the reason; empty for most.
  public let detail: String

  init(_ reason: Reason, _ addressBook: String? = nil, detail: String = "") {
    self.reason = reason
    self.addressBook = addressBook
    self.detail = detail
  }

  /// True if no address book of the account can be synced.
  public var concernsAccount: Bool {
    addressBook == nil || [.unauthorized, .unreachable, .certificate, .fingerprint, .password].contains(reason)
  }

  /// Returns the problems that vdirsyncer printed, each once; at least one.
  /// - Parameter addressBooks: the names of the address books that it was to sync.
  static func read(_ log: String, addressBooks: [String]) -> [VdirsyncerProblem] {
    var found: [VdirsyncerProblem] = []
    var seen: Set<[String]> = []
    for line in log.split(separator: "\n") {
      guard let problem = read(line, addressBooks), problem.reason != .unclear || problem.addressBook != nil,
        seen.insert([problem.reason.rawValue, problem.addressBook ?? ""]).inserted
      else { continue }
      found.append(problem)
    }
    return found.isEmpty ? [VdirsyncerProblem(.unclear, detail: unclear(log))] : found
  }

  /// The last lines of what vdirsyncer printed, without its advice for its own users.
  private static func unclear(_ log: String) -> String {
    log.split(separator: "\n").filter { !$0.contains("-vdebug") && !$0.contains("issue tracker") }.suffix(6)
      .joined(separator: "\n")
  }

  private static func read(_ line: Substring, _ addressBooks: [String]) -> VdirsyncerProblem? {
    guard let start = ["error: ", "critical: "].first(where: line.hasPrefix) else { return nil }
    var text = line.dropFirst(start.count)
    let unknown = "Unknown error occurred"
    let isUnknown = text.hasPrefix(unknown)
    if isUnknown { text = text.dropFirst(unknown.count) }
    if text.hasPrefix(" for ") { text = text.dropFirst(5) }
    let name = addressBooks.filter { text.hasPrefix(VdirsyncerConfiguration.pair + "/" + $0 + ":") }
      .max { $0.utf8.count < $1.utf8.count }
    if let name { text = text.dropFirst(VdirsyncerConfiguration.pair.count + name.count + 2) }
    if isUnknown, text.hasPrefix(":") { text = text.dropFirst() }
    text = text.drop { $0 == " " }
    if let answer = HTTPAnswer(text, isAboutCards: name != nil) { return VdirsyncerProblem(answer, name) }
    let reason = reason(of: text, isUnknown)
    return VdirsyncerProblem(reason, name, detail: [.unclear, .server].contains(reason) ? String(text) : "")
  }

  private init(_ answer: HTTPAnswer, _ addressBook: String?) {
    let reason: Reason =
      switch (answer.status, answer.card) {
      case (401, _): .unauthorized
      case (403, .some), (405, .some): .readOnly
      case (403, nil): .forbidden
      case (429, _), (500, _), (502..., _): .server
      case (_, .some): .rejected
      case (_, nil): .notFound
      }
    let detail: String =
      switch reason {
      case .server: answer.text
      case .rejected: (answer.card ?? "") + ", " + answer.text
      default: ""
      }
    self.init(reason, addressBook, detail: detail)
  }

  /// The reason that a message means, without the name of its address book. The messages are those of vdirsyncer, and of
  /// the library aiohttp.
  private static func reason(of text: Substring, _ isUnknown: Bool) -> Reason {
    let signs: [(Reason, [String])] = [
      (.clearText, [VdirsyncerConfiguration.refusal]),
      (.emptied, ["was completely emptied"]),
      (.duplicates, ["contains multiple items with the same UID"]),
      (.conflict, ["merge-cards"]),
      (.password, ["password-command", "password.fetch"]),
      (.certificate, ["CERTIFICATE_VERIFY_FAILED", "certificate verify failed", "CertificateError"]),
      (.notFound, ["something vdirsyncer doesn't understand", "Couldn't find home-set", "WRONG_VERSION_NUMBER"]),
      (
        .unreachable,
        ["Cannot connect to host", "Connection reset", "Server disconnected", "Connection timeout", "timed out"]
      ),
      (.changed, ["Precondition Failed"]), (.server, ["Too Many Requests"]),
    ]
    if let reason = signs.first(where: { $0.1.contains { text.contains($0) } })?.0 { return reason }
    guard isUnknown else { return .unclear }
    if text.hasPrefix("(b'") || text.hasPrefix("(b\"") { return .fingerprint }
    if text == "Not Found" || text == "Gone" { return .notFound }
    // A timeout has no text.
    return text.isEmpty ? .unreachable : .unclear
  }
}

/// The answer of a server in a message such as `403, message='Forbidden', url=URL('http://127.0.0.1/a/b.vcf')`.
private struct HTTPAnswer {
  let status: Int
  /// Such as `403 Forbidden`.
  let text: String
  /// The file name of the card, if the request was about one.
  let card: String?

  init?(_ message: Substring, isAboutCards: Bool) {
    let parts = message.split(separator: ", ", maxSplits: 2)
    guard parts.count == 3, let status = Int(parts[0]), parts[1].hasPrefix("message="), parts[2].hasPrefix("url=")
    else { return nil }
    self.status = status
    text = parts[0] + " " + parts[1].dropFirst("message=".count).filter { $0 != "'" && $0 != "\"" }
    let path = parts[2].split(separator: "'").dropFirst().first ?? ""
    // The URL of an address book ends in a slash.
    card = isAboutCards && !path.hasSuffix("/") ? path.split(separator: "/").last.map(String.init) : nil
  }
}
