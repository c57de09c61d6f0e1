/// The files that keep a book's search index: a cache that is not valid is passed over, and made again.
struct CacheCheck {
  private let paths: [String]

  init(_ location: StoreLocation, path: String) {
    guard let folder = location.cacheFolder, let file = StoreFile.identity(of: path) else {
      paths = []
      return
    }
    paths = ["index", "lines"].map { "\(folder)/\(file.device)-\(file.inode).\($0)" }
  }

  /// Files that are there and not whole.
  var damaged: [String] { paths.filter { StoreFile.identity(of: $0) != nil && CacheFile.read($0) == nil } }

  var findings: [Finding] {
    let files = damaged
    return files.isEmpty ? [] : [Finding(.cache, .note, count: files.count, details: files, isRepairable: true)]
  }
}
