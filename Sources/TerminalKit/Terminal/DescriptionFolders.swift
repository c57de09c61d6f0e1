import Glibc

/// The terminfo folders of systems other than the one on which the program was built. A statically linked ncurses knows
/// only the folders of the build system, those in `TERMINFO` and `TERMINFO_DIRS`, and `~/.terminfo`.
struct DescriptionFolders {
  /// The folders of Debian, of most other distributions, of packages in `/usr/local`, and of NixOS, Guix and Homebrew.
  static let usual = [
    "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo", "/usr/share/lib/terminfo",
    "/usr/local/share/terminfo", "/usr/local/lib/terminfo", "/run/current-system/sw/share/terminfo",
    "/run/current-system/profile/share/terminfo", "/home/linuxbrew/.linuxbrew/share/terminfo",
  ]

  private static let variable = "TERMINFO_DIRS"
  private let folders: [String]
  /// The variable's value before ``add()``; nil if it was not set.
  private var previous: String?
  private var isAdded = false

  init(_ folders: [String] = usual) { self.folders = folders }

  /// Makes ncurses search the folders after its own, with `TERMINFO_DIRS`, where an empty name stands for ncurses' own
  /// folders. Call it only if nothing was found without them, and call ``remove()`` afterwards: programs that are
  /// started later would inherit the variable.
  mutating func add() {
    guard !isAdded else { return }
    isAdded = true
    previous = getenv(Self.variable).map { String(cString: $0) }
    setenv(Self.variable, ([previous ?? ""] + folders).joined(separator: ":"), 1)
  }

  /// Restores the variable.
  mutating func remove() {
    guard isAdded else { return }
    isAdded = false
    if let previous { setenv(Self.variable, previous, 1) } else { unsetenv(Self.variable) }
  }
}
