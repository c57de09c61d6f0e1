import AddressBookModel
import Foundation
import Glibc
import SystemCalls

/// An address book of a server that is not synced.
public struct RefusedAddressBook: Hashable, Sendable {
  /// Why not.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// Its name may lead out of the account's folder.
    case name
    /// Its URL is not encrypted.
    case clearText
  }

  /// Its name, which may contain anything.
  public let name: String
  /// Why it is not synced.
  public let reason: Reason
}

/// The address books that vdirsyncer found, from its cache of a pair of storages.
///
/// Their names and URLs come from the server and are only data: vdirsyncer decodes the last part of a URL, and joins it
/// to the path of the folder.
struct AddressBookCache {
  private struct Found {
    let name: String
    /// The folder; nil if the first storage of the pair is not a folder.
    let folder: String?
    /// The URL; nil if it is that of the account.
    let url: String?
  }

  private let found: [Found]

  /// Reads the cache of a pair; nil if there is none.
  /// - Parameter root: the folder of the account.
  init?(pair: String, root: String) {
    guard let bytes = try? FileBytes.read(root + "/status/" + pair + ".collections"),
      let cache = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      let collections = cache["collections"] as? [[Any]]
    else { return nil }
    found = collections.compactMap { item in
      guard item.count == 2, let name = item[0] as? String, let sides = item[1] as? [[String: Any]], sides.count == 2
      else { return nil }
      return Found(name: name, folder: sides[0]["path"] as? String, url: sides[1]["url"] as? String)
    }
    guard found.count == collections.count else { return nil }
  }

  /// Returns the names of the address books that can be synced, sorted, and the others.
  func checked(for account: Account) -> (names: [String], refused: [RefusedAddressBook]) {
    var names: [String] = []
    var refused: [RefusedAddressBook] = []
    for book in found.sorted(by: { $0.name < $1.name }) {
      if !Self.isFolderName(book.name) {
        refused.append(RefusedAddressBook(name: book.name, reason: .name))
      } else if !account.allows(book.url ?? account.url) {
        refused.append(RefusedAddressBook(name: book.name, reason: .clearText))
      } else {
        names.append(book.name)
      }
    }
    return (names, refused)
  }

  /// Returns true if vdirsyncer would sync exactly these address books, each with the folder of its name.
  /// - Parameter cards: the folder that their folders are in.
  func syncs(_ names: [String], of account: Account, in cards: String) -> Bool {
    let (found, refused) = checked(for: account)
    let root = RealPath.resolved(cards)
    return found == names && refused.isEmpty
      && self.found.allSatisfy { $0.folder.map(RealPath.resolved) == root + "/" + $0.name }
  }

  /// Returns true if a name from a server can only be that of one folder, even for a program that decodes it once more:
  /// not empty, not hidden, and without `/` and control characters.
  static func isFolderName(_ name: String) -> Bool {
    // vdirsyncer would take the state of `a` for that of an address book `a.items`.
    guard name.utf8.count <= 200, !name.hasSuffix(".items"), !name.hasSuffix(".metadata") else { return false }
    var text = name
    while true {
      let isPlain = text.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
      guard !text.isEmpty, !text.hasPrefix("."), isPlain else { return false }
      guard text.contains("%") else { return true }
      guard let decoded = text.removingPercentEncoding, decoded != text else { return false }
      text = decoded
    }
  }
}

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
