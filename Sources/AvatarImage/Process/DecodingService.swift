import Glibc
import PictureFormat

/// The other end of a ``DecodingProcess``: reads images from standard input and writes pixels to standard output.
public enum DecodingService {
  /// The argument that makes a program decode.
  public static let argument = "--decode-pictures"

  /// The limit of address space. The largest image takes 160 MiB during decoding, and its file 40.
  private static let memory = 1 << 30
  /// The limit of processor time for an image, in seconds.
  private static let seconds: UInt32 = 15
  /// The time without an image after which the process ends, in milliseconds.
  private static let idleTime: Int32 = 300_000

  /// Decodes until standard input ends or stays idle, with limits on memory and time and without network access. Call
  /// it before anything else, and exit with the status that it returns.
  ///
  /// An image of exactly as many bytes as the environment variable `ADDRESSBOOK_DECODER_CRASH` says ends the process
  /// with SIGSEGV, to test the other end.
  public static func run() -> Int32 {
    guard ConfinedProcess.confine(memory: memory) else { return 1 }
    let crash = getenv("ADDRESSBOOK_DECODER_CRASH").flatMap { Int(String(cString: $0)) }
    while hasInput() {
      guard let header = read(FrameMessage.requestHeaderSize) else { return 0 }
      guard let (request, count) = FrameMessage.decodeRequest(header), let bytes = read(count) else { return 1 }
      if count == crash { raise(SIGSEGV) }
      ConfinedProcess.limitTime(seconds: seconds)
      var complete = request
      complete.bytes = bytes
      guard answer(complete) else { return 1 }
      if count > 1 << 20 { ConfinedProcess.trim() }
    }
    return 0
  }

  private static func answer(_ request: FrameRequest) -> Bool {
    do {
      let image = try ImageDecoder.decodeHere(request)
      return write(FrameMessage.encode(nil)) && write(image.rgba)
    } catch {
      return write(FrameMessage.encode(error))
    }
  }

  /// Returns false at the end of the input, and after a long time without any.
  private static func hasInput() -> Bool {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&waiting, 1, idleTime)
      if count < 0, errno == EINTR { continue }
      return count > 0 && waiting.revents & Int16(POLLIN) != 0
    }
  }

  private static func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let received = bytes.withUnsafeMutableBytes {
        Glibc.read(STDIN_FILENO, $0.baseAddress.map { $0 + done }, count - done)
      }
      if received < 0, errno == EINTR { continue }
      guard received > 0 else { return nil }
      done += received
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}

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
