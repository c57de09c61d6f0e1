/// Pixels that are not copied, such as a decoder's.
struct PixelRows {
  let base: UnsafePointer<UInt8>
  let width: Int
  let height: Int
  /// The number of channels: 3 or 4.
  let channels: Int
  /// The number of bytes from one row to the next.
  let stride: Int
}

/// Scaling by area: each new pixel is the mean of the old ones that it covers, weighted by covered area and alpha. All
/// sums are integers: the same image gives the same bytes on every machine.
enum AreaScaling {
  /// The old pixels covered by a new one along one axis: the first one, and the weights from there on; the weights add
  /// up to the length of the old side.
  private struct Span {
    var first: Int
    var weights: [Int]
  }

  static func scale(
    _ source: PixelRows, left: Int, top: Int, width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int
  ) -> RasterImage {
    let columns = spans(width, newWidth)
    let rows = spans(height, newHeight)
    let total = width * height
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * 4)
    // Sums of one old row at the new width, and the sums of a whole new row: red, green, blue times alpha, and alpha.
    var line = [Int](repeating: 0, count: newWidth * 4)
    var sums = [Int](repeating: 0, count: newWidth * 4)
    line.withUnsafeMutableBufferPointer { line in
      sums.withUnsafeMutableBufferPointer { sums in
        result.withUnsafeMutableBufferPointer { result in
          var current = -1
          for (newRow, span) in rows.enumerated() {
            sums.update(repeating: 0)
            for (index, weight) in span.weights.enumerated() {
              // Adjacent new rows share at most one old row, which is then still in `line`.
              if span.first + index != current {
                current = span.first + index
                sum(source, row: top + current, left: left, columns, into: line)
              }
              for position in 0..<newWidth * 4 { sums[position] += weight * line[position] }
            }
            for column in 0..<newWidth {
              store(sums, column, total, into: result, at: (newRow * newWidth + column) * 4)
            }
          }
        }
      }
    }
    return RasterImage(width: newWidth, height: newHeight, rgba: result)
  }

  private static func spans(_ old: Int, _ new: Int) -> [Span] {
    // In units of 1/(old * new) of the side, an old pixel is `new` long and a new one `old`.
    (0..<new).map { index in
      let start = index * old
      let end = start + old
      let first = start / new
      let last = (end - 1) / new
      return Span(first: first, weights: (first...last).map { min(end, ($0 + 1) * new) - max(start, $0 * new) })
    }
  }

  private static func sum(
    _ source: PixelRows, row: Int, left: Int, _ columns: [Span], into line: UnsafeMutableBufferPointer<Int>
  ) {
    let base = source.base + row * source.stride + left * source.channels
    for (column, span) in columns.enumerated() {
      var red = 0
      var green = 0
      var blue = 0
      var alpha = 0
      var pixel = base + span.first * source.channels
      for weight in span.weights {
        let part = weight * (source.channels == 4 ? Int(pixel[3]) : 255)
        red += part * Int(pixel[0])
        green += part * Int(pixel[1])
        blue += part * Int(pixel[2])
        alpha += part
        pixel += source.channels
      }
      line[column * 4] = red
      line[column * 4 + 1] = green
      line[column * 4 + 2] = blue
      line[column * 4 + 3] = alpha
    }
  }

  private static func store(
    _ sums: UnsafeMutableBufferPointer<Int>, _ column: Int, _ total: Int,
    into result: UnsafeMutableBufferPointer<UInt8>, at offset: Int
  ) {
    let alpha = sums[column * 4 + 3]
    guard alpha > 0 else { return }
    for channel in 0..<3 {
      result[offset + channel] = UInt8((sums[column * 4 + channel] + alpha / 2) / alpha)
    }
    result[offset + 3] = UInt8((alpha + total / 2) / total)
  }
}

extension RasterImage {
  /// Returns the image at another size, each side 1 or more.
  public func scaled(toWidth newWidth: Int, height newHeight: Int) -> RasterImage {
    scaled(left: 0, top: 0, width: width, height: height, toWidth: max(1, newWidth), height: max(1, newHeight))
  }

  /// Returns a part of the image, which must be inside it, at another size.
  func scaled(
    left: Int, top: Int, width partWidth: Int, height partHeight: Int, toWidth newWidth: Int, height newHeight: Int
  ) -> RasterImage {
    rgba.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return self }
      return AreaScaling.scale(
        PixelRows(base: base, width: width, height: height, channels: 4, stride: width * 4),
        left: left, top: top, width: partWidth, height: partHeight, toWidth: newWidth, height: newHeight)
    }
  }
}
