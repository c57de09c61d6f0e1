import SystemCalls

/// The address books of an account that the user may not change, as far as the server has said so. Changes to their
/// contacts stay in the folder, and vdirsyncer tries again with each sync.
struct ReadOnlyAddressBooks {
  /// Their names, sorted.
  let names: [String]
  /// A file with one name on each line.
  private let path: String

  /// - Parameter root: the folder of the account.
  init(root: String) {
    path = root + "/read-only"
    let text = String(decoding: (try? FileBytes.read(path)) ?? [], as: UTF8.self)
    names = text.split(separator: "\n").map(String.init).filter(AddressBookCache.isFolderName)
  }

  /// Takes over what a sync has found.
  /// - Returns: the problems of the sync without those that were known.
  func update(_ outcome: Vdirsyncer.Outcome) throws(FileFailure) -> [VdirsyncerProblem] {
    let failed = outcome.problems.compactMap(\.addressBook)
    let refused = outcome.problems.filter { $0.reason == .readOnly }.compactMap(\.addressBook)
    let now = Set(names.filter { failed.contains($0) || !outcome.addressBooks.contains($0) } + refused).sorted()
    if now != names { try FileReplacement.write(now.map { $0 + "\n" }.joined().utf8, to: path) }
    return outcome.problems.filter { $0.reason != .readOnly || !names.contains($0.addressBook ?? "") }
  }
}
