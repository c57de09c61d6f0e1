import AddressBookModel
import AddressBookTUI
import Contacts
import Glibc

extension AddressBook {
  /// Closes a book after a command that changed it. First it gets the day's backup if it is small, as the screen backs
  /// up large ones; then what was long in the trash is removed. If either fails, the command still succeeds.
  func closeAfterWriting() {
    defer { close() }
    do {
      let backup = AutomaticBackup(of: self, keeping: PersonalSettings.backups)
      if backup.isCheap { try backup.run(on: CalendarDay(at: time(nil))) }
    } catch {
      return sayIfTerminal(strings("Backup/automaticFailed", BackupMessage.text(of: error, in: .shared)))
    }
    let days = PersonalSettings.trashDays
    guard days > 0 else { return }
    do {
      try emptyTrash(olderThanDays: days)
    } catch {
      sayIfTerminal(error.message(in: .shared))
    }
  }

  /// Only to a terminal: a program that runs the command would take the message for one about the change.
  private func sayIfTerminal(_ message: String) {
    if StandardError.isTerminal { StandardError.say(message) }
  }
}
