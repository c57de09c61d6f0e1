import ContactInterchange
import Contacts
import Foundation

/// JSON: small pieces give the same objects as the whole, and a contact that is written is read back unchanged, except
/// for its photo.
enum JSONCheck {
  static func check(_ bytes: [UInt8]) {
    let whole = elements(bytes, pieces: bytes.count)
    if whole != elements(bytes, pieces: 3) { fatalError("pieces of 3 bytes give other elements") }
    for object in [bytes] + whole.prefix(20).map(\.bytes) {
      guard let contact = try? ContactJSON.decode(object) else { continue }
      _ = try? ContactPatch(json: object)
      let written = ContactJSON.encode(contact, section: "A")
      guard JSONSerialization.isValidJSONObject(value(written)) else { fatalError("not JSON: \(written)") }
      guard var read = try? ContactJSON.decode(Array(written.utf8)) else { fatalError("is not read: \(written)") }
      read.photo = contact.photo
      if read != contact { fatalError("\(contact)\nis read as\n\(read)") }
    }
  }

  private static func value(_ text: String) -> Any {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) ?? 0
  }

  private struct Element: Equatable {
    var line: Int
    var bytes: [UInt8]
  }

  private static func elements(_ bytes: [UInt8], pieces: Int) -> [Element] {
    var elements = JSONElements<Never>(source: Pieces(bytes, of: pieces).next)
    var result: [Element] = []
    while let element = elements.next() {
      switch element {
      case .object(let line, let bytes): result.append(Element(line: line, bytes: bytes))
      case .malformed(let line): result.append(Element(line: -line, bytes: []))
      }
    }
    return result
  }
}
