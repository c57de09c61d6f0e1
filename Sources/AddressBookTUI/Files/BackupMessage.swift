import AddressBookModel
import BookCare
import Messages
import SystemCalls

/// Explains in the user's language why a backup, an examination, a repair or a restore failed.
public enum BackupMessage {
  /// Returns the message of an error.
  public static func text(of error: any Error, in localization: Localization) -> String {
    switch error {
    case let error as BackupError: error.message(in: localization)
    case let error as StoreError: error.message(in: localization)
    case let failure as FileFailure: localization.titled(failure.path, failure.message)
    default: String(describing: error)
    }
  }
}
