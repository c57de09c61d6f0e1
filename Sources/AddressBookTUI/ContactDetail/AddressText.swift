import AddressBookModel
import Contacts

/// Postal addresses as written on an envelope.
enum AddressText {
  /// Returns the lines of an address. If its region, city or street has Han characters or Hangul, it begins with the
  /// country and ends with the floor and the post office box (with Hangul, then the postal code); otherwise it has the
  /// format of its country (``AddressFormat``).
  static func lines(of address: PostalAddress) -> [String] {
    let street = address.street.split(separator: "\n").map(String.init)
    let scalars = (address.region + address.city + address.street).unicodeScalars
    let lines =
      if scalars.contains(where: isHangul) {
        [
          address.country, joined(address.region, address.city == address.region ? "" : address.city),
        ] + street + [address.extended, address.poBox, address.postalCode]
      } else if scalars.contains(where: \.properties.isIdeographic) {
        [
          joined(address.country, postalCode(of: address)),
          locality(of: address) + street.joined() + address.extended
            + address.poBox,
        ]
      } else {
        AddressFormat(country: address.country).lines(of: address, street: [address.poBox, address.extended] + street)
          + [address.country]
      }
    return lines.filter { !$0.isEmpty }
  }

  private static func joined(_ texts: String...) -> String { texts.filter { !$0.isEmpty }.joined(separator: " ") }

  /// Returns the region and the city; only the city if it begins with the region, such as 北京市. 吉林 is the one province
  /// that has the name of a city in it.
  private static func locality(of address: PostalAddress) -> String {
    let (region, city) = (address.region, address.city)
    return city.hasPrefix(region) && (region != "吉林" || city == region) ? city : region + city
  }

  private static func postalCode(of address: PostalAddress) -> String {
    let isJapanese = ["日本", "日本国", "japan", "jp"].contains(address.country.lowercased())
    return isJapanese && address.postalCode.first?.isNumber == true ? "〒" + address.postalCode : address.postalCode
  }

  /// Returns true for a Hangul syllable or conjoining letter.
  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0xAC00...0xD7A3).contains(scalar.value) || (0x1100...0x11FF).contains(scalar.value)
  }
}
