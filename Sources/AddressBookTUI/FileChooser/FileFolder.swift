import AddressBookModel
import Glibc
import SystemCalls
import TerminalKit

/// The contents of a folder for choosing a file: folders first, then the files of the kind that is looked for, which are
/// recognized by their first bytes.
struct FileFolder: Sendable, Equatable {
  /// A file or folder. Its name is bytes, which need not be UTF-8.
  struct Entry: Sendable, Hashable {
    var name: [UInt8]
    /// The name of the format; nil for a folder.
    var format: String?

    var isFolder: Bool { format == nil }
    /// The name for display and typing.
    var text: String { String(decoding: name, as: UTF8.self) }
  }

  /// How files are recognized.
  struct Recognition: Sendable {
    /// The number of bytes to read.
    var length: Int
    /// Returns the name of the format of a file by its first bytes and its name; nil if it is not to be listed.
    var format: @Sendable (_ head: [UInt8], _ name: [UInt8]) -> String?
  }

  var entries: [Entry] = []
  /// True if the folder contains more items than the limit.
  var isCut = false
  /// `errno` if the folder could not be opened.
  var failure: Int32?

  /// The maximum number of items to inspect in one folder.
  static let limit = 5000

  /// Reads a folder. This opens each file, so it may take a while.
  static func read(_ path: [UInt8], showsHidden: Bool, _ recognition: Recognition) -> FileFolder {
    var folder = FileFolder()
    var seen = 0
    do throws(FileFailure) {
      try Folder.forEachName(in: terminated(path)) { name in
        guard showsHidden || name.first != UInt8(ascii: ".") else { return true }
        seen += 1
        folder.isCut = seen > limit
        if !folder.isCut, let found = Self.entry(named: name, in: path, recognition) { folder.entries.append(found) }
        return !folder.isCut
      }
    } catch {
      if folder.entries.isEmpty { return FileFolder(failure: error.code) }
    }
    let keyed = folder.entries.map { (entry: $0, key: $0.text.lowercased()) }
    folder.entries = keyed.sorted { one, other in
      if one.entry.isFolder != other.entry.isFolder { return one.entry.isFolder }
      return one.key == other.key ? one.entry.text < other.entry.text : one.key < other.key
    }.map(\.entry)
    return folder
  }

  static func path(of name: [UInt8], in folder: [UInt8]) -> [UInt8] {
    folder.last == UInt8(ascii: "/") ? folder + name : folder + [UInt8(ascii: "/")] + name
  }

  /// Returns the folder of a typed path: absolute, in the home folder after `~`, or relative to another folder.
  static func path(typed: String, in folder: [UInt8]) -> [UInt8] {
    let root = [UInt8(ascii: "/")]
    let expanded = Array(PathCompletion.expanded(typed).utf8)
    var path = expanded.first == root[0] ? root : folder
    for name in expanded.split(separator: root[0]) {
      switch name {
      case Array(".".utf8)[...]: break
      case Array("..".utf8)[...]: path = above(path)?.folder ?? root
      default: path = Self.path(of: Array(name), in: path)
      }
    }
    return path
  }

  /// Returns the parent folder, and the name of this one in it; nil for the root.
  static func above(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8])? {
    var path = path[...]
    while path.count > 1, path.last == UInt8(ascii: "/") { path = path.dropLast() }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")), path.count > 1 else { return nil }
    return (slash == path.startIndex ? [UInt8(ascii: "/")] : Array(path[..<slash]), Array(path[(slash + 1)...]))
  }

  private static func terminated(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

  /// Inspects an item; nil if it is neither a folder nor a readable file of the kind. Only opens regular files, and no open book:
  /// opening a device can have side effects, and closing a book's file would drop SQLite's locks on it.
  private static func entry(named name: [UInt8], in folder: [UInt8], _ recognition: Recognition) -> Entry? {
    let path = terminated(Self.path(of: name, in: folder))
    guard let status = stat(of: path) else { return nil }
    if status.isFolder { return Entry(name: name) }
    guard status.isFile, !AddressBook.isOpen(path: path) else { return nil }
    guard let head = ReadableFile(path)?.bytes(upTo: recognition.length), let format = recognition.format(head, name)
    else { return nil }
    return Entry(name: name, format: format)
  }
}
