import Glibc

/// A text that the user edits in another program. It is in a folder that nobody else can read, below `TMPDIR`.
public final class EditedFile {
  /// Why there is no edited text. The file stays.
  public enum Failure: Error, Equatable {
    /// A file could not be written or read.
    case file(FileFailure)
    /// The editor could not be started.
    case editor(String, FileFailure)
    /// The editor failed, with this exit status.
    case status(String, Int32)
  }

  /// The path of the file.
  public let path: String
  private let folder: String

  /// Writes a text.
  /// - Parameter name: the name of the file, by which editors know its format.
  public init(_ text: String, name: String) throws(Failure) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array(((parent.isEmpty ? "/tmp" : parent) + "/addressbook-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { bytes in
      bytes.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/" + name
    guard made else { throw .file(FileFailure(folder, errno)) }
    try write(text)
  }

  /// Replaces the text.
  public func write(_ text: String) throws(Failure) {
    do {
      try FileReplacement.write(Array(text.utf8), to: path, isDurable: false)
    } catch {
      throw .file(error)
    }
  }

  /// The editor: `VISUAL`, or else `EDITOR`, or else vi. It may have arguments, separated by blanks.
  public static var editor: [String] {
    for name in ["VISUAL", "EDITOR"] {
      let words = getenv(name).map { String(cString: $0) }?.split(separator: " ").map(String.init) ?? []
      if !words.isEmpty { return words }
    }
    return ["vi"]
  }

  /// Runs the editor on the terminal of this process, even if its standard output is a pipe, and waits for it.
  /// - Returns: the text afterwards.
  public func edit() throws(Failure) -> String {
    let words = Self.editor
    // Control-C belongs to the editor. (A program does not inherit a handler.)
    let previous = [SIGINT, SIGQUIT].map { ($0, signal($0) { _ in }) }
    defer { for (number, handler) in previous { signal(number, handler) } }
    let end: ChildProcess.End
    do {
      end = try ChildProcess(onTerminal: words + [path]).wait()
    } catch {
      throw .editor(words[0], error)
    }
    if case .status(let status) = end, status != 0 { throw .status(words[0], status) }
    return try text()
  }

  /// The text as it is in the file.
  public func text() throws(Failure) -> String {
    do {
      return String(decoding: try FileBytes.read(path) ?? [], as: UTF8.self)
    } catch {
      throw .file(error)
    }
  }

  /// Removes the file.
  public func remove() {
    // What the editor left there, such as its backup, goes too.
    for name in Folder.names(in: folder) where ![".", ".."].contains(name) { unlink(folder + "/" + name) }
    rmdir(folder)
  }
}
