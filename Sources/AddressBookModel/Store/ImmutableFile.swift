import GRDB

/// A file that SQLite reads while nobody writes to it: without locks, and without files beside it
/// (https://www.sqlite.org/uri.html#uriimmutable).
enum ImmutableFile {
  /// Returns the name to give to SQLite, a URI.
  static func name(of path: String) -> String { "file:" + percentEncoded(path) + "?immutable=1" }

  /// Opens a connection to a file that nobody writes to. A write-ahead log beside it is ignored.
  /// - Parameter cache: the size of the page cache in KiB; nil for the small one of a read-only connection.
  static func open(_ path: String, cache: Int? = nil) throws -> DatabaseQueue {
    var configuration = StoreConfiguration().connection(readonly: true)
    if let cache { configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cache)") } }
    return try DatabaseQueue(path: name(of: path), configuration: configuration)
  }

  private static func percentEncoded(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0...0x20, 0x7f...0xff:
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count == 1 ? "0" : "") + digits
      default: return String(UnicodeScalar(byte))
      }
    }.joined()
  }
}
