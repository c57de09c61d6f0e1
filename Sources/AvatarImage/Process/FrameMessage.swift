import PictureFormat

/// One image's data, and the size to decode it to.
struct FrameRequest {
  var format: ImageFormat
  /// A complete file of the format.
  var bytes: [UInt8]
  /// The size of the image in the bytes, from the header.
  var width: Int
  var height: Int
  var targetWidth: Int
  var targetHeight: Int
}

/// The format of requests and replies between the program and the decoding process: 32-bit numbers, least significant
/// byte first, followed by bytes.
enum FrameMessage {
  /// The number of bytes before the file.
  static let requestHeaderSize = 28
  /// The number of bytes before the pixels.
  static let replyHeaderSize = 8
  private static let requestMark: UInt32 = 0x3152_4241
  private static let replyMark: UInt32 = 0x3150_4241
  private static let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp, .bmp]

  static func encode(_ request: FrameRequest) -> [UInt8] {
    let format = formats.firstIndex(of: request.format) ?? formats.count
    return numbers([
      Int(requestMark), format, request.width, request.height, request.targetWidth, request.targetHeight,
      request.bytes.count,
    ]) + request.bytes
  }

  /// Returns a request without its bytes, and their number; nil for anything else.
  static func decodeRequest(_ header: [UInt8]) -> (request: FrameRequest, count: Int)? {
    let values = numbers(in: header)
    guard values.count == 7, values[0] == requestMark, values[1] < formats.count, values[6] <= UInt32(Int32.max) else {
      return nil
    }
    let sizes = values[2...5].map { Int($0) }
    let limits = ImageLimits.standard
    guard sizes.allSatisfy({ (1...Int(Int32.max)).contains($0) }), sizes[2] * sizes[3] <= 64 * limits.workingPixels
    else {
      return nil
    }
    let request = FrameRequest(
      format: formats[Int(values[1])], bytes: [], width: sizes[0], height: sizes[1], targetWidth: sizes[2],
      targetHeight: sizes[3])
    return (request, Int(values[6]))
  }

  /// Returns a reply without its pixels.
  static func encode(_ refusal: ImageRefusal?) -> [UInt8] {
    let status =
      switch refusal {
      case nil: 0
      case .truncated: 1
      case .missingDecoder: 2
      case .missingLibrary: 3
      case .noMemory: 4
      default: 5
      }
    return numbers([Int(replyMark), status])
  }

  /// Decodes a reply: success for pixels that follow; nil for anything that is not a reply.
  static func decodeReply(_ header: [UInt8], of format: ImageFormat) -> Result<Void, ImageRefusal>? {
    let values = numbers(in: header)
    guard values.count == 2, values[0] == replyMark else { return nil }
    switch values[1] {
    case 0: return .success(())
    case 1: return .failure(.truncated(format))
    case 2: return .failure(.missingDecoder(format))
    case 3: return .failure(.missingLibrary)
    case 4: return .failure(.noMemory)
    case 5: return .failure(.damaged(format))
    default: return nil
    }
  }

  private static func numbers(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  private static func numbers(in bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { start in
      (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
    }
  }
}
