import Glibc

/// The environment variables of this process, read one at a time.
///
/// Foundation copies all variables at each access, and looks up generic types to do so: a twelfth of the work until the
/// first screen.
public enum ProcessEnvironment {
  /// The value of a variable; nil if it is not set.
  public static subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Returns the first of those variables whose value is not UTF-8; nil if there is none. A path from it would name
  /// another file.
  public static func firstWithoutText(of names: [String]) -> String? {
    names.first { name in getenv(name).map { String(validatingCString: $0) == nil } ?? false }
  }

  /// Returns the values of those variables that are set.
  public static func values(of names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names { values[name] = self[name] }
    return values
  }
}
