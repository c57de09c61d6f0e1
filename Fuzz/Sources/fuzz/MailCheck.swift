import ContactInterchange
import Foundation

/// Email headers: an address is valid, a name is one line, and both can be read back from a header made of them.
enum MailCheck {
  static func check(_ bytes: [UInt8]) {
    let header = MailHeader(of: bytes)
    if let address = MailAddress.bare(String(decoding: bytes, as: UTF8.self)) { check(address, name: "") }
    for field in ["from", "sender", "reply-to", "to"] {
      for found in header.addresses(in: field) { check(found.address, name: found.name) }
    }
  }

  private static func check(_ address: String, name: String) {
    if MailAddress.bare(address) != address { fatalError("\(address) is not an address") }
    if name.contains(where: \.isNewline) { fatalError("\(name) is not one line") }
    let word = name.isEmpty ? "" : "=?UTF-8?B?\(Data(name.utf8).base64EncodedString())?= "
    let written = "From: \(word)<\(address)>\r\n\r\n"
    let read = MailHeader(of: Array(written.utf8)).addresses(in: "from")
    if read.map(\.address) != [address] || read.map(\.name) != [name] {
      fatalError("\(name) \(address) is \(written)read as \(read)")
    }
  }
}
