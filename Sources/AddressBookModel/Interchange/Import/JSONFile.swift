/// Contacts of a JSON file, one after the other.
public enum JSONFile {
  /// Reads one object, several, or an array of them.
  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - isCancelled: asked while waiting for data.
  ///   - body: gets the line where each object begins, and what it says or what is wrong with it.
  /// - Throws: `ImportError` when the file cannot be read or is no JSON, and what `body` throws.
  public static func read(
    _ path: String, isCancelled: @escaping () -> Bool,
    _ body: (_ line: Int, Result<ContactPatch, ContactJSONError>) throws -> Void
  ) throws {
    let input = try ImportInput(path: path, isCancelled: isCancelled)
    var elements = JSONElements(file: path) { () throws(ImportError) -> [UInt8]? in try input.next() }
    while let element = try elements.next() {
      let patch = Result { () throws(ContactJSONError) -> ContactPatch in try ContactPatch(json: element.bytes) }
      try body(element.line, patch)
    }
  }
}
