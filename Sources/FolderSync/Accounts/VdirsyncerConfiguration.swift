import AddressBookModel
import ContactInterchange

/// The configuration of vdirsyncer for an account (https://vdirsyncer.pimutils.org/en/stable/config.html).
///
/// The configuration does not contain the password: vdirsyncer runs the user's command to get it. The command is in a
/// separate file, because vdirsyncer would change paths in a command in its configuration. The color of an address book
/// is not synced: vdirsyncer cannot read colors from a CardDAV server, and would fail before it stored the name. Cards
/// that were changed on both sides are merged by `addressbook merge-cards`.
struct VdirsyncerConfiguration {
  let account: Account
  /// The folder of the account.
  let root: String
  /// The path of this program.
  let program: String
  /// The address books that are synced, by their names, which are also those of their folders.
  let addressBooks: [String]
  /// False to change nothing on the server.
  var uploads = true

  /// vdirsyncer's name for the pair of storages that it syncs: the folders and the server.
  static let pair = "cards"
  /// The pair that only finds the address books of the server. Both of its sides are the server, so that nothing is
  /// missing on either side and vdirsyncer creates nothing.
  static let discovery = "server"

  var text: String {
    var remote = ["type = \"carddav\"", "url = \(value(account.url))"]
    if !account.user.isEmpty { remote.append("username = \(value(account.user))") }
    if !account.passwordCommand.isEmpty {
      remote.append("password.fetch = [\"command\", \"/bin/sh\", \(value(root + "/password-command"))]")
    }
    if let fingerprint = account.certificateFingerprint {
      remote.append("verify_fingerprint = \(value(fingerprint))")
    }
    let merging = [program, "merge-cards", root + "/former"].map(value).joined(separator: ", ")
    // A list of three names is always names; the text "from a" would be more.
    let collections = addressBooks.map(value).map { "[\($0), \($0), \($0)]" }
    return """
      # Made by addressbook for each sync; edits are lost.
      [general]
      status_path = \(value(root + "/status/"))

      [pair \(Self.discovery)]
      a = "remote"
      b = "remote"
      collections = ["from b"]

      [pair \(Self.pair)]
      a = "local"
      b = "remote"
      collections = [\(collections.joined(separator: ", "))]
      metadata = ["displayname"]
      conflict_resolution = ["command", \(merging)]\(uploads ? "" : "\npartial_sync = \"ignore\"")

      [storage local]
      type = "filesystem"
      path = \(value(root + "/cards/"))
      fileext = ".vcf"

      [storage remote]
      \(remote.joined(separator: "\n"))

      """
  }

  /// The file of a folder for `PYTHONPATH` that Python runs first. vdirsyncer sends the password to each URL that a server
  /// names or redirects to; with this it uses no URL without encryption, except on the server that the user allowed.
  static let guardFile = "sitecustomize.py"
  /// What the guard says.
  static let refusal = "addressbook uses no unencrypted connection to "

  /// After a change of its own setting, vdirsyncer would have to look for the address books again.
  private static let fetching = "from vdirsyncer.storage.dav import CardDAVStorage\nCardDAVStorage.read_only = True\n"

  var guardText: String {
    """
    # Made by addressbook for each sync; edits are lost.
    import os
    rest = os.environ["PYTHONPATH"].split(os.pathsep)[1:]
    os.environ["PYTHONPATH"] = os.pathsep.join(rest)
    import aiohttp, yarl
    allowed = yarl.URL(\(value(account.clearTextServer ?? "")))
    connect = aiohttp.TCPConnector.connect
    def guarded(self, request, *arguments, **options):
        server = request.url.origin()
        if server.scheme in ("http", "ws") and not (allowed.is_absolute() and server == allowed.origin()):
            raise RuntimeError(\(value(Self.refusal)) + str(server))
        return connect(self, request, *arguments, **options)
    aiohttp.TCPConnector.connect = guarded

    """ + (uploads ? "" : Self.fetching)
  }

  /// Returns a value as JSON in ASCII: vdirsyncer reads values as JSON, from a file in the encoding of the locale. Its
  /// parser allows no line ends in a value (JSON escapes them), and keeps `%` as it is.
  private func value(_ text: String) -> String {
    ContactJSON.encode(text).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return unit < 0x7F
        ? String(UnicodeScalar(UInt8(unit))) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
