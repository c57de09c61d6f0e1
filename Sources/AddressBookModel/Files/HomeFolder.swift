import Glibc

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
