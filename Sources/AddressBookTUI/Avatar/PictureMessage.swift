import AddressBookModel
import AvatarImage
import Glibc
import Messages
import PictureFormat

/// User-visible messages for photos that cannot be read, used or drawn. They do not include the file's name.
public enum PictureMessage {
  /// Why image data were refused.
  public static func text(of refusal: ImageRefusal, in localization: Localization) -> String {
    func text(_ key: String, _ arguments: String...) -> String {
      localization.text("picture." + key, arguments: arguments, table: "Screen")
    }
    func number(_ value: Int) -> String { localization.grouped(value) }
    return switch refusal {
    case .empty: text("empty")
    case .unrecognized: text("unrecognized")
    case .unsupported(let format): text("unsupported", name(of: format, in: localization))
    case .unsupportedVariant(let format): text("unsupportedVariant", name(of: format))
    case .tooManyBytes(let limit): text("tooManyBytes", number(limit >> 20))
    case .noPixels: text("noPixels")
    case .sideTooLong(let width, let height, let limit):
      text("sideTooLong", number(width), number(height), number(limit))
    case .tooManyPixels(let width, let height, let limit):
      text("tooManyPixels", number(width), number(height), number(limit))
    case .tooManyScans(let count, let limit): text("tooManyScans", number(count), number(limit))
    case .truncated(let format): text("truncated", name(of: format))
    case .damaged(let format): text("damaged", name(of: format))
    case .decoderFailed(let format): text("decoderFailed", name(of: format))
    case .missingDecoder(let format):
      text("missingDecoder", name(of: format), format == .webp ? "webp-pixbuf-loader" : "libgdk-pixbuf-2.0-0")
    case .missingLibrary: text("missingLibrary", "libgdk-pixbuf-2.0-0")
    case .noMemory: text("noMemory")
    }
  }

  /// Why a file could not be read.
  public static func text(of error: ImageFileError, in localization: Localization) -> String {
    func text(_ key: String, _ arguments: String...) -> String {
      localization.text("picture.file." + key, arguments: arguments, table: "Screen")
    }
    return switch error {
    case .notFound: text("notFound")
    case .notPermitted: text("notPermitted")
    case .notRegular(let kind): text("notRegular." + kind.rawValue)
    case .symbolicLink: text("symbolicLink")
    case .impossibleName: text("impossibleName")
    case .tooLarge(let limit): text("tooLarge", localization.grouped(limit >> 20))
    case .system(let number): text("system", String(cString: strerror(number)))
    }
  }

  /// The message that photos cannot be drawn because chafa is not installed.
  public static func missingRenderer(in localization: Localization) -> String {
    localization.text("picture.missingRenderer", arguments: ["libchafa0"], table: "Screen")
  }

  /// The usual spelling of a format's name.
  static func name(of format: ImageFormat) -> String { format == .webp ? "WebP" : format.rawValue.uppercased() }

  private static func name(of format: ForeignFormat, in localization: Localization) -> String {
    switch format {
    case .video, .text: localization.text("picture.foreign." + format.rawValue, arguments: [], table: "Screen")
    default: format.rawValue
    }
  }
}
