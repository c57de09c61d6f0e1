import Glibc

extension NcursesTerminal {
  /// The features that the program requests.
  public struct Options: Sendable {
    /// Mouse reports; they disable the terminal's own text selection (hold Shift for it).
    public var mouse: Bool
    /// Reports of the window's focus: ``Event/focus(_:)``.
    public var focus: Bool
    /// A query of the background color, sent after the first frame: ``Event/background(isLight:)``.
    public var background: Bool
    /// How wide characters of ambiguous width are; see ``TextWidth/ambiguousColumns``, which this sets.
    public var ambiguousWidth: AmbiguousWidth
    /// Colors. Off by default if NO_COLOR is set and not empty (no-color.org).
    public var color: Bool
    /// Images; see ``Terminal/imageCell``.
    public var images: Images
    /// Links that can be clicked; see ``TerminalLink``.
    public var links: Links
    /// Signals that the program handles itself: their handlers are left alone. None by default. If it handles the crash
    /// signals (such as SIGSEGV), the terminal is not restored after a crash; if it handles SIGWINCH,
    /// ``Event/resize(_:)`` is only sent when the terminal is taken over again; if it handles SIGTERM, there is no
    /// ``Event/terminate(signal:)`` for it. `Set(1...64)` leaves all signals alone.
    public var hostSignals: Set<Int32>

    /// The condition for showing images as pixels. All protocols require colors, and ``ImageProtocol/kitty`` 256 of
    /// them; ``ImageProtocol/sixel`` also requires a terminal that reports its size in pixels.
    public enum Images: Hashable, Sendable {
      /// If the environment says that the terminal supports a protocol.
      case automatic
      /// With that protocol, even if the environment does not say that the terminal supports it. Inside tmux,
      /// ``ImageProtocol/kitty`` needs `allow-passthrough`, ``ImageProtocol/sixel`` needs tmux 3.4 or newer with sixel
      /// support, and ``ImageProtocol/iterm`` shows no images. Inside GNU screen, no protocol shows images.
      case always(ImageProtocol)
      /// Never.
      case never
    }

    /// How many columns a terminal uses for characters of ambiguous width (UAX #11).
    public enum AmbiguousWidth: Hashable, Sendable {
      /// One, unless the terminal reports two: it is asked before the first frame, which does not wait for the reply
      /// (``Event/position(_:)``).
      case automatic
      /// One.
      case narrow
      /// Two.
      case wide
    }

    /// The condition for sending links to the terminal. The consoles of Linux and FreeBSD get none.
    public enum Links: Hashable, Sendable {
      /// If the environment says that the terminal supports links.
      case automatic
      /// Even if the environment does not say so.
      case always
      /// Never.
      case never
    }

    /// Creates options. By default: mouse, no focus reports, no query of the background, narrow ambiguous characters,
    /// colors unless NO_COLOR is set and not empty, and images and links if the terminal supports them.
    public init(
      mouse: Bool = true, focus: Bool = false, background: Bool = false, ambiguousWidth: AmbiguousWidth = .narrow,
      color: Bool? = nil,
      images: Images = .automatic, links: Links = .automatic, hostSignals: Set<Int32> = []
    ) {
      self.hostSignals = hostSignals
      self.mouse = mouse
      self.focus = focus
      self.background = background
      self.ambiguousWidth = ambiguousWidth
      self.images = images
      self.links = links
      self.color = color ?? (NcursesTerminal.environment("NO_COLOR") ?? "").isEmpty
    }
  }

  nonisolated static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

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
