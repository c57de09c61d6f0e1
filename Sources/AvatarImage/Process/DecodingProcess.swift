import CPictures
import Glibc
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

/// A child process and the socket to it. Nothing else starts one with `CPictures`.
struct ConfinedProcess: ~Copyable {
  private let process: pid_t
  private let descriptor: Int32

  /// Why sending or receiving failed.
  enum Failure: Error {
    /// The process has ended, or closed its end.
    case ended
    /// It took longer than allowed.
    case timedOut
    /// It sent an invalid reply.
    case invalidReply
  }

  /// Starts a program by its path; nil if that fails.
  init?(_ arguments: [String]) {
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    guard !pointers.isEmpty, !pointers.contains(nil) else { return nil }
    pointers.append(nil)
    var process: pid_t = 0
    var descriptor: Int32 = -1
    guard picture_process_start(&pointers, &process, &descriptor) == 0 else { return nil }
    self.process = process
    self.descriptor = descriptor
  }

  deinit {
    _ = close(descriptor)
    kill(process, SIGKILL)
    // This does not wait long: the process was killed.
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }

  /// Writes all bytes before a deadline, in seconds of the monotonic clock.
  func send(_ bytes: [UInt8], before deadline: Double) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if count > 0 { done += count } else { try wait(POLLOUT, before: deadline) }
    }
  }

  /// Reads exactly this many bytes before the deadline.
  func receive(_ count: Int, before deadline: Double) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let received = bytes.withUnsafeMutableBytes { buffer in
        recv(descriptor, buffer.baseAddress.map { $0 + done }, count - done, Int32(MSG_DONTWAIT))
      }
      if received == 0 { throw .ended }
      if received > 0 { done += received } else { try wait(POLLIN, before: deadline) }
    }
    return bytes
  }

  /// Waits after a call that failed with `errno`.
  private func wait(_ event: Int32, before deadline: Double) throws(Failure) {
    guard errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR else { throw .ended }
    let left = deadline - Self.now
    guard left > 0 else { throw .timedOut }
    var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    poll(&waiting, 1, Int32(min(left * 1000 + 1, 60_000)))
  }

  /// The monotonic clock in seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: In the child

  /// Drops everything that decoding does not need. Returns false if the limits could not be set.
  static func confine(memory: Int) -> Bool { picture_process_confine(memory) == 0 }

  /// Ends this process after that many more seconds of processor time.
  static func limitTime(seconds: UInt32) { picture_process_limit_time(seconds) }

  /// Returns free memory to the system.
  static func trim() { picture_process_trim() }
}
