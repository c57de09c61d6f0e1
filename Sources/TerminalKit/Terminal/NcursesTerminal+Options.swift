import Glibc

extension NcursesTerminal {
  /// What the program wants of a terminal.
  public struct Options: Sendable {
    /// Reports of the mouse; they take from the terminal its own selection of text (hold Shift for it).
    public var mouse: Bool
    /// Reports of the window's focus: ``Event/focus(_:)``.
    public var focus: Bool
    /// Colors. By default not when NO_COLOR is set (no-color.org).
    public var color: Bool
    /// Images; see ``Terminal/imageCell``.
    public var images: Images
    /// Links that can be clicked; see ``TerminalLink``.
    public var links: Links
    /// Signals that the program handles itself: their handlers stay as they are, none by default. Without the crashes (such as
    /// SIGSEGV) the terminal is not restored after one, without SIGWINCH no ``Event/resize(_:)`` comes, without SIGTERM no
    /// ``Event/terminate(signal:)``; `Set(1...64)` leaves all of them.
    public var hostSignals: Set<Int32>

    /// When images are shown as pixels. It takes a terminal of 256 colors in any case.
    public enum Images: Hashable, Sendable {
      /// Where the environment says that the terminal can.
      case automatic
      /// Also where it does not say so: inside tmux, whose `allow-passthrough` must be on, and in terminals of other names.
      case always
      /// Nowhere.
      case never
    }

    /// When the terminal is told of links.
    public enum Links: Hashable, Sendable {
      /// Where the environment says that the terminal knows them.
      case automatic
      /// Also where it does not say so.
      case always
      /// Nowhere.
      case never
    }

    /// By default mouse, no reports of the focus, colors unless the environment says NO_COLOR, images and links where the terminal has
    /// them.
    public init(
      mouse: Bool = true, focus: Bool = false, color: Bool? = nil, images: Images = .automatic,
      links: Links = .automatic, hostSignals: Set<Int32> = []
    ) {
      self.hostSignals = hostSignals
      self.mouse = mouse
      self.focus = focus
      self.images = images
      self.links = links
      self.color = color ?? (NcursesTerminal.environment("NO_COLOR") ?? "").isEmpty
    }
  }

  /// A variable of the environment.
  nonisolated static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
