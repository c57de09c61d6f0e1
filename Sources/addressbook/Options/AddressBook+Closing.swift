import AddressBookModel
import AddressBookTUI
import BookCare
import Contacts
import Glibc

extension AddressBook {
  /// Closes a book that a command opened for writing or, in a dry run, only for trying.
  func close(isDryRun: Bool) { isDryRun ? close() : closeAfterWriting() }

  /// Closes a book that a command opened for writing. A small book first gets the day's backup, if it has none yet; the
  /// full-screen interface backs up large ones. Then, unless the backup failed, contacts deleted too long ago are
  /// removed. If either fails, the command still succeeds.
  func closeAfterWriting() {
    defer { close() }
    do {
      let backup = AutomaticBackup(of: self, keeping: PersonalSettings.backups)
      if backup.isFast { try backup.run(on: CalendarDay(at: time(nil))) }
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

  /// Prints a message only on a terminal, because a program that runs the command would take it to be about the change.
  private func sayIfTerminal(_ message: String) {
    if StandardError.isTerminal { StandardError.say(message) }
  }
}
