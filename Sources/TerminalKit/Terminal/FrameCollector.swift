import Glibc

/// Has what ncurses writes for one picture reach the terminal in one piece.
///
/// ncurses flushes with every movement of the cursor. The terminal, or the program at the other end of a slow line, would
/// wake for each of these pieces and could show half a picture. While a picture is made, the descriptor that ncurses writes
/// to leads to memory.
@MainActor
final class FrameCollector {
  private let descriptor: Int32
  private let device: TerminalDevice
  private let memory: Int32
  private let redirect: (_ descriptor: Int32, _ target: Int32) -> Int32
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// - Parameters:
  ///   - descriptor: what ncurses alone writes to, a duplicate of the device's own.
  ///   - memory: a file in memory; negative where the system has none.
  ///   - redirect: has the first descriptor lead where the second leads, as `dup3` does.
  /// - Returns: nil without memory; pictures then go out in pieces.
  init?(
    descriptor: Int32, device: TerminalDevice, memory: Int32,
    redirect: @escaping (_ descriptor: Int32, _ target: Int32) -> Int32
  ) {
    guard memory >= 0 else { return nil }
    self.descriptor = descriptor
    self.device = device
    self.memory = memory
    self.redirect = redirect
  }

  deinit { close(memory) }

  /// Has `body` write, and then writes it to the terminal.
  func collect(_ body: () -> Void) {
    guard redirect(descriptor, memory) >= 0 else { return body() }
    body()
    while redirect(descriptor, device.output) < 0, errno == EINTR || errno == EBUSY {}
    var count = Int(lseek(memory, 0, SEEK_CUR))
    guard count > 0 else { return }
    if count > buffer.count { buffer = [UInt8](repeating: 0, count: count) }
    count = pread(memory, &buffer, count, 0)
    _ = lseek(memory, 0, SEEK_SET)
    if count > 0 { device.write(buffer[..<count]) }
  }
}
