import Synchronization

/// Work posted to the loop by other threads.
final class Inbox: Sendable {
  private let work = Mutex<[@MainActor @Sendable () -> Void]>([])
  private let wake = Pipe()

  /// The descriptor that is readable when there is work.
  var descriptor: Int32 { wake.readEnd }

  func append(_ item: @escaping @MainActor @Sendable () -> Void) {
    let isFirst = work.withLock { items in
      items.append(item)
      return items.count == 1
    }
    // One byte is enough for any number of items.
    if isFirst { wake.write([1]) }
  }

  /// Puts back work that was taken but not done, before all other work.
  func putBack(_ rest: some Collection<@MainActor @Sendable () -> Void>) {
    guard !rest.isEmpty else { return }
    let wasEmpty = work.withLock { items in
      defer { items.insert(contentsOf: rest, at: 0) }
      return items.isEmpty
    }
    if wasEmpty { wake.write([1]) }
  }

  func takeAll() -> [@MainActor @Sendable () -> Void] {
    var bytes = [UInt8](repeating: 0, count: 64)
    while case .bytes = DescriptorRead(wake.readEnd, into: &bytes) {}
    return work.withLock { items in
      defer { items = [] }
      return items
    }
  }
}
