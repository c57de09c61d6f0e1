import AddressBookModel
import AddressBookTUI
import Contacts
import Glibc

extension AddressBook {
  /// Closes a book after a command that changed it, with the day's backup where that takes no time; a large book gets it from
  /// the screen. A backup that fails takes nothing from the command.
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
