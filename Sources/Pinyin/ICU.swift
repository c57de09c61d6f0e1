import CICU

/// ICU: the root collation, transliterators and normalization form KC. The only file that imports `CICU`.
enum ICU {
  /// The library's version at run time.
  static let version: (major: Int, minor: Int) = {
    let version = cicu_get_version()
    return (Int(version.major), Int(version.minor))
  }()

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

/// The root collation with numeric ordering. Opened once, for the first name that needs it.
struct RootCollator: Sendable {
  static let shared = RootCollator()

  // ICU allows several threads to use a collator that does not change.
  private nonisolated(unsafe) let collator: OpaquePointer?

  private init() { collator = cicu_open_root_collator() }

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
