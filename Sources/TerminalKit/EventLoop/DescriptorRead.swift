import Glibc

/// The result of reading a descriptor once.
enum DescriptorRead {
  /// Data was read, and this many bytes of the buffer were filled.
  case bytes(Int)
  /// No data is available.
  case nothing
  /// The other end is closed, or reading failed.
  case closed

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
        // For example EIO: the terminal hung up.
        self = .closed
      }
      return
    }
  }
}
