import TerminalKit

/// A terminal for tests: it keeps the last canvas and counts what a real terminal would have had to draw.
@MainActor
public final class RecordingTerminal: Terminal {
  /// The size, which a test can set; it must also send the program `Event.resize`, as the event loop would.
  public var size: Size
  /// The size that ``updateSize()`` will find, for tests of a loop that is notified by a signal.
  public var pendingSize: Size?
  /// The number of colors; settable, initially 256.
  public var colors: Int
  /// The size of a cell in pixels; settable, initially nil (no images).
  public var imageCell: PixelSize?
  /// The protocol for images; settable before the first frame, initially kitty's.
  public var imageProtocol = ImageProtocol.kitty {
    didSet { layer = ImageLayer(imageProtocol) }
  }
  /// The bytes that a real terminal would have been sent to store and delete images, or to lay them over a frame.
  public private(set) var imageBytes: [UInt8] = []
  private var images = ImageStore(KittySequence())
  private var layer = ImageLayer(.kitty)
  /// The last canvas with blank cells for the images that are laid over it.
  private var layered: Canvas?
  /// The most recently presented canvas; nil before the first.
  public private(set) var canvas: Canvas?
  /// The number of `present` calls, including those while the terminal was released, which draw nothing.
  public private(set) var presentCount = 0
  /// The number of cells that changed in the last `present`; all of them for a first or invalidated screen, or after a
  /// change of the size.
  public private(set) var changedCells = 0
  /// The lines that changed in the last `present`, from 0 at the top.
  public private(set) var changedLines: [Int] = []
  /// The sum of changed cells over all `present` calls since ``resetCounts()``.
  public private(set) var totalChangedCells = 0
  /// The number of bells.
  public private(set) var bells = 0
  /// The copied texts, oldest first.
  public private(set) var copiedTexts: [String] = []
  /// The number of ``leave()`` calls, which is one more than ``enters`` while the terminal is released.
  public private(set) var leaves = 0
  /// The number of ``enter()`` calls.
  public private(set) var enters = 0
  private var isInvalid = true
  /// False between ``leave()`` and ``enter()``.
  private var isOurs = true

  /// Creates a recording terminal of this size.
  public init(size: Size = Size(rows: 24, columns: 80), colors: Int = 256) {
    self.size = size
    self.colors = colors
  }

  /// Keeps the canvas and counts the differences. Between ``leave()`` and ``enter()``, only counts the call.
  public func present(_ canvas: Canvas) {
    presentCount += 1
    changedCells = 0
    changedLines = []
    guard isOurs else { return }
    let before = self.canvas.flatMap { isInvalid || $0.size != canvas.size ? nil : $0 }
    showImages(of: canvas, isFirst: before == nil)
    for row in 0..<canvas.size.rows {
      let cells = canvas.cells(ofLine: row)
      var changes = cells.count
      if let old = before?.cells(ofLine: row) {
        // Most lines are unchanged.
        changes = old == cells ? 0 : zip(old, cells).count { $0 != $1 }
      }
      if changes > 0 { changedLines.append(row) }
      changedCells += changes
    }
    totalChangedCells += changedCells
    self.canvas = canvas
    isInvalid = false
  }

  private func showImages(of canvas: Canvas, isFirst: Bool) {
    guard let imageCell else { return }
    guard imageProtocol != .kitty else {
      imageBytes += images.show(canvas.images)
      return
    }
    let last = isFirst ? nil : layered
    let frame = layer.begin(canvas, limit: size, cell: imageCell)
    imageBytes += layer.bytes(on: frame, before: last, rewritesColors: false)
    layered = frame
  }

  /// Makes the next `present` count everything as changed.
  public func invalidate() {
    isInvalid = true
    images.invalidate()
  }
  /// Counts the bell, unless the terminal is released.
  public func bell() {
    if isOurs { bells += 1 }
  }
  /// Keeps the text, unless the terminal is released.
  public func copyToClipboard(_ text: String) {
    if isOurs { copiedTexts.append(text) }
  }
  /// Whether a mouse button was held at the last report.
  public private(set) var isMouseHeld = false
  /// Keeps the state of the button.
  public func setMouseHeld(_ isHeld: Bool) { isMouseHeld = isHeld }
  /// Adopts ``pendingSize``, if there is one, and returns the size.
  public func updateSize() -> Size {
    size = pendingSize ?? size
    pendingSize = nil
    return size
  }
  /// Counts the call; nothing is drawn until ``enter()``.
  public func leave() {
    leaves += 1
    isOurs = false
    imageBytes += images.removeAll() + layer.removeAll()
  }

  /// Counts the call.
  public func enter() {
    enters += 1
    isOurs = true
    isInvalid = true
  }

  /// The last canvas as text; empty before the first.
  public var text: String { canvas?.plainText() ?? "" }

  /// Resets the counts of what was drawn, and ``imageBytes``.
  public func resetCounts() {
    presentCount = 0
    changedCells = 0
    changedLines = []
    totalChangedCells = 0
    imageBytes = []
  }
}
