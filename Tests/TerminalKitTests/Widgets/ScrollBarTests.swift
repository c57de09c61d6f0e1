import Testing

@testable import TerminalKit

@Suite struct ScrollBarTests {
  @Test func theThumbTouchesAnEndOnlyWhenScrolledThere() {
    for rows in 1...12 {
      for total in 2...60 {
        for visible in 1..<total {
          for first in 0...(total - visible) {
            let thumb = ScrollBar.thumbRows(of: rows, first: first, visible: visible, total: total)
            #expect(thumb.lowerBound >= 0 && thumb.upperBound <= rows && !thumb.isEmpty)
            if first == 0 { #expect(thumb.lowerBound == 0) }
            if first == total - visible { #expect(thumb.upperBound == rows) }
            guard rows >= thumb.count + 2 else { continue }
            if first > 0 { #expect(thumb.lowerBound > 0) }
            if first < total - visible { #expect(thumb.upperBound < rows) }
          }
        }
      }
    }
  }

  @Test func noScrollBarWhenEverythingIsVisible() {
    var canvas = Canvas(size: Size(rows: 4, columns: 1))
    ScrollBar.draw(on: &canvas, in: Rect(canvas.size), first: 0, visible: 4, total: 4, track: .plain, thumb: .plain)
    #expect(canvas.plainText() == "\n\n\n")
    ScrollBar.draw(on: &canvas, in: Rect(canvas.size), first: 0, visible: 4, total: 8, track: .plain, thumb: .plain)
    #expect(canvas.plainText() == "┃\n┃\n│\n│")
  }
}
