import CICU

/// The order of names in a list: the section of each name, and a key whose bytes compare like the names.
///
/// Sections are ordered A to Z, then `#`. Inside a section, Han names come first, by syllable (letters, then tone) and
/// character, one character after the other, so equal surnames are adjacent. Latin names follow, by ICU's root
/// collation with numeric ordering. In `#`, other scripts come first, one after the other, in the order of their
/// letters (``ScriptSection``), then numbers, then symbols, then names with nothing visible.
///
/// With a ``LocaleIndex``, its sections are those of the locale, and names other than Han have the order of the locale.
///
/// It may be used from any thread. ICU's collator is opened for the first name that needs it.
public struct NameCollation: Sendable {
  /// The maximum length of a sort key, in bytes. Longer names with the same beginning (29 common Han characters or 96
  /// Latin letters) share a key.
  public static let maximumKeyLength = 120

  /// An identifier of everything that sections and keys depend on: the table of readings, ICU and the format of the
  /// keys. Keys of different versions must not be compared.
  public static let version: String = {
    let digest = String(ReadingTable.contentsDigest, radix: 16)
    return "pinyin-\(digest)/icu-\(icuVersion)/key-2"
  }()

  /// The version of ICU, such as `72.1`.
  public static var icuVersion: String { "\(ICU.version.major).\(ICU.version.minor)" }

  private let index: LocaleIndex.Table?

  /// Creates the collation, at no cost.
  public init() { index = nil }

  /// Creates the collation of a locale; nil for the standard one.
  public init(_ index: LocaleIndex?) { self.index = index?.table }

  /// Returns the section of a name, from the first visible character of its sort text.
  public func section(of name: SortableName) -> Section {
    ReadText.with(SortText(name)) { $0.section }
  }

  /// Returns bytes that compare (with `memcmp`, the shorter first) in the order of the list, inside and across
  /// sections. The first byte is the section.
  ///
  /// At least two bytes and at most `maximumKeyLength`. Equal names have equal keys; use an id to break ties.
  public func sortKey(of name: SortableName) -> [UInt8] {
    ReadText.with(SortText(name), readsHan: index?.ordersHan != true) { text in
      [UInt8](unsafeUninitializedCapacity: Self.maximumKeyLength) { bytes, count in
        let writable = UnsafeMutableBufferPointer(start: bytes.baseAddress, count: Self.maximumKeyLength)
        var writer = SortKeyWriter(writable)
        write(text, to: &writer)
        count = writer.count
      }
    }
  }

  private func write(_ text: ReadText, to writer: inout SortKeyWriter) {
    let section = index?.section(of: text) ?? text.section.rawValue
    writer.append(section)
    guard !text.scalars.isEmpty else { return writer.append(5) }
    if section != index?.other ?? Section.other.rawValue {
      writer.append(text.codes[0] != 0 ? 1 : 2)
      writeRuns(text, from: 0, to: &writer)
    } else if let digit = text.scalars.firstIndex(where: { !Self.isNumberSign($0) }),
      Self.isDigit(text.scalars[digit])
    {
      writer.append(3)
      writeRuns(text, from: digit, to: &writer)
    } else if let script = ScriptSection(text.scalars), let value = Unicode.Scalar(UInt32(script.rawValue)) {
      writer.append(Self.scriptClass)
      for byte in String(value).utf8 { writer.append(byte) }
      writeRuns(text, from: 0, to: &writer)
    } else {
      writer.append(4)
      writeRuns(text, from: 0, to: &writer)
    }
  }

  /// The class in the key of a name in another script, followed by its ``ScriptSection`` in two bytes of UTF-8.
  private static let scriptClass: UInt8 = 1

  /// Returns the section in a sort key of a name in another script; nil for all other keys.
  public static func scriptSection(of key: [UInt8]) -> ScriptSection? {
    guard key.count >= 4, key[0] == Section.other.rawValue, key[1] == scriptClass else { return nil }
    return String(decoding: key[2..<4], as: UTF8.self).unicodeScalars.first.flatMap {
      ScriptSection(rawValue: Int($0.value))
    }
  }

