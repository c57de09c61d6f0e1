import ContactInterchange

/// A reader of the contacts of a JSON file, one after the other.
public enum JSONFile {
  /// Reads one object, several, or an array of them.
  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - isCancelled: called before each read and while waiting for data; if it returns true, the error is
  ///     `ImportError.cancelled`.
  ///   - body: called with the line where each object begins, and the object or its error.
  /// - Throws: `ImportError` if the file cannot be read or is not JSON, and errors of `body`.
  public static func read(
    _ path: String, isCancelled: @escaping () -> Bool,
    _ body: (_ line: Int, Result<ContactPatch, ContactJSONError>) throws -> Void
  ) throws {
    let input = try ImportInput(path: path, isCancelled: isCancelled)
    var elements = JSONElements { () throws(ImportError) -> [UInt8]? in try input.next() }
    while let (line, bytes) = try elements.nextObject(of: path) {
      try body(line, Result { () throws(ContactJSONError) -> ContactPatch in try ContactPatch(json: bytes) })
    }
  }
}

extension JSONElements where Failure == ImportError {
  /// Returns the next object and its line; nil at the end.
  /// - Parameter file: the name of the input in messages.
  mutating func nextObject(of file: String) throws(ImportError) -> (line: Int, bytes: [UInt8])? {
    switch try next() {
    case nil: nil
    case .object(let line, let bytes): (line, bytes)
    case .malformed(let line): throw ImportError(.notJSON, file: file, line: line)
    }
  }
}
