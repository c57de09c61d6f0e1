import SystemCalls

/// Checks the cache files of a book. The program ignores and rebuilds an invalid file.
struct CacheCheck {
  private let paths: [String]

  init(_ location: StoreLocation, path: String) {
    guard let folder = location.cacheFolder, let file = FileIdentity(of: path) else {
      paths = []
      return
    }
    paths = ["index", "lines"].map { "\(folder)/\(file.device)-\(file.inode).\($0)" }
  }

  /// The existing files that are not valid.
  var damaged: [String] { paths.filter { FileIdentity(of: $0) != nil && CacheFile.read($0) == nil } }

  var findings: [Finding] {
    let files = damaged
    return files.isEmpty ? [] : [Finding(.cache, .note, count: files.count, details: files, isRepairable: true)]
  }
}
