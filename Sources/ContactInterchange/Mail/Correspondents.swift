/// The people with whom somebody exchanges email, counted from the headers of messages.
public struct Correspondents: Codable, Sendable {
  /// A person, by address.
  public struct Correspondent: Codable, Hashable, Sendable {
    /// The address, as last written.
    public fileprivate(set) var address: String
    /// The name with which the address was last written; empty if there was none.
    public fileprivate(set) var name = ""
    /// How many messages were sent to the address.
    public fileprivate(set) var sent = 0
    /// How many messages came from it, without those to lists and by machines.
    public fileprivate(set) var received = 0
    /// When the last message was sent or received, in seconds since 1970; nil if no message has a valid date.
    public fileprivate(set) var last: Int?
  }

  private struct Message: Codable {
    let from: Int
    let to: [Int]
    let date: Int?
    let isBulk: Bool
  }

  private struct Person: Codable {
    var correspondent: Correspondent
    /// When the name was written, in seconds since 1970; 0 if that is not known.
    var named: Int
  }

  private var indices: [String: Int] = [:]
  private var people: [Person] = []
  private var messages: [Message] = []

  /// Nobody yet.
  public init() {}

  /// The number of messages.
  public var messageCount: Int { messages.count }

  /// Counts a message. One without a sender is ignored.
  public mutating func add(_ header: MailHeader) {
    guard let sender = header.addresses(in: "from").first ?? header.addresses(in: "sender").first else { return }
    let date = header.text(of: "date").flatMap(MailDate.seconds)
    let from = index(of: sender, date)
    let to = ["to", "cc", "bcc"].flatMap(header.addresses).map { index(of: $0, date) }
    let precedence = header.text(of: "precedence")?.trimmed.lowercased() ?? ""
    let automatic = header.text(of: "auto-submitted")?.trimmed.lowercased() ?? "no"
    let isBulk =
      ["list-id", "list-unsubscribe"].contains { header.text(of: $0) != nil }
      || ["bulk", "list", "junk"].contains(precedence) || automatic != "no"
    messages.append(Message(from: from, to: Array(Set(to)), date: date, isBulk: isBulk))
  }

  private mutating func index(of address: MailAddress, _ date: Int?) -> Int {
    let key = MailAddress.key(of: address.address)
    let index = indices[key] ?? people.count
    if index == people.count {
      indices[key] = index
      people.append(Person(correspondent: Correspondent(address: address.address), named: .min))
    }
    let isName = !address.name.isEmpty && MailAddress.key(of: address.name) != key
    if isName, date ?? 0 >= people[index].named {
      people[index].correspondent.name = address.name
      people[index].named = date ?? 0
    }
    return index
  }

  /// The address that most messages have as sender or recipient: that of the owner of the mail; nil without messages.
  public var likelyOwner: String? {
    var counts = [Int](repeating: 0, count: people.count)
    for message in messages { for index in Set(message.to + [message.from]) { counts[index] += 1 } }
    return counts.indices.max { (counts[$0], $1) < (counts[$1], $0) }.map { people[$0].correspondent.address }
  }

  /// Returns the correspondents of somebody: those to whom most was sent first, then those from whom most came, then
  /// the latest. Machines that do not want an answer are left out, unless something was sent to them.
  /// - Parameter own: the addresses of the owner.
  public func all(own: [String]) -> [Correspondent] {
    let own = Set(own.compactMap { indices[MailAddress.key(of: $0)] })
    var found = people.map(\.correspondent)
    for message in messages {
      func count(_ index: Int, _ path: WritableKeyPath<Correspondent, Int>) {
        found[index][keyPath: path] += 1
        if let date = message.date { found[index].last = max(found[index].last ?? date, date) }
      }
      if own.contains(message.from) {
        for index in message.to where !own.contains(index) { count(index, \.sent) }
      } else if !message.isBulk {
        count(message.from, \.received)
      }
    }
    return found.indices.filter { index in
      let one = found[index]
      return !own.contains(index) && (one.sent > 0 || one.received > 0 && !Self.isMachine(one.address))
    }.map { found[$0] }.sorted {
      ($1.sent, $1.received, $1.last ?? 0, $0.address) < ($0.sent, $0.received, $0.last ?? 0, $1.address)
    }
  }

  private static func isMachine(_ address: String) -> Bool {
    let name = address.lowercased().prefix { $0 != "@" }.filter { $0.isLetter }
    return name.contains("noreply") || name.contains("donotreply") || name.hasPrefix("mailerdaemon")
      || name.hasPrefix("postmaster") || name.hasPrefix("bounce") || name.hasPrefix("notification")
  }
}
