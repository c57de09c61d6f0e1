import TerminalKit

/// A terminal for tests: it keeps what was presented and counts what a real one would have had to send.
@MainActor
public final class RecordingTerminal: Terminal {
  /// Settable; tell the program with `Event.resize` as the event loop would.
  public var size: Size
  /// The size that ``updateSize()`` will find, for tests of a loop that learns of it by a signal.
  public var pendingSize: Size?
  /// Settable; 256 at first.
  public var colors: Int
  /// Settable; nil at first: no images.
  public var imageCell: PixelSize?
  /// What a real terminal would have been sent to hold the images and to forget them.
  public private(set) var imageBytes: [UInt8] = []
  private var images = ImageStore(KittySequence())
  /// The last canvas that was presented.
  public private(set) var canvas: Canvas?
  /// Number of `present` calls.
  public private(set) var presentCount = 0
  /// Cells that differed from the one before in the last `present`; all of them for a first or invalidated screen.
  public private(set) var changedCells = 0
  /// Lines that differed from the one before in the last `present`, from 0 at the top.
  public private(set) var changedLines: [Int] = []
  /// Sums of changed cells over all `present` calls since ``resetCounts()``.
  public private(set) var totalChangedCells = 0
  /// Number of bells.
  public private(set) var bells = 0
  /// Texts that were copied, oldest first.
  public private(set) var copiedTexts: [String] = []
  /// Number of ``leave()`` and ``enter()`` calls, in this order: 1 and 0 while given back.
  public private(set) var leaves = 0
  /// See ``leaves``.
  public private(set) var enters = 0
  private var isInvalid = true

  /// A recording terminal of this size.
  public init(size: Size = Size(rows: 24, columns: 80), colors: Int = 256) {
    self.size = size
    self.colors = colors
  }

  /// Keeps it and counts the differences.
  public func present(_ canvas: Canvas) {
    presentCount += 1
    imageBytes += images.show(canvas.images)
    changedCells = 0
    changedLines = []
    let before = self.canvas.flatMap { isInvalid || $0.size != canvas.size ? nil : $0 }
    for row in 0..<canvas.size.rows {
      let cells = canvas.cells(ofLine: row)
      var changes = cells.count
      if let old = before?.cells(ofLine: row) {
        // Most lines are as they were.
        changes = old == cells ? 0 : zip(old, cells).count { $0 != $1 }
      }
      if changes > 0 { changedLines.append(row) }
      changedCells += changes
    }
    totalChangedCells += changedCells
    self.canvas = canvas
    isInvalid = false
  }

  /// Counts everything as changed next time.
  public func invalidate() {
    isInvalid = true
    images.invalidate()
  }
  /// Counts the bells.
  public func bell() { bells += 1 }
  /// Keeps the text.
  public func copyToClipboard(_ text: String) { copiedTexts.append(text) }
  /// Whether a button of the mouse was held at its last report.
  public private(set) var isMouseHeld = false
  /// Keeps it.
  public func noteMouse(isHeld: Bool) { isMouseHeld = isHeld }
  /// The size that it was given last.
  public func updateSize() -> Size {
    size = pendingSize ?? size
    pendingSize = nil
    return size
  }
  /// Gives the terminal back.
  public func leave() {
    leaves += 1
    imageBytes += images.removeAll()
  }

  /// Takes it again.
  public func enter() {
    enters += 1
    isInvalid = true
  }

  /// The last canvas as text; empty before the first.
  public var text: String { canvas?.plainText() ?? "" }

  /// Sets the counts to zero.
  public func resetCounts() {
    presentCount = 0
    changedCells = 0
    changedLines = []
    totalChangedCells = 0
    imageBytes = []
  }
}
