import PictureFormat

/// Why a card's photo was not imported, for the report of an import.
public enum PhotoRefusal: String, Hashable, Sendable, CaseIterable {
  /// Not an image of a known format, or truncated before its size.
  case notAPicture
  /// The file exceeds the limit.
  case tooManyBytes
  /// A side or the number of pixels exceeds the limit.
  case tooManyPixels

  init(_ refusal: ImageRefusal) {
    switch refusal {
    case .tooManyBytes: self = .tooManyBytes
    case .sideTooLong, .tooManyPixels: self = .tooManyPixels
    default: self = .notAPicture
    }
  }
}
