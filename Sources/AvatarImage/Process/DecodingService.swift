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