  private func writeRuns(_ text: ReadText, from start: Int, to writer: inout SortKeyWriter) {
    let end = text.scalars.count
    let hasHan = text.codes[start...].contains { $0 != 0 }
    // Whether the key so far omits some of the text: the sign of a number, or blanks and punctuation next to Han
    // characters.
    var hasOmitted = start > 0
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Self.maximumKeyLength) { buffer in
      var lowerLevels = SortKeyWriter(buffer)
      var index = start
      var followsRun = false
      while index < end, !writer.isFull {
        if text.codes[index] != 0 {
          if followsRun { writer.append(0x02) }
          followsRun = false
          writer.appendHan(code: text.codes[index], character: text.scalars[index])
          index += 1
          continue
        }
        let runEnd = text.codes[index...].firstIndex { $0 != 0 } ?? end
        var run = index..<runEnd
        while let last = run.last, Self.isOmitted(text.scalars[last], besideHan: hasHan) { run.removeLast() }
        if index > start {
          while let first = run.first, Self.isOmitted(text.scalars[first], besideHan: true) { run.removeFirst() }
        }
        if hasHan, run.count < runEnd - index { hasOmitted = true }
        if !run.isEmpty {
          if index > start { writer.append(0x40) }
          writeRun(UnsafeBufferPointer(rebasing: text.scalars[run]), to: &writer, lowerLevels: &lowerLevels)
          followsRun = true
        }
        index = runEnd
      }
      if lowerLevels.count > 0 {
        writer.append(0x01)
        writer.append(buffer[0..<lowerLevels.count])
      }
    }
    if hasOmitted { Self.writeText(text, to: &writer) }
  }

  /// Distinguishes names with equal weights.
  private static func writeText(_ text: ReadText, to writer: inout SortKeyWriter) {
    writer.append(0x00)
    for scalar in text.scalars where !writer.isFull {
      writer.append(UInt8(truncatingIfNeeded: scalar >> 8))
      writer.append(UInt8(truncatingIfNeeded: scalar))
    }
  }

  /// Writes the primary weights of a run of characters that are not Han, and collects its lower levels separately.
  private func writeRun(
    _ run: UnsafeBufferPointer<UInt32>, to writer: inout SortKeyWriter, lowerLevels: inout SortKeyWriter
  ) {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * ReadText.limit) { units in
      var count = 0
      for scalar in run {
        if scalar < 0x10000 {
          units[count] = UInt16(scalar)
          count += 1
        } else {
          units[count] = UInt16(0xD7C0 + (scalar >> 10))
          units[count + 1] = UInt16(0xDC00 + (scalar & 0x3FF))
          count += 2
        }
      }
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { key in
        let keyCount = (index?.collator ?? .root).sortKey(
          of: UnsafeBufferPointer(rebasing: units[0..<count]), into: key)
        let primaryEnd = key[0..<keyCount].firstIndex(of: 0x01) ?? keyCount
        writer.append(key[0..<primaryEnd])
        if primaryEnd + 1 < keyCount { lowerLevels.append(key[primaryEnd + 1..<keyCount]) }
      }
    }
  }

  private static func isOmitted(_ scalar: UInt32, besideHan: Bool) -> Bool {
    if ScalarClass.isBlank(scalar) { return true }
    guard besideHan, let properties = Unicode.Scalar(scalar)?.properties else { return false }
    switch properties.generalCategory {
    case .dashPunctuation, .otherPunctuation, .connectorPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation,
      .finalPunctuation:
      return true
    default: return false
    }
  }

  /// Returns whether a sign may precede a phone number.
  private static func isNumberSign(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20, 0x28, 0x2B, 0xFF08, 0xFF0B: true
    default: false
    }
  }

  private static func isDigit(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 { return (0x30...0x39).contains(scalar) }
    return Unicode.Scalar(scalar)?.properties.numericType == .decimal
  }
}

/// ICU: collators, transliterators, scripts and normalization form KC. The only file that imports `CICU`.
enum ICU {
  /// The library's version at run time.
  static let version: (major: Int, minor: Int) = {
    let version = cicu_get_version()
    return (Int(version.major), Int(version.minor))
  }()

  /// Returns the number of a character's script; that of hiragana for katakana.
  static func script(of scalar: UInt32) -> Int32 {
    let script = cicu_script(scalar)
    return script == katakana ? cicu_script(0x3042) : script
  }

  private static let katakana = cicu_script(0x30A2)

  static func isNewer(than other: (major: Int, minor: Int)) -> Bool { version > other }

