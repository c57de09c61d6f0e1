import AddressBookModel
import Glibc

/// Warns when root works in another user's folder, as with `sudo -E`: files created there belong to root, and the
/// folder's owner cannot write them later.
enum RootNotice {
  static func say(_ location: StoreLocation) {
    guard geteuid() == 0 else { return }
    for path in [location.path, location.cacheFolder].compactMap(\.self) {
      guard let owner = owner(path), owner != 0 else { continue }
      StandardError.say(strings("Notice/root", path))
      return
    }
  }

  /// The owner of a file, or of the nearest folder above it that exists.
  private static func owner(_ path: String) -> uid_t? {
    var path = path
    while !path.isEmpty {
      if let status = stat(of: path) { return status.st_uid }
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
      path = String(path[..<slash])
    }
    return nil
  }
}
