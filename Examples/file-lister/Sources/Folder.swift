import Foundation

/// A file or a folder in the list.
struct File {
  let name: String
  let isFolder: Bool
  /// In bytes.
  let size: Int
  let modified: Date?
  let permissions: Int
}

/// The contents of a folder: folders first, then files, by name.
struct Folder {
  let url: URL
  let files: [File]
  /// Why it could not be read; nil on success.
  let error: String?

  init(_ url: URL) {
    self.url = url
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
      files = names.map { Self.file($0, in: url) }.sorted {
        ($0.isFolder ? 0 : 1, $0.name.lowercased()) < ($1.isFolder ? 0 : 1, $1.name.lowercased())
      }
      error = nil
    } catch {
      files = []
      self.error = error.localizedDescription
    }
  }

  private static func file(_ name: String, in url: URL) -> File {
    // A file that has been removed in the meantime has no attributes, and is shown as empty.
    let attributes = (try? FileManager.default.attributesOfItem(atPath: url.appendingPathComponent(name).path)) ?? [:]
    return File(
      name: name, isFolder: attributes[.type] as? FileAttributeType == .typeDirectory,
      size: (attributes[.size] as? NSNumber)?.intValue ?? 0, modified: attributes[.modificationDate] as? Date,
      permissions: (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0)
  }
}
