import Glibc

/// The user's home folder.
public enum HomeFolder {
  /// Returns the absolute path in `HOME`, or else the home folder of the user's account; nil if there is none.
  public static func path(in environment: [String: String]) -> String? {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? ofAccount()
  }

  private static func ofAccount() -> String? {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    return buffer.withUnsafeMutableBufferPointer { space -> String? in
      guard let start = space.baseAddress, getpwuid_r(getuid(), &record, start, space.count, &found) == 0, found != nil,
        let directory = record.pw_dir
      else { return nil }
      let home = String(cString: directory)
      return home.hasPrefix("/") && home != "/" ? home : nil
    }
  }
}
