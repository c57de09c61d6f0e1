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

/// The user's home folder.
public enum HomeFolder {
  /// Returns the absolute path in `HOME`, or else the home folder of the user's account; nil if there is none.
  public static func path(in environment: [String: String]) -> String? {
    absolute(environment["HOME"]) ?? ofAccount()
  }

  /// Returns the absolute path in an `XDG_` variable, or else the folder in the home folder that stands for it; nil if
  /// there is none. A relative path is ignored, as the XDG Base Directory Specification requires.
  /// - Parameters:
  ///   - variable: its name, such as `XDG_STATE_HOME`.
  ///   - standard: the path in the home folder, such as `.local/state`.
  ///   - environment: the variables, with `HOME`.
  public static func folder(_ variable: String, _ standard: String, in environment: [String: String]) -> String? {
    absolute(environment[variable]) ?? path(in: environment).map { $0 + "/" + standard }
  }

  private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }

  private static func ofAccount() -> String? {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    return buffer.withUnsafeMutableBufferPointer { space -> String? in
      guard let start = space.baseAddress, getpwuid_r(getuid(), &record, start, space.count, &found) == 0, found != nil,
        let directory = record.pw_dir
      else { return nil }
      let home = String(validatingCString: directory)
      return home != "/" ? absolute(home) : nil
    }
  }
}
