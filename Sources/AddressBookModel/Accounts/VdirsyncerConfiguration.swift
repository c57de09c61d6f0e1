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

  /// vdirsyncer's name for the pair of storages that it syncs: the folders and the server.
  static let pair = "cards"

  var text: String {
    var remote = ["type = \"carddav\"", "url = \(value(account.url))"]
    if !account.user.isEmpty { remote.append("username = \(value(account.user))") }
    if !account.passwordCommand.isEmpty {
      remote.append("password.fetch = [\"command\", \"/bin/sh\", \(value(root + "/password-command"))]")
    }
    let merging = [program, "merge-cards", root + "/former"].map(value).joined(separator: ", ")
    return """
      # Made by addressbook.
      [general]
      status_path = \(value(root + "/status/"))

      [pair \(Self.pair)]
      a = "local"
      b = "remote"
      collections = ["from b"]
      metadata = ["displayname"]
      conflict_resolution = ["command", \(merging)]

      [storage local]
      type = "filesystem"
      path = \(value(root + "/cards/"))
      fileext = ".vcf"

      [storage remote]
      \(remote.joined(separator: "\n"))

      """
  }

  /// Returns a value as JSON, which is how vdirsyncer reads values. Its parser allows no line ends in a value (JSON
  /// escapes them), and keeps `%` as it is.
  private func value(_ text: String) -> String { ContactJSON.encode(text) }
}
