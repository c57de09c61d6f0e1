import AddressBookModel
import Contacts

/// Postal addresses as written on an envelope.
enum AddressText {
  /// The lines of an address: in Chinese from the country down to the house number, otherwise in the opposite order.
  static func lines(of address: PostalAddress) -> [String] {
    let isChinese = (address.region + address.city + address.street).unicodeScalars
      .contains { $0.properties.isIdeographic }
    let street = address.street.split(separator: "\n").map(String.init)
    if isChinese {
      let place = address.city.hasPrefix(address.region) ? address.city : address.region + address.city
      return [
        [address.country, address.postalCode].filter { !$0.isEmpty }.joined(separator: " "),
        place + street.joined() + address.extended + address.poBox,
      ].filter { !$0.isEmpty }
    }
    let town = [[address.city, address.region].filter { !$0.isEmpty }.joined(separator: ", "), address.postalCode]
    return
      ([address.poBox, address.extended] + street + [
        town.filter { !$0.isEmpty }.joined(separator: " "), address.country,
      ])
      .filter { !$0.isEmpty }
  }
}
