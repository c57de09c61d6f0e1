/// How images are sent to a terminal.
public enum ImageProtocol: Hashable, Sendable {
  /// kitty's graphics protocol with Unicode placeholders: images are part of the text and move with it.
  case kitty
  /// Sixel graphics (DEC STD 070), for images made with ``TerminalImage/init(sixel:columns:rows:)``.
  case sixel
  /// iTerm2's inline images (OSC 1337; https://iterm2.com/documentation-images.html).
  case iterm
}
