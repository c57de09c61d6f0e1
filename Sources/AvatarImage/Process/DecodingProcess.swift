import PictureFormat
import Synchronization

/// Decodes pictures in another process, so that a fault of a decoder neither ends this one nor reaches what it holds.
///
/// The process is started with the first picture and kept for the next ones; it ends with this object, and by itself after some
/// minutes without work. When it crashes or takes too long, another one is started for the next picture, and the one on
/// which it failed is not tried again. Safe from several threads; one picture is decoded at a time.
///
/// A program passes its own path with an argument, and calls ``DecodingService/run()`` when it is started with that.
public final class DecodingProcess: Sendable {
  private struct State: ~Copyable {
    var process: ConfinedProcess?
    /// Pictures on which a process failed.
    var failed: Set<Int> = []
  }

  private let arguments: [String]
  private let timeout: Double
  private let state = Mutex(State(process: nil))

  /// No more failures than this are remembered.
  private static let failureLimit = 10_000

  /// - Parameters:
  ///   - executable: the path of a program that calls ``DecodingService/run()``.
  ///   - arguments: what it is given.
  ///   - timeout: seconds after which a picture is given up.
  public init(
    executable: String, arguments: [String] = [DecodingService.argument], timeout: Double = 20
  ) {
    self.arguments = [executable] + arguments
    self.timeout = timeout
  }

  /// The pixels of a frame at the size that is asked for.
  func decode(_ request: FrameRequest) throws(ImageRefusal) -> RasterImage {
    // Seeded by the process: nobody can make two pictures of one number.
    let number = request.bytes.hashValue
    let answer = state.withLock { state -> Result<RasterImage, ImageRefusal> in
      if state.failed.contains(number) { return .failure(.decoderFailed(request.format)) }
      // One that has waited may have ended meanwhile, which is not this picture's fault.
      var isNew = state.process == nil
      while true {
        if state.process == nil { state.process = ConfinedProcess(arguments) }
        guard let process = state.process.take() else { return .failure(.noMemory) }
        do throws(ConfinedProcess.Failure) {
          let answer = try exchange(request, process)
          state.process = consume process
          return answer
        } catch {
          if error == .ended, !isNew {
            isNew = true
            continue
          }
          if state.failed.count >= Self.failureLimit { state.failed = [] }
          state.failed.insert(number)
          return .failure(.decoderFailed(request.format))
        }
      }
    }
    return try answer.get()
  }

  private func exchange(
    _ request: FrameRequest, _ process: borrowing ConfinedProcess
  ) throws(ConfinedProcess.Failure) -> Result<RasterImage, ImageRefusal> {
    let deadline = ConfinedProcess.now + timeout
    try process.send(FrameMessage.encode(request), before: deadline)
    let header = try process.receive(FrameMessage.replyHeaderSize, before: deadline)
    switch FrameMessage.decodeReply(header, of: request.format) {
    case nil: throw .misunderstood
    case .failure(let refusal): return .failure(refusal)
    case .success:
      let pixels = try process.receive(request.targetWidth * request.targetHeight * 4, before: deadline)
      return .success(RasterImage(width: request.targetWidth, height: request.targetHeight, rgba: pixels))
    }
  }
}