  /// Opens a transliterator and returns a function that reads one character; nil if ICU has no such transliterator.
  ///
  /// It stays open for the lifetime of the process. The function must not be called from two threads at once.
  static func openTransliterator(_ name: String) -> MissingReadings.Source? {
    let units = Array(name.utf16)
    guard let transliterator = cicu_open_transliterator(units, Int32(units.count)) else { return nil }
    let box = TransliteratorBox(pointer: transliterator)
    return { (scalar: Unicode.Scalar) -> String? in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 64) { buffer -> String? in
        guard let start = buffer.baseAddress else { return nil }
        var length = 0
        for unit in String(scalar).utf16 {
          buffer[length] = unit
          length += 1
        }
        let count = cicu_transliterate(box.pointer, start, Int32(length), Int32(buffer.count))
        guard count > 0, count <= buffer.count else { return nil }
        return String(decoding: buffer[0..<Int(count)], as: UTF16.self)
      }
    }
  }

  /// Returns the text in normalization form KC; unchanged if ICU cannot open its data.
  static func compatibleForm(_ text: String) -> String {
    let units = Array(text.utf16)
    var target = [UInt16](repeating: 0, count: units.count + 16)
    for _ in 0..<2 {
      let count = Int(cicu_compatible_form(units, Int32(units.count), &target, Int32(target.count)))
      if count < 0 { return text }
      if count <= target.count { return String(decoding: target[0..<count], as: UTF16.self) }
      target = [UInt16](repeating: 0, count: count)
    }
    return text
  }

  private struct TransliteratorBox: @unchecked Sendable {
    // Safe because `MissingReadings` calls it under its lock.
    let pointer: OpaquePointer
  }
}

/// A collator with numeric ordering, which stays open.
struct Collator: Sendable {
  /// The root collation. Opened once, for the first name that needs it.
  static let root = Collator(collator: cicu_open_collator(""))

  // ICU allows several threads to use a collator that does not change.
  private nonisolated(unsafe) let collator: OpaquePointer?

  private init(collator: OpaquePointer?) { self.collator = collator }

  /// Opens the collator of a locale; nil if ICU does not have it.
  init?(_ locale: String) {
    let isTag =
      !locale.isEmpty
      && locale.unicodeScalars.allSatisfy { byte in
        byte == "-" || byte.isASCII && (byte.properties.isAlphabetic || byte.properties.numericType != nil)
      }
    guard isTag, let collator = cicu_open_collator(locale) else { return nil }
    self.collator = collator
  }

  /// Returns the index characters of the collator's locale, and what begins sections of Chinese, each after U+FDD0.
  func labels(of locale: String) -> [String] {
    guard let collator else { return [] }
    var labels = [UInt16](repeating: 0, count: 4096)
    let count = Int(cicu_index_labels(locale, collator, &labels, Int32(labels.count)))
    return labels.prefix(count).split(separator: 0).map { String(decoding: $0, as: UTF16.self) }
  }

  /// Returns the primary weights of a text.
  /// - Parameter others: true to return the other levels too.
  func primaryWeights(of scalars: Slice<UnsafeBufferPointer<UInt32>>, others: Bool = false) -> [UInt8] {
    var units: [UInt16] = []
    for scalar in scalars { units += Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf16) }
    return units.withUnsafeBufferPointer { units in
      [UInt8](unsafeUninitializedCapacity: 128) { key, count in
        let length = sortKey(of: units, into: key)
        count = others ? length : key[0..<length].firstIndex(of: 0x01) ?? length
      }
    }
  }

  /// Writes the sort key of UTF-16 text into `key`, without the terminating 0, as far as it fits. Returns the count
  /// written.
  func sortKey(of text: UnsafeBufferPointer<UInt16>, into key: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard let source = text.baseAddress, let target = key.baseAddress, !text.isEmpty, !key.isEmpty else { return 0 }
    guard let collator else { return codeUnits(of: text, into: key) }
    let whole = Int(cicu_sort_key(collator, source, Int32(text.count), target, Int32(key.count)))
    return whole <= key.count ? max(0, whole - 1) : key.count
  }

  /// Writes a fallback key that orders by code unit, for when ICU cannot open its data.
  private func codeUnits(of text: UnsafeBufferPointer<UInt16>, into key: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    for unit in text where count + 2 <= key.count {
      // Bytes below 3 separate the parts of a key.
      key[count] = 3 + UInt8(unit >> 9)
      key[count + 1] = 3 + UInt8((unit >> 2) & 0x7F)
      count += 2
    }
    return count
  }
}
