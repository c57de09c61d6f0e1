import CSystem
import Glibc
import SystemCalls

/// Reads Apple's `.strings` format: `"key" = "value";` with comments and the escapes `\n \t \r \" \\ \Uxxxx \uxxxx`.
///
/// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/LoadingResources/Strings/Strings.html
struct StringsFile: Sendable {
  /// Why parsing failed, and where.
  struct SyntaxError: Error, Hashable, CustomStringConvertible {
    let line: Int
    let expected: String
    var description: String { "line \(line): expected \(expected)" }
  }

  private var texts: [String: String] = [:]

  /// Reads the pairs of a file in UTF-8. The last of several equal keys wins.
  init(parsing bytes: [UInt8]) throws(SyntaxError) {
    var scanner = Scanner()
    scanner.skipMark(bytes)
    while let (key, value) = try scanner.pair(bytes) { texts[key] = value }
  }

  /// The string of a key; nil if the file does not have it.
  subscript(key: String) -> String? { texts[key] }
}

extension StringsFile {
  private struct Scanner {
    var position = 0

    mutating func skipMark(_ bytes: [UInt8]) {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Reads the next pair; nil at the end.
    mutating func pair(_ bytes: [UInt8]) throws(SyntaxError) -> (key: String, value: String)? {
      try skipBlanks(bytes)
      guard position < bytes.count else { return nil }
      let key = try quoted(bytes)
      try expect("=", bytes)
      let value = try quoted(bytes)
      try expect(";", bytes)
      return (key, value)
    }

    private mutating func expect(_ character: Unicode.Scalar, _ bytes: [UInt8]) throws(SyntaxError) {
      try skipBlanks(bytes)
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
        throw failure(String(character), bytes)
      }
      position += 1
      try skipBlanks(bytes)
    }

    /// Reads a quoted text.
    private mutating func quoted(_ bytes: [UInt8]) throws(SyntaxError) -> String {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw failure("\"", bytes) }
      position += 1
      var text: [UInt8] = []
      while let end = bytes[position...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        text += bytes[position..<end]
        position = end + 1
        if bytes[end] == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
        text += try escaped(bytes)
      }
      position = bytes.count
      throw failure("\"", bytes)
    }

    private mutating func escaped(_ bytes: [UInt8]) throws(SyntaxError) -> [UInt8] {
      guard position < bytes.count else { throw failure("an escape", bytes) }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "n"): return [0x0A]
      case UInt8(ascii: "t"): return [0x09]
      case UInt8(ascii: "r"): return [0x0D]
      case UInt8(ascii: "U"), UInt8(ascii: "u"):
        guard position + 4 <= bytes.count,
          let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
          let scalar = Unicode.Scalar(code)
        else { throw failure("four hexadecimal digits", bytes) }
        position += 4
        return Array(String(scalar).utf8)
      default: return [byte]
      }
    }

    private mutating func skipBlanks(_ bytes: [UInt8]) throws(SyntaxError) {
      while position < bytes.count {
        switch bytes[position] {
        case 0x20, 0x09, 0x0A, 0x0D: position += 1
        case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "/"):
          while position < bytes.count, bytes[position] != 0x0A { position += 1 }
        case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "*"):
          position += 2
          while position + 1 < bytes.count,
            !(bytes[position] == UInt8(ascii: "*") && bytes[position + 1] == UInt8(ascii: "/"))
          {
            position += 1
          }
          guard position + 1 < bytes.count else { throw failure("*/", bytes) }
          position += 2
        default: return
        }
      }
    }

    private func failure(_ expected: String, _ bytes: [UInt8]) -> SyntaxError {
      SyntaxError(line: 1 + bytes[0..<min(position, bytes.count)].count { $0 == 0x0A }, expected: expected)
    }
  }
}

enum StringsFolder {
  /// Returns the folder that contains `en.lproj` and the other languages: in `../share` of an installed program, or in
  /// the bundle next to the executable; nil if there is none. `Bundle.module` is not used, because it ends the program if
  /// the build folder is gone, and has the path of that folder, so that no two builds would be the same.
  static func find() -> String? {
    for folder in executableFolders {
      for place in ["/../share/addressbook/strings", "/addressbook_Messages.resources/strings"]
      where access(folder + place + "/en.lproj", R_OK) == 0 { return folder + place }
    }
    return nil
  }

  /// The folder of the program. Without /proc, as in some containers, and under valgrind, only the second one is its.
  private static var executableFolders: [String] {
    let started = addressbook_program_path().map { RealPath.resolved(String(cString: $0)) }
    return [RealPath.destination(ofLink: "/proc/self/exe"), started].compactMap { $0.map { Folder.split($0).folder } }
  }
}
