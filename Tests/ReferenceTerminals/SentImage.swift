import TerminalKit

/// The part of an image that fills one cell.
public struct ImagePart: Hashable, Sendable {
  /// The data that was sent.
  public var data: String
  /// The row of the part, from the top of the image.
  public var row: Int
  /// The column of the part, from the left side of the image.
  public var column: Int
}

/// An image that was sent to be shown at the cursor.
struct SentImage {
  let data: String
  let rows: Int
  let columns: Int

  /// Parses the content of a DCS sequence: sixels whose raster attributes say how large they are.
  init?(sixels: String, cell: PixelSize) {
    guard let match = sixels.wholeMatch(of: /[0-9;]*q"1;1;([0-9]+);([0-9]+)[?-~#!$0-9;-]*/),
      let width = Int(match.output.1), let height = Int(match.output.2)
    else { return nil }
    data = sixels
    columns = (width + cell.width - 1) / cell.width
    rows = (height + cell.height - 1) / cell.height
  }

  /// Parses the content of an OSC sequence: iTerm2's inline image, whose size is in cells.
  init?(inline: String) {
    guard let match = inline.wholeMatch(of: /1337;File=inline=1;size=[0-9]+;([^:]*):([A-Za-z0-9+\/]+=*)/) else {
      return nil
    }
    func number(_ name: String) -> Int? {
      match.output.1.split(separator: ";").first { $0.hasPrefix(name + "=") }
        .flatMap { Int($0.dropFirst(name.count + 1)) }
    }
    guard let columns = number("width"), let rows = number("height") else { return nil }
    data = String(match.output.2)
    self.columns = columns
    self.rows = rows
  }
}
