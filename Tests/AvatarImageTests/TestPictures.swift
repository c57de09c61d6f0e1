@testable import AvatarImage
@testable import PictureFormat

/// Writes small PNGs, and reads the names of a PNG's chunks, without any library.
enum PNGChunks {
  /// Makes a PNG with these header fields and rows, stored uncompressed.
  static func file(
    width: UInt32, height: UInt32, depth: UInt8 = 8, colorType: UInt8 = 2, rows: [[UInt8]] = [],
    before: [(String, [UInt8])] = []
  ) -> [UInt8] {
    let header = big(width) + big(height) + [depth, colorType, 0, 0, 0]
    let data = rows.flatMap { row -> [UInt8] in [0] + row }
    var file = PNGHeader.signature + chunk("IHDR", header)
    for extra in before { file += chunk(extra.0, extra.1) }
    return file + chunk("IDAT", zlib(data)) + chunk("IEND", [])
  }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return big(UInt32(data.count)) + body + big(crc(body))
  }

  static func names(_ png: [UInt8]) -> [String] {
    var names: [String] = []
    var offset = 8
    while let length = png.bigEndian32(at: offset), offset + 12 + length <= png.count {
      names.append(String(decoding: png[offset + 4..<offset + 8], as: UTF8.self))
      offset += 12 + length
    }
    return names
  }

  static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Encodes data as in RFC 1950, with stored blocks of RFC 1951.
  private static func zlib(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = data[...]
    repeat {
      let part = rest.prefix(65535)
      rest = rest.dropFirst(part.count)
      let length = UInt16(part.count)
      result += [
        rest.isEmpty ? 1 : 0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8),
      ]
      result += part
    } while !rest.isEmpty
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in data {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return result + big(high << 16 | low)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}

/// Writes small files of the other formats, valid or invalid, without any library.
enum RawFiles {
  static func little16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
  static func little32(_ value: Int) -> [UInt8] { little16(value & 0xFFFF) + little16(value >> 16 & 0xFFFF) }

  /// Makes a BMP's two headers, followed by these bytes of pixels.
  static func bmp(width: Int, height: Int, depth: Int = 24, compression: Int = 0, pixels: [UInt8] = []) -> [UInt8] {
    var file = Array("BM".utf8) + little32(54 + pixels.count) + little32(0) + little32(54)
    file += little32(40) + little32(width) + little32(height) + little16(1) + little16(depth)
    return file + little32(compression) + [UInt8](repeating: 0, count: 20) + pixels
  }

  /// Makes a GIF's screen and the beginning of a frame.
  static func gif(screen: (Int, Int), frame: (Int, Int)) -> [UInt8] {
    var file =
      Array("GIF89a".utf8) + little16(screen.0) + little16(screen.1) + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    file += [0x2C] + little16(0) + little16(0) + little16(frame.0) + little16(frame.1) + [0, 2]
    return file + [2, 0x4C, 0x01, 0, 0x3B]
  }

  /// Makes a JPEG's frame header and the given number of scans, without tables.
  static func jpeg(
    width: Int, height: Int, frameMarker: UInt8 = 0xC0, components: Int = 3, scans: Int = 1
  ) -> [UInt8] {
    func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    var file: [UInt8] =
      [0xFF, 0xD8, 0xFF, frameMarker] + big16(8 + 3 * components) + [8] + big16(height) + big16(width)
    file += [UInt8(components)]
    for component in 0..<components { file += [UInt8(component + 1), 0x11, 0] }
    for _ in 0..<scans {
      file += [0xFF, 0xDA] + big16(6 + 2 * components) + [UInt8(components)]
      for component in 0..<components { file += [UInt8(component + 1), 0] }
      file += [0, 63, 0, 0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
    }
    return file + [0xFF, 0xD9]
  }

  /// Makes a lossless WebP's header.
  static func webp(width: Int, height: Int) -> [UInt8] {
    let bits = (width - 1) | (height - 1) << 14
    let data: [UInt8] = [0x2F] + little32(bits) + [0]
    let chunk = Array("VP8L".utf8) + little32(data.count) + data
    return Array("RIFF".utf8) + little32(4 + chunk.count) + Array("WEBP".utf8) + chunk
  }
}

extension RasterImage {
  static let red = Pixel(red: 220, green: 20, blue: 20)
  static let green = Pixel(red: 20, green: 170, blue: 20)
  static let blue = Pixel(red: 20, green: 20, blue: 220)
  static let yellow = Pixel(red: 230, green: 210, blue: 20)

  /// Draws red and green above blue and yellow.
  static func quadrants(width: Int, height: Int) -> RasterImage {
    var image = RasterImage(width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        image[column: column, row: row] =
          row < height / 2 ? (column < width / 2 ? red : green) : (column < width / 2 ? blue : yellow)
      }
    }
    return image
  }

  /// Makes an image of pseudo-random pixels, which are the same for the same seed.
  static func noise(width: Int, height: Int, seed: UInt64, isOpaque: Bool = true) -> RasterImage {
    var image = RasterImage(width: width, height: height)
    var state = seed
    for offset in image.rgba.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      image.rgba[offset] = isOpaque && offset % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 33)
    }
    return image
  }
}
