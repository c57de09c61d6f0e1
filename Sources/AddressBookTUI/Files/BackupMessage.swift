import AddressBookModel

/// Why a backup failed, or the examination, repair or restore of a book, in the user's language.
public enum BackupMessage {
  /// The message of an error.
  public static func text(of error: any Error, in localization: Localization) -> String {
    switch error {
    case let error as BackupError: error.message(in: localization)
    case let error as StoreError: error.message(in: localization)
    case let failure as FileFailure: localization.titled(failure.path, failure.message)
    default: String(describing: error)
    }
  }
}
