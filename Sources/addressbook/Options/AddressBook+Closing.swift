import AddressBookModel
import AddressBookTUI
import Contacts
import Glibc

extension AddressBook {
  /// Closes a book after a command that changed it. A small book gets the day's backup first; the screen backs up large ones.
  /// If the backup fails, the command still succeeds.
  func closeAfterWriting() {
    defer { close() }
    let backup = AutomaticBackup(of: self, keeping: PersonalSettings.backups)
    guard backup.isCheap else { return }
    do {
      try backup.run(on: CalendarDay(at: time(nil)))
    } catch {
      // A program that runs the command would take it for a message about the change.
      if StandardError.isTerminal {
        StandardError.say(strings("Backup/automaticFailed", BackupMessage.text(of: error, in: .shared)))
      }
    }
  }
}
