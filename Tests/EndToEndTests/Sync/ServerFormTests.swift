import Foundation
import Testing

/// What servers and khard make of cards.
@Suite(.serialized) struct ServerFormTests {
  private static let png =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mP4z8AARAwQCgAf7gP9Y167WwAAAABJRU5ErkJggg=="
  private static let lines = [
    "N:Lee;Ann;;;", "FN:Ann Lee", "URL:https://example.org/a,b;c", "IMPP:x-apple:d,e",
    "X-SOCIALPROFILE;TYPE=x:http://f,g", "NOTE:h,i", "item1.TEL:1,,2", "item1.X-ABLabel:Boat, big", "ORG:J, Inc;k",
    "ADR;TYPE=home:;;1 Street\\, Back;City;;;;Google", "CATEGORIES:l,m", "KEY:data:application/x;base64,AAAA",
    "X-FOO:n,o",
  ]
  private let program = try? Program()

  private static func card(_ version: String, uid: String) -> String {
    let own =
      version == "4.0"
      ? ["BDAY:--0228", "PHOTO:data:image/png;base64," + png]
      : ["BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-28", "PHOTO;ENCODING=b;TYPE=PNG:" + png]
    return (["BEGIN:VCARD", "VERSION:" + version, "UID:" + uid] + lines + own + ["END:VCARD", ""])
      .joined(separator: "\r\n")
  }

  /// Returns the contacts without what a save changes.
  private func contacts(_ program: Program) throws -> [NSDictionary] {
    try program.contacts().map { contact in
      NSDictionary(dictionary: contact.filter { !["version", "modified", "id"].contains($0.key) })
    }
  }

  @Test(arguments: CardDAVServer.Kind.allCases.filter(\.isInstalled)) func nothingIsLost(
    _ kind: CardDAVServer.Kind
  ) throws {
    let (server, program) = (try CardDAVServer(kind), try #require(program))
    let file = program.folder.path + "/ann.vcf"
    try (Self.card("3.0", uid: "ann") + Self.card("4.0", uid: "bob").replacingOccurrences(of: "Lee", with: "Berg"))
      .write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try program.run("import", file).status == 0)
    let before = try contacts(program)
    let account = [server.url, "--user", "tester", "--password-command", "echo x", "--name", "dav"]
    #expect(try program.run(["account", "add"] + account).status == 0)
    func sync() throws {
      let result = try program.run("sync")
      #expect(result.status == 0, "\(result.errors)")
    }
    // Two rounds at most until all is quiet.
    for _ in 0..<3 { try sync() }
    let names = try ["private", "work", "addressbook"].map { ($0, try server.versions($0)) }.filter { !$0.1.isEmpty }
    #expect(names.reduce(0) { $0 + $1.1.count } == 2)
    for _ in 0..<2 { try sync() }
    for (book, versions) in names { #expect(try server.versions(book) == versions) }
    #expect(try contacts(program) == before)
    // Whoever reads the server's cards alone gets the same, apart from what no escape can protect.
    for (book, versions) in names {
      for name in versions.keys {
        let card = try server.get(book + "/" + name)
        let text = card.replacingOccurrences(of: "\r\n ", with: "")
        let values = [
          #"a\,b"#, #"d\,e"#, #"f\,g"#, #"h\,i"#, #"1\,\,2"#, #"Boat\, big"#, #"J\, Inc"#, #"base64\,AAAA"#, Self.png,
        ]
        for value in values {
          #expect(text.contains(value), "\(value)")
        }
      }
    }
    // An edit of one field changes nothing else.
    try program.run("edit", "ann", "--set", "title=Poet")
    for _ in 0..<2 { try sync() }
    let after = try contacts(program).map { contact in
      NSDictionary(dictionary: (contact as? [String: Any] ?? [:]).filter { $0.key != "title" })
    }
    #expect(
      after == before.map { NSDictionary(dictionary: ($0 as? [String: Any] ?? [:]).filter { $0.key != "title" }) })
  }

  /// khard writes a card with its own lines, and without the parameter that says that a date has no year.
  @Test(.enabled(if: access("/usr/bin/khard", X_OK) == 0, "khard is not installed"), arguments: ["3.0", "4.0"])
  func anEditInKhardIsTheOnlyOne(_ version: String) throws {
    let program = try #require(program)
    let (cards, home) = (program.folder.path + "/cards", program.folder.path + "/khard-home")
    for folder in [cards, home + "/khard"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try "[addressbooks]\n[[cards]]\npath = \(cards)\n[general]\neditor = true\nmerge_editor = true\n"
      .write(toFile: home + "/khard/khard.conf", atomically: true, encoding: .utf8)
    let file = program.folder.path + "/ann.vcf"
    // khard refuses to edit a card with a comma in a label.
    try Self.card(version, uid: "ann").replacingOccurrences(of: "Boat, big", with: "Boat").write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(try program.run("import", file).status == 0)
    #expect(try program.run("sync", cards).status == 0)
    let before = try #require(try program.contacts().first)
    let yaml = home + "/ann.yaml"
    let script = """
      khard show --format=yaml -o \(yaml) Ann && sed -i 's/^Title *:.*/Title : Poet/' \(yaml) &&
      (yes y | khard edit -i \(yaml) Ann)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec >/dev/null 2>&1; " + script]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_CONFIG_HOME": home, "HOME": home, "LC_ALL": "C.UTF-8"], uniquingKeysWith: { $1 })
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(try program.run("sync", cards).status == 0)
    let after = try #require(try program.contacts().first)
    #expect(after["title"] as? String == "Poet")
    for key in ["urls", "handles", "birthday", "note", "organization", "phones", "photo", "groups"] {
      #expect(after[key] as? NSObject == before[key] as? NSObject, "\(key)")
    }
  }
}
