/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = min(3, bytes.count - index)
      var group = Int(bytes[index]) << 16
      if rest > 1 { group |= Int(bytes[index + 1]) << 8 }
      if rest > 2 { group |= Int(bytes[index + 2]) }
      for position in 0..<4 {
        result.append(position <= rest ? alphabet[group >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
      index += 3
    }
    return result
  }
}
