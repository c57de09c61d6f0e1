import Glibc

/// The folder of cache files.
enum CacheFolder {
  /// Unused cache files are removed after this many seconds.
  private static let longestLife = 90 * 86_400

  /// Removes files that have not been written for a long time, and leftovers of interrupted processes.
  static func removeOld(_ folder: String) {
    let now = time(nil)
    for name in Folder.names(in: folder) {
      guard name.hasSuffix(".index") || name.hasSuffix(".lines") || name.hasSuffix(".tmp") else { continue }
      var status = stat()
      let path = folder + "/" + name
      let life = name.hasSuffix(".tmp") ? 3600 : longestLife
      if lstat(path, &status) == 0, now - status.st_mtim.tv_sec > life { unlink(path) }
    }
  }
}
