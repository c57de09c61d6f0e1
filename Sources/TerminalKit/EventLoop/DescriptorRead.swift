import Glibc

/// What one read of a descriptor gave.
enum DescriptorRead {
  /// So many bytes are in the buffer.
  case bytes(Int)
  /// Nothing waits.
  case nothing
  /// The other end is gone.
  case closed

  /// Reads once into the buffer.
  init(_ descriptor: Int32, into buffer: inout [UInt8]) {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        self = .bytes(count)
      } else if count == 0 {
        self = .closed
      } else if errno == EINTR {
        continue
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        self = .nothing
      } else {
        // EIO: the terminal hung up.
        self = .closed
      }
      return
    }
  }
}
