/// Section and sort key of a name. The one place where the store meets the collation.
struct NameOrder: Sendable {
  static let shared = NameOrder()

  /// Version of the data that sections and sort keys were made with; it is kept in the book.
  static let version = "seam-1"

  /// Ordinal of the section, 0 for A to 25 for Z, 26 for `#`; and the bytes that order a name among all others.
  func place(of name: Name) -> (section: Int, sortKey: [UInt8]) {
    let text = name.phoneticFamily + name.phoneticGiven + name.displayName
    let first = text.utf8.first.map { $0 | 0x20 } ?? 0
    let section = (0x61...0x7A).contains(first) ? Int(first) - 0x61 : 26
    return (section, [UInt8(section)] + Array(text.lowercased().utf8))
  }

  /// What order depends on.
  struct Name: Hashable, Sendable {
    var isOrganization = false
    var displayName = ""
    var family = ""
    var given = ""
    var phoneticFamily = ""
    var phoneticGiven = ""
    var organization = ""
    var nickname = ""
    var email = ""
    var phone = ""
  }
}
