import AddressBookModel

/// Keeps what is typed in the open form on the disk, at most every few seconds, until it is saved or thrown away.
@MainActor
final class DraftKeeper {
  /// At most so long is typed in vain, in milliseconds.
  static let interval = 2000

  private let folder: DraftFolder
  /// Has work done after so many milliseconds.
  private let schedule: @MainActor (Int, @escaping @MainActor () -> Void) -> Void
  private var pending: Draft?
  private var isScheduled = false
  private var hasToldFailure = false
  /// Told why nothing could be kept: once, until something is kept again.
  var onFailure: (@MainActor (String) -> Void)?

  init(folder: DraftFolder, schedule: @escaping @MainActor (Int, @escaping @MainActor () -> Void) -> Void) {
    self.folder = folder
    self.schedule = schedule
  }

  /// Where this program keeps its draft.
  var path: String { folder.path }

  /// Takes note of what the form holds now.
  func note(_ draft: Draft) {
    pending = draft
    guard !isScheduled else { return }
    isScheduled = true
    schedule(Self.interval) { [weak self] in
      self?.isScheduled = false
      self?.flush()
    }
  }

  /// Writes what waits to be written, as when the program is being ended.
  /// - Returns: why it could not be written, in the system's words; it is tried again next time.
  @discardableResult
  func flush() -> String? {
    guard let draft = pending else { return nil }
    do {
      try folder.write(draft)
    } catch {
      if !hasToldFailure { onFailure?(error.message) }
      hasToldFailure = true
      return error.message
    }
    pending = nil
    hasToldFailure = false
    return nil
  }

  /// The form was saved or left: nothing is to be offered.
  func forget() {
    pending = nil
    do {
      try folder.remove()
    } catch {
      // It is offered once more then.
    }
  }
}
