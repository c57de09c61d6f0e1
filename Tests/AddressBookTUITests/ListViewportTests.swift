import Testing

@testable import AddressBookTUI

struct ListViewportTests {
  private let viewport = ListViewport(counts: [2, 1, 4])

  @Test func aListBeginsWithTheHeaderOfItsFirstVisibleRow() {
    #expect(
      viewport.lines(top: 0, height: 6) == [
        .header(section: 0), .row(0, section: 0), .row(1, section: 0), .header(section: 1), .row(2, section: 1),
        .header(section: 2),
      ])
    #expect(
      viewport.lines(top: 4, height: 3) == [.header(section: 2), .row(4, section: 2), .row(5, section: 2)])
  }

  @Test func anEmptyListHasNoLines() {
    #expect(ListViewport(counts: []).lines(top: 0, height: 5).isEmpty)
    #expect(ListViewport(counts: [0]).lines(top: 3, height: 5).isEmpty)
  }

  @Test func everyRowKnowsItsSection() {
    #expect((0..<7).map(viewport.section(ofRow:)) == [0, 0, 1, 2, 2, 2, 2])
  }

  /// However the list was scrolled, the selected row is visible. A list that already shows it is not scrolled, unless
  /// it was scrolled beyond its last page.
  @Test func theSelectedRowIsAlwaysVisible() {
    for counts in [[1], [2, 1, 4], [1, 1, 1, 1, 1], [10], [3, 3, 3]] {
      let viewport = ListViewport(counts: counts)
      for height in 2...12 {
        for top in 0..<viewport.rowCount {
          for row in 0..<viewport.rowCount {
            let new = viewport.top(showing: row, from: top, height: height)
            #expect(new <= viewport.lastTop(height: height), "\(counts) \(height) \(top) \(row)")
            let lines = viewport.lines(top: new, height: height)
            #expect(
              lines.contains(.row(row, section: viewport.section(ofRow: row))), "\(counts) \(height) \(top) \(row)")
            if viewport.lines(top: top, height: height).contains(.row(row, section: viewport.section(ofRow: row))),
              top <= viewport.lastTop(height: height)
            {
              #expect(new == top, "a visible row moves nothing")
            }
          }
        }
      }
    }
  }

  @Test func theLastPageIsFull() {
    #expect(viewport.lines(top: viewport.lastTop(height: 4), height: 4).count == 4)
    #expect(viewport.lastTop(height: 40) == 0)
  }

  @Test func theTopIsChosenForARowOnALine() {
    let viewport = ListViewport(counts: [3, 2, 10])
    #expect(viewport.line(ofRow: 4, top: 0) == 6 && viewport.line(ofRow: 4, top: 4) == 1)
    #expect(viewport.line(ofRow: 4, top: 5) == nil && viewport.line(ofRow: 15, top: 0) == nil)
    #expect(viewport.top(showing: 9, onLine: 3) == 7)
    #expect(viewport.top(showing: 9, onLine: 50) == 0)
    // Row 3 cannot be on line 2: the header above it leaves one line, and row 2 with its own header needs two.
    #expect(viewport.top(showing: 3, onLine: 2) == 3 && viewport.top(showing: 3, onLine: 3) == 2)
  }
}

struct ListColumnsTests {
  @Test(arguments: [20, 37, 40, 50, 57, 60, 77, 90, 94, 120, 200])
  func columnsFillTheWidthAndDoNotOverlap(width: Int) {
    let columns = ListColumns(width: width).columns
    var end = ListColumns.gutter - ListColumns.gap
    for column in columns {
      #expect(column.start == end + ListColumns.gap)
      #expect(column.width > 0)
      end = column.start + column.width
    }
    #expect(end == width)
    #expect(columns.first?.field == .name)
  }
}

struct IndexBarLayoutTests {
  @Test func theIndexBarShowsAllSectionsIfTheyFit() {
    #expect(IndexBarLayout(titleCount: 27, height: 30).marks == (0..<27).map { .title($0) })
  }

  @Test(arguments: 1...40)
  func theIndexBarFitsAndCoversEverySection(height: Int) {
    let layout = IndexBarLayout(titleCount: 27, height: height)
    #expect(layout.marks.count <= height)
    if height >= 3 {
      #expect(layout.marks.first == .title(0))
      #expect(layout.marks.last == .title(26))
      for ordinal in 0..<27 { #expect(layout.marks.contains { $0.titles.contains(ordinal) }) }
    }
  }

  @Test(arguments: 1...27)
  func sectionsWithContactsGetTheirOwnLine(height: Int) {
    let present = [0, 2, 9, 11, 12, 25, 26]
    let layout = IndexBarLayout(titleCount: 27, height: height, present: present)
    #expect(layout.marks.count <= height)
    if height >= present.count {
      let lines = present.compactMap { title in layout.marks.firstIndex { $0.titles.contains(title) } }
      #expect(lines.count == present.count && Set(lines).count == present.count)
      #expect(lines == lines.sorted())
    }
  }
}
