import PictureFormat

/// Why a card's picture is not taken into the book, as a report of an import tells it.
public enum RefusedPicture: String, Hashable, Sendable, CaseIterable {
  /// Not a picture of a known format, or cut short before its size.
  case notAPicture
  /// The file is longer than the limit.
  case tooManyBytes
  /// A side or the number of pixels is beyond the limit.
  case tooManyPixels

  init(_ refusal: ImageRefusal) {
    switch refusal {
    case .tooManyBytes: self = .tooManyBytes
    case .sideTooLong, .tooManyPixels: self = .tooManyPixels
    default: self = .notAPicture
    }
  }
}
