extension Canvas {
  /// Draws an image's lines, from its line `first` on, at the rectangle's top left corner and no further than the rectangle.
  ///
  /// Its cells are cells like others: what is drawn over them later hides that part of the image, and lines that move take
  /// it with them. Where the image is clear, the background shows.
  public mutating func put(_ image: TerminalImage, from first: Int = 0, in rect: Rect, background: Color = .standard) {
    let style = Style(foreground: .palette(image.color), background: background)
    var isDrawn = false
    for row in max(0, first)..<max(0, first, min(image.rows, first + rect.rows)) {
      for column in 0..<max(0, min(image.columns, rect.columns)) {
        let place = Point(row: rect.row + row - first, column: rect.column + column)
        guard isInside(place.row, place.column) else { continue }
        let text = ImagePlaceholder.text(row: row, column: column, highByte: image.highByte)
        set(place.row, place.column, Cell(text: text, style: style))
        isDrawn = true
      }
    }
    if isDrawn, !images.contains(image) { images.append(image) }
  }

  /// Forgets which images were drawn, for a canvas that began as a copy of another, before their area is redrawn.
  public mutating func forgetImages() { images = [] }
}
