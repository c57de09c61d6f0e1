import PictureFormat

/// One picture's data, and the size to which it is decoded.
struct FrameRequest {
  var format: ImageFormat
  /// A whole file of the format.
  var bytes: [UInt8]
  /// Size of the picture in the bytes, as the header was read.
  var width: Int
  var height: Int
  /// Size that is wanted.
  var targetWidth: Int
  var targetHeight: Int
}

/// How a request and its answer travel between the program and the process that decodes: 32-bit numbers, least significant
/// byte first, and then bytes.
enum FrameMessage {
  /// Bytes before the file.
  static let requestHeaderSize = 28
  /// Bytes before the pixels.
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

  /// A request without its bytes, and how many of them follow; nil for anything else.
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

  /// An answer without its pixels.
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

  /// What an answer says, success for pixels that follow; nil for anything that is no answer.
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
