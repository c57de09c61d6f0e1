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
  func flush() {
    guard let draft = pending else { return }
    pending = nil
    do {
      try folder.write(draft)
    } catch {
      // The form is still open and can be saved; where the disk is full, that will say so.
    }
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
