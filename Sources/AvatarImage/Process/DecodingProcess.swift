import PictureFormat
import Synchronization

/// Another process that decodes images: a flaw in a decoder can neither end this process nor expose its data.
///
/// The process is started for the first image and reused for the next ones. It ends with this object, and by itself
/// after five minutes of inactivity. If it crashes, times out or sends an invalid reply, a new one is started for the
/// next image, and the image that caused the failure is not tried again; only if a reused process ends, the image is
/// tried once more in a new one. Thread-safe; one image is decoded at a time.
///
/// A program passes its own path with an argument, and calls ``DecodingService/run()`` when it is started with that
/// argument.
public final class DecodingProcess: Sendable {
  private struct State: ~Copyable {
    var process: ConfinedProcess?
    /// The hashes of the images that a process failed on.
    var failed: Set<Int> = []
  }

  private let arguments: [String]
  private let timeout: Double
  private let state = Mutex(State(process: nil))

  /// The maximum number of failures that are remembered; the next one replaces them all.
  private static let failureLimit = 10_000

  /// - Parameters:
  ///   - executable: the path of a program that calls ``DecodingService/run()``.
  ///   - arguments: its arguments.
  ///   - timeout: the maximum time for an image in seconds.
  public init(
    executable: String, arguments: [String] = [DecodingService.argument], timeout: Double = 20
  ) {
    self.arguments = [executable] + arguments
    self.timeout = timeout
  }

  /// Returns the pixels of a frame at the requested size.
  func decode(_ request: FrameRequest) throws(ImageRefusal) -> RasterImage {
    // The hash is seeded per process, so nobody can craft two images with the same hash.
    let number = request.bytes.hashValue
    let answer = state.withLock { state -> Result<RasterImage, ImageRefusal> in
      if state.failed.contains(number) { return .failure(.decoderFailed(request.format)) }
      // A process that was idle may have ended by itself, which is not this image's fault.
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
    case nil: throw .invalidReply
    case .failure(let refusal): return .failure(refusal)
    case .success:
      let pixels = try process.receive(request.targetWidth * request.targetHeight * 4, before: deadline)
      return .success(RasterImage(width: request.targetWidth, height: request.targetHeight, rgba: pixels))
    }
  }
}
