import SystemCalls

/// The installation of the running kitty. Its version is read from the Python sources, which distributions install, so
/// the terminal need not be queried.
enum KittyInstallation {
  /// Returns false if the sources in that folder (`KITTY_INSTALLATION_DIR`) are older than 0.28: such versions show
  /// placeholders as boxes. Returns true if there are no sources, because installations without them update themselves,
  /// or if they contain no version.
  static func showsPlaceholders(folder: String) -> Bool {
    guard let source = beginning(of: folder + "/kitty/constants.py"), let version = version(in: source) else {
      return true
    }
    return version >= (0, 28)
  }

  /// Returns the version assigned in the source (`version: Version = Version(0, 26, 5)`); nil if there is none.
  static func version(in source: String) -> (Int, Int)? {
    for rest in source.split(separator: "Version(").dropFirst() {
      let numbers = rest.prefix { $0 != ")" }.split(separator: ",").prefix(2).map { Int($0.filter { $0 != " " }) }
      if numbers.count == 2, let major = numbers[0], let minor = numbers[1] { return (major, minor) }
    }
    return nil
  }

  private static func beginning(of path: String) -> String? {
    ReadableFile(path).map { String(decoding: $0.bytes(upTo: 16_384), as: UTF8.self) }
  }
}
