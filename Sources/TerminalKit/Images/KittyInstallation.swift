import Glibc

/// Reads the version of the running kitty without querying it: distributions install its Python sources.
enum KittyInstallation {
  /// False if the sources in that folder (`KITTY_INSTALLATION_DIR`) are older than 0.28: such versions show
  /// placeholders as boxes. True if there are no sources: installations without them update themselves.
  static func showsPlaceholders(folder: String) -> Bool {
    guard let source = beginning(of: folder + "/kitty/constants.py"), let version = version(in: source) else {
      return true
    }
    return version >= (0, 28)
  }

  /// The version assigned in the source: `version: Version = Version(0, 26, 5)`.
  static func version(in source: String) -> (Int, Int)? {
    for rest in source.split(separator: "Version(").dropFirst() {
      let numbers = rest.prefix { $0 != ")" }.split(separator: ",").prefix(2).map { Int($0.filter { $0 != " " }) }
      if numbers.count == 2, let major = numbers[0], let minor = numbers[1] { return (major, minor) }
    }
    return nil
  }

  private static func beginning(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    guard case .bytes(let count) = DescriptorRead(descriptor, into: &bytes) else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
