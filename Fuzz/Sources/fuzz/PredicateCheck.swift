import ObjectGraph

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

/// The format language: the offset of a syntax error is within the text, and a predicate that is written as text or as
/// JSON is read back unchanged.
enum PredicateCheck {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(InvalidPredicate) {
      let predicate = try ObjectPredicate(text)
      if let written = PredicateText.text(predicate) {
        guard let read = try? ObjectPredicate(written) else { fatalError("is not read: \(written)") }
        if read != predicate { fatalError("\(predicate)\nis read as\n\(read)\nfrom \(written)") }
      }
      if bytes.count < 5000 { checkCoding(predicate) }
    } catch {
      guard case .syntax(let offset) = error else { return }
      if let offset, (0...text.unicodeScalars.count).contains(offset) { return }
      fatalError("the error is outside: \(error)")
    }
    _ = try? PredicatePath(parsing: text)
  }

  /// Skips predicates with infinite numbers, because JSON has none.
  private static func checkCoding(_ predicate: ObjectPredicate) {
    guard let data = try? JSONEncoder().encode(predicate) else { return }
    guard let read = try? JSONDecoder().decode(ObjectPredicate.self, from: data) else {
      fatalError("is not decoded: \(String(decoding: data, as: UTF8.self))")
    }
    if read != predicate { fatalError("\(predicate)\nis decoded as\n\(read)") }
  }
}
