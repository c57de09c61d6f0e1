import Glibc
import Synchronization

/// A character set, by the C library's name for it.
struct Charset: Hashable, Sendable {
  /// The name for `iconv`; empty for UTF-8.
  let name: String

  static let utf8 = Charset(name: "")
  static let windows1252 = Charset(name: "CP1252")
  static let windows1251 = Charset(name: "CP1251")
  static let gb18030 = Charset(name: "GB18030")

  private init(name: String) { self.name = name }

  /// Finds the charset with a declared name; nil if neither the table below nor the C library knows it.
  ///
  /// Common names are mapped to supersets, because writers use the superset under the narrower name: as in the WHATWG
  /// Encoding Standard, GB2312 and GBK are read as GB18030, ISO-8859-1 as Windows-1252, Shift_JIS as CP932 (with a real
  /// backslash), EUC-KR as UHC. Unlike there, ASCII is read as UTF-8.
  init?(declared text: String) {
    let key = text.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    if let known = Self.widened[key] {
      name = known
      return
    }
    let allowed = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(Byte.upper(byte)) || byte == Byte.hyphen
        || byte == Byte.underscore || byte == Byte.dot || byte == Byte.colon
    }
    guard allowed, !text.isEmpty, Converters.isKnown(text) else { return nil }
    name = text
  }

  private static let widened: [String: String] = [
    "UTF8": "", "USASCII": "", "ASCII": "", "UTF8MB4": "",
    "ISO88591": "CP1252", "LATIN1": "CP1252", "WINDOWS1252": "CP1252", "CP1252": "CP1252", "ANSI": "CP1252",
    "WINDOWS1251": "CP1251", "CP1251": "CP1251", "KOI8R": "KOI8-R",
    "GB2312": "GB18030", "GBK": "GB18030", "GB18030": "GB18030", "CP936": "GB18030", "EUCCN": "GB18030",
    "XGBK": "GB18030", "MS936": "GB18030",
    "BIG5": "BIG5-HKSCS", "CP950": "BIG5-HKSCS", "BIG5HKSCS": "BIG5-HKSCS",
    "SHIFTJIS": "CP932", "SJIS": "CP932", "XSJIS": "CP932", "CP932": "CP932", "WINDOWS31J": "CP932",
    "EUCKR": "UHC", "KSC56011987": "UHC", "CP949": "UHC", "UHC": "UHC", "KSC5601": "UHC",
  ]

  /// True if every character is one byte: such text is hardly ever valid UTF-8 by chance.
  var isSingleByte: Bool { self != .utf8 && Converters.isSingleByte(name) }

  /// True for ISO-2022-JP and the like, where an ASCII byte may be a part of another character.
  var isISO2022: Bool { name.uppercased().filter { $0 != "-" }.contains("ISO2022") }

  /// Whether the name and parameters of a line read the same in ASCII; false for UTF-16 and EBCDIC, true for ISO-2022
  /// and UTF-7, whose escape sequences are ASCII.
  var isASCIICompatible: Bool { self == .utf8 || Converters.isASCIICompatible(name) }

  /// Returns the text in UTF-8, and the number of U+FFFD that replace NUL and what cannot be decoded.
  func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], replaced: Int) {
    if self == .utf8 { return UTF8Repair.repair(bytes) }
    let converted = Converters.convert(bytes, from: name)
    // `iconv` writes only valid UTF-8, but a NUL in it is damage too.
    return converted.bytes.withUnsafeBufferPointer { result in
      guard result.contains(0) else { return converted }
      let repaired = UTF8Repair.repair(result)
      return (repaired.bytes, repaired.replaced + converted.replaced)
    }
  }
}

/// The C library's open converters. Opening one costs far more than using it, so they stay open. One caller at a time
/// uses them.
private enum Converters {
  private struct Handle: @unchecked Sendable {
    // Used only inside the mutex.
    let descriptor: iconv_t
    let isASCIICompatible: Bool
    let isSingleByte: Bool
  }

  private static let open = Mutex<[String: Handle]>([:])

  static func isKnown(_ name: String) -> Bool {
    open.withLock { handle(for: name, in: &$0) != nil }
  }

  static func isASCIICompatible(_ name: String) -> Bool {
    open.withLock { handle(for: name, in: &$0)?.isASCIICompatible == true }
  }

  static func isSingleByte(_ name: String) -> Bool {
    open.withLock { handle(for: name, in: &$0)?.isSingleByte == true }
  }

  static func convert(_ bytes: UnsafeBufferPointer<UInt8>, from name: String) -> (bytes: [UInt8], replaced: Int) {
    open.withLock { handles in
      guard let handle = handle(for: name, in: &handles) else { return UTF8Repair.repair(bytes) }
      return convert(bytes, with: handle.descriptor)
    }
  }

  private static func handle(for name: String, in handles: inout [String: Handle]) -> Handle? {
    if let known = handles[name] { return known }
    let descriptor = iconv_open("UTF-8", name)
    guard let descriptor, Int(bitPattern: descriptor) != -1 else { return nil }
    let sample = Array("ITEM1.X-A;B=\"c,d\":".utf8)
    let isASCIICompatible = sample.withUnsafeBufferPointer { convert($0, with: descriptor).bytes } == sample
    let handle = Handle(
      descriptor: descriptor, isASCIICompatible: isASCIICompatible,
      isSingleByte: !(0...UInt8.max).contains { isIncomplete($0, with: descriptor) })
    handles[name] = handle
    return handle
  }

  /// Returns true if a byte is only the beginning of a character.
  private static func isIncomplete(_ byte: UInt8, with descriptor: iconv_t) -> Bool {
    iconv(descriptor, nil, nil, nil, nil)
    var character = CChar(bitPattern: byte)
    var output: (UInt64, UInt64) = (0, 0)
    return withUnsafeMutablePointer(to: &character) { start in
      withUnsafeMutableBytes(of: &output) { buffer in
        var (input, inputLeft): (UnsafeMutablePointer<CChar>?, Int) = (start, 1)
        var (target, targetLeft) = (buffer.bindMemory(to: CChar.self).baseAddress, buffer.count)
        return iconv(descriptor, &input, &inputLeft, &target, &targetLeft) == -1 && errno == EINVAL
      }
    }
  }

  private static func convert(
    _ bytes: UnsafeBufferPointer<UInt8>, with descriptor: iconv_t
  ) -> (bytes: [UInt8], replaced: Int) {
    iconv(descriptor, nil, nil, nil, nil)
    var result: [UInt8] = []
    var replaced = 0
    let capacity = max(64, bytes.count * 2)
    var output = [CChar](repeating: 0, count: capacity)
    var input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
    var inputLeft = bytes.count
    while inputLeft > 0 {
      let status = output.withUnsafeMutableBufferPointer { buffer in
        var target = buffer.baseAddress
        var targetLeft = buffer.count
        let status = iconv(descriptor, &input, &inputLeft, &target, &targetLeft)
        let code = errno
        buffer.withMemoryRebound(to: UInt8.self) { result.append(contentsOf: $0[..<(capacity - targetLeft)]) }
        return status == -1 ? code : 0
      }
      if status == 0 { break }
      if status == E2BIG { continue }
      // EILSEQ (invalid) or EINVAL (cut off at the end): replace one byte, and continue after it.
      result += [0xEF, 0xBF, 0xBD]
      replaced += 1
      input = input.map { $0 + 1 }
      inputLeft -= 1
    }
    return (result, replaced)
  }
}
