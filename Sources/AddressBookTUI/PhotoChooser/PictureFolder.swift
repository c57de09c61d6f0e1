import AddressBookModel
import AvatarImage
import Glibc
import PictureFormat
import SystemCalls
import TerminalKit

/// The contents of a folder for choosing a photo: folders first, then images, which are recognized by their first
/// bytes.
struct PictureFolder: Sendable, Equatable {
  /// A file or folder. Its name is bytes, which need not be UTF-8.
  struct Entry: Sendable, Hashable {
    var name: [UInt8]
    /// Nil for a folder.
    var format: ImageFormat?

    var isFolder: Bool { format == nil }
    /// The name for display and typing.
    var text: String { String(decoding: name, as: UTF8.self) }
  }

  var entries: [Entry] = []
  /// True if the folder contains more items than the limit.
  var isCut = false
  /// `errno` if the folder could not be opened.
  var failure: Int32?

  /// The maximum number of items to inspect in one folder.
  static let limit = 5000

  /// Reads a folder. This opens each file, so it may take a while.
  static func read(_ path: [UInt8], showsHidden: Bool) -> PictureFolder {
    var folder = PictureFolder()
    var seen = 0
    do throws(FileFailure) {
      try Folder.forEachName(in: terminated(path)) { name in
        guard showsHidden || name.first != UInt8(ascii: ".") else { return true }
        seen += 1
        folder.isCut = seen > limit
        if !folder.isCut, let found = Self.entry(named: name, in: path) { folder.entries.append(found) }
        return !folder.isCut
      }
    } catch {
      if folder.entries.isEmpty { return PictureFolder(failure: error.code) }
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

  /// Inspects an item; nil if it is neither a folder nor a readable image. Only opens regular files, and no open book:
  /// opening a device can have side effects, and closing a book's file would drop SQLite's locks on it.
  private static func entry(named name: [UInt8], in folder: [UInt8]) -> Entry? {
    let path = terminated(Self.path(of: name, in: folder))
    guard let status = stat(of: path) else { return nil }
    if status.isFolder { return Entry(name: name) }
    guard status.isFile, !AddressBook.isOpen(path: path) else { return nil }
    guard let head = ReadableFile(path)?.bytes(upTo: 64), let format = ImageFormat(firstBytes: head) else { return nil }
    return Entry(name: name, format: format)
  }
}

/// An image file, decoded and drawn for the chooser.
struct PicturePreview: Sendable {
  /// The file and the size in cells.
  struct Request: Hashable, Sendable {
    var path: [UInt8]
    var columns: Int
    var rows: Int
    var style: PictureStyle
  }

  /// Why there is no preview.
  enum Refusal: Error {
    case file(ImageFileError)
    case image(ImageRefusal)
  }

  let image: RasterImage
  let format: ImageFormat
  /// The size of the file's image in pixels; `image` may be smaller.
  let width: Int
  let height: Int
  /// Nil if it cannot be drawn.
  let drawing: DrawnPicture?

  /// Reads, decodes and draws the file; call it on a background thread.
  static func make(
    _ request: Request, _ decoder: DecodingProcess?
  ) -> Result<PicturePreview, Refusal> {
    do {
      let bytes = try ImageFile.read(path: request.path)
      do {
        let header = try ImageHeader(bytes)
        let image = try ImageDecoder.decode(header, in: decoder)
        return .success(
          PicturePreview(
            image: image, format: header.format, width: header.width, height: header.height,
            drawing: request.style.draw(image, columns: request.columns, rows: request.rows)))
      } catch {
        return .failure(.image(error))
      }
    } catch {
      return .failure(.file(error))
    }
  }
}
