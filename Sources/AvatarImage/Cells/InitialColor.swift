/// The background color of an initial: one of twelve, the same for a contact on every machine and in every session.
struct InitialColor: Hashable {
  /// The 24-bit color; white text on it has a contrast of at least 4.5 (WCAG 2.1, 1.4.3).
  let rgb: (UInt8, UInt8, UInt8)
  /// A similar color of the palette, also with a contrast of at least 4.5.
  let palette256: UInt8
  /// The entry among the 16 colors.
  let palette16: UInt8

  static let all: [InitialColor] = [
    InitialColor(rgb: (0xC6, 0x28, 0x28), palette256: 124, palette16: 1),
    InitialColor(rgb: (0xAD, 0x14, 0x57), palette256: 125, palette16: 5),
    InitialColor(rgb: (0x6A, 0x1B, 0x9A), palette256: 91, palette16: 5),
    InitialColor(rgb: (0x39, 0x49, 0xAB), palette256: 61, palette16: 4),
    InitialColor(rgb: (0x15, 0x65, 0xC0), palette256: 25, palette16: 4),
    InitialColor(rgb: (0x01, 0x57, 0x9B), palette256: 24, palette16: 6),
    InitialColor(rgb: (0x00, 0x60, 0x64), palette256: 23, palette16: 6),
    InitialColor(rgb: (0x00, 0x69, 0x5C), palette256: 29, palette16: 2),
    InitialColor(rgb: (0x2E, 0x7D, 0x32), palette256: 28, palette16: 2),
    InitialColor(rgb: (0xBF, 0x36, 0x0C), palette256: 130, palette16: 3),
    InitialColor(rgb: (0x6D, 0x4C, 0x41), palette256: 94, palette16: 3),
    InitialColor(rgb: (0x45, 0x5A, 0x64), palette256: 59, palette16: 1),
  ]

  /// Returns the color of a contact by its UID (64-bit FNV-1a with the last step of MurmurHash3; without it the hashes
  /// of similar UIDs differ in few bits).
  static func of(uid: String) -> InitialColor {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in uid.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return all[Int((hash >> 32) % UInt64(all.count))]
  }

  func background(_ colors: CellColors) -> CellColor {
    switch colors {
    case .trueColor: .rgb(rgb.0, rgb.1, rgb.2)
    case .palette256: .palette(palette256)
    case .palette16: .palette(palette16)
    case .monochrome: .standard
    }
  }

  func text(_ colors: CellColors) -> CellColor {
    switch colors {
    case .trueColor: .rgb(255, 255, 255)
    case .palette256: .palette(231)
    // Yellow, green and cyan are bright in most terminals: black is readable on them.
    case .palette16: .palette([2, 3, 6].contains(palette16) ? 0 : 15)
    case .monochrome: .standard
    }
  }

  static func == (one: InitialColor, other: InitialColor) -> Bool { one.palette256 == other.palette256 }
  func hash(into hasher: inout Hasher) { hasher.combine(palette256) }
}
