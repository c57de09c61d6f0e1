import AddressBookModel

/// The names of files of one card.
package enum CardFileName {
  /// Returns a name for a new card: its UID if that is safe in a path, not an option of a program that gets `*`, and not
  /// in use; otherwise a random one.
  /// - Parameter taken: the names that are in use, in lower case.
  package static func make(forUID uid: String, taken: Set<String>) -> String {
    let isSafe =
      !uid.isEmpty && uid.utf8.count <= 200 && !uid.hasPrefix(".") && !uid.hasPrefix("-") && uid.utf8.allSatisfy(isSafe)
    if isSafe, !taken.contains(uid.lowercased() + ".vcf") { return uid + ".vcf" }
    while true {
      let name = UniqueID.make().split(separator: ":").suffix(1).joined() + ".vcf"
      if !taken.contains(name.lowercased()) { return name }
    }
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
