import Foundation
import Testing

/// `addressbook collect`: with whom one exchanges email.
struct CollectTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.run("add", "--set", "given=Zoe")
    for (name, mails) in [
      ("mail/cur/1:2,S", ["From: Me <me@example.org>", "To: =?UTF-8?B?5p2O5by6?= <li@example.com>, bob@example.com"]),
      ("mail/.Sent/cur/2:2,S", ["From: me@example.org", "To: \"Li, Qiang\" <LI@example.com>"]),
      ("mail/new/3", ["From: Ann Lee <ann@example.com>", "To: me@example.org"]),
      ("mail/new/4", ["From: Shop <no-reply@shop.example>", "To: me@example.org"]),
      ("mail/new/5", ["From: Cy <cy@example.net>", "To: dev@lists.example, me@example.org", "List-Id: <dev>"]),
      ("mail/tmp/6", ["From: Half <half@example.com>", "To: me@example.org"]),
    ] {
      let path = program.folder.path + "/" + name
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
      let number = name.split { !$0.isNumber }.first ?? ""
      let lines = mails + ["Date: Mon, \(number) Mar 2026 10:00:00 +0000", "Subject: x", "", "From: body@example.com"]
      try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  private var mail: String { program.folder.path + "/mail" }

  private func rows(_ arguments: String...) throws -> [[String]] {
    let result = try program.run(["collect"] + arguments + ["--format", "tsv"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func thoseToWhomMostWasSentComeFirst() throws {
    try program.run("add", "--set", "given=Bob", "--set", "email=Bob@example.com")
    #expect(
      try rows(mail) == [
        ["2", "0", "2026-03-02", "Li, Qiang", "li@example.com", ""],
        ["1", "0", "2026-03-01", "", "bob@example.com", "Bob"],
        ["0", "1", "2026-03-03", "Ann Lee", "ann@example.com", ""],
      ])
    #expect(try program.run("collect", mail).errors.contains("me@example.org"))
    #expect(try rows(mail, "--unknown").map { $0[4] } == ["li@example.com", "ann@example.com"])
    #expect(try program.run("list").output.components(separatedBy: "\n").count == 4, "nobody was added")
  }

  @Test func ownAddressesAreNotCorrespondents() throws {
    #expect(
      try rows(mail, "--me", "me@example.org", "--me", "Bob@example.com").map { $0[4] }
        == ["li@example.com", "ann@example.com"])
    #expect(try program.run("collect", mail, "--me", "x").status == 2)
  }

  @Test func anMboxFileIsReadFromAPipe() throws {
    let mbox = """
      From me@example.org Mon Mar  2 10:00:00 2026
      From: me@example.org
      To: Dee <dee@example.com>
      Date: Mon, 2 Mar 2026 10:00:00 +0000

      From: quoted@example.com
      >From the start

      From dee@example.com Tue Mar  3 10:00:00 2026
      From: Dee <dee@example.com>
      To: me@example.org
      Date: Tue, 3 Mar 2026 23:30:00 -0800

      Text.

      """
    let file = program.folder.path + "/mbox"
    try mbox.write(toFile: file, atomically: true, encoding: .utf8)
    for (arguments, input) in [(["collect", file], ""), (["collect", "-"], mbox)] {
      let result = try program.run(arguments + ["--format", "json"], input: Array(input.utf8))
      let found = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
      let dee = try #require(found?.first)
      #expect(found?.count == 1 && dee["address"] as? String == "dee@example.com" && dee["name"] as? String == "Dee")
      #expect(dee["sent"] as? Int == 1 && dee["received"] as? Int == 1)
    }
  }

  @Test func thoseWhoAreNotInTheBookAreAddedInOneStep() throws {
    try program.run("add", "--set", "given=Ann", "--set", "family=Lee")
    #expect(try program.run("collect", mail, "--min-sent", "1000").output.contains("@") == false)
    let result = try program.run("collect", mail, "--add", "--min-sent", "0")
    #expect(result.status == 0 && result.output.split(separator: "\n").count == 2, "\(result.errors)")
    #expect(result.errors.contains("Ann Lee <ann@example.com> was not added"))
    #expect(try program.run("query", "li@example.com").output.contains("Li, Qiang"))
    #expect(try program.run("collect", mail, "--add").status == 1, "nobody is left")
    #expect(try program.run("undo").status == 0)
    #expect(try program.run("list").output.components(separatedBy: "\n").count == 4)
  }

  /// The last contact is kept, sorts, and is searched. Messages that were read are not read again.
  @Test func theLastContactIsKept() throws {
    try program.run("add", "--set", "given=Bob", "--set", "email=bob@example.com")
    #expect(try program.run("collect", mail).errors.contains("noted the last contact with 1 contact"))
    #expect(
      try program.run("list", "--sort", "contacted", "--format", "tsv", "--columns", "given,contacted").lines.first?
        .hasPrefix("Bob\t2026-03-01T10:00:00Z") == true)
    #expect(try program.contacts("contacted:2026").map { $0["contacted"] as? String } == ["2026-03-01T10:00:00Z"])
    #expect(try program.run("query", "contacted:<1d").status == 1)
    // A message that was read is gone, one was marked, and one is new.
    try FileManager.default.removeItem(atPath: mail + "/cur/1:2,S")
    try "From: x@example.com\n\n".write(toFile: mail + "/.Sent/cur/2:2,RS", atomically: true, encoding: .utf8)
    try "From: bob@example.com\nTo: me@example.org\nDate: Tue, 7 Apr 2026 10:00:00 +0000\n\n".write(
      toFile: mail + "/new/9", atomically: true, encoding: .utf8)
    #expect(
      try rows(mail).map { $0[0...2].joined(separator: " ") + " " + $0[4] } == [
        "2 0 2026-03-02 li@example.com", "1 1 2026-04-07 bob@example.com", "0 1 2026-03-03 ann@example.com",
      ])
    #expect(try program.contacts("contacted:2026-04").count == 1)
    #expect(try program.run("undo").errors.contains("Add"), "only the contact that was added")
  }

  @Test func notmuchNamesTheMessages() throws {
    let bin = program.folder.path + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    let script = """
      #!/bin/sh
      [ "$*" = "search --output=files --duplicate=1 -- from:me" ] && find '\(mail)' -type f -path '*cur*'
      """
    try script.write(toFile: bin + "/notmuch", atomically: true, encoding: .utf8)
    #expect(chmod(bin + "/notmuch", 0o755) == 0)
    var program = program
    program.environment["PATH"] = bin + ":/usr/bin:/bin"
    let found = try program.run("collect", "notmuch:from:me", "--format", "tsv")
    #expect(found.status == 0 && found.lines.count == 2, "\(found.errors)")
    let failed = try program.run("collect", "notmuch:")
    #expect(failed.status == 3 && failed.errors.contains("notmuch setup"))
  }

  @Test func whatHasNoMailIsSaid() throws {
    let file = program.folder.path + "/text"
    try "no mail here\n".write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: program.folder.path + "/empty", withIntermediateDirectories: true)
    for path in [file, program.folder.path + "/empty"] {
      let result = try program.run("collect", path)
      #expect(result.status == 3 && result.errors.contains("has no mail"), "\(result.errors)")
    }
    #expect(try program.run("collect", program.folder.path + "/none").status == 3)
  }
}
