import Testing

@testable import AddressBookModel
@testable import FolderSync

/// What vdirsyncer 0.19 and 0.21 print, read as reasons.
@Suite struct VdirsyncerProblemTests {
  private func read(_ log: String) -> [String] {
    VdirsyncerProblem.read(log, addressBooks: ["own", "own: b"]).map { problem in
      [problem.reason.rawValue, problem.addressBook ?? "-", problem.detail].joined(separator: "|")
    }
  }

  @Test(arguments: [
    (": 401, message='Unauthorized', url=URL('http://x/')", "unauthorized|-|"),
    (": 403, message='Forbidden', url='http://x/.well-known/carddav'", "forbidden|-|"),
    (" for cards/own: 403, message='Forbidden', url=URL('http://x/own/')", "forbidden|own|"),
    (" for cards/own: 403, message='Forbidden', url='http://x/own/a.vcf'", "readOnly|own|"),
    (" for cards/own: b: 403, message='Forbidden', url='http://x/own/a'", "readOnly|own: b|"),
    (" for cards/own: 400, message='Bad Request', url='http://x/own/a.vcf'", "rejected|own|a.vcf, 400 Bad Request"),
    (": 501, message=\"Unsupported\", url=URL('http://x/')", "notFound|-|"),
    (": 503, message='Unavailable', url=URL('http://x/')", "server|-|503 Unavailable"),
    (": Not Found\nerror: Use `-vdebug` to see the full traceback.", "notFound|-|"),
    (" for cards/own: Precondition Failed", "changed|own|"), (": Too Many Requests", "server|-|Too Many Requests"),
    (": Cannot connect to host x:80 ssl:default [Name or service not known]", "unreachable|-|"),
    (": [Errno 104] Connection reset by peer", "unreachable|-|"), (": ", "unreachable|-|"),
    (": Cannot connect to host x:1 ssl:True [(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate')]", "certificate|-|"),
    (": (b\"\\xaa}\", b'\\x0e}', '127.0.0.1', 39315)", "fingerprint|-|"),
    (": Command '['/bin/sh', '/a/password-command']' returned non-zero exit status 3.", "password|-|"),
    (" for cards/own: Command '['/usr/bin/addressbook', 'merge-cards', '/a']' returned 1.", "conflict|own|"),
    (" for cards/own: oh", "unclear|own|oh"), (": oh", "unclear|-|error: Unknown error occurred: oh"),
  ]) func anUnknownErrorIsKnown(text: String, expected: String) {
    #expect(read("error: Unknown error occurred" + text) == [expected])
  }

  @Test func otherMessagesAreRead() {
    #expect(read("critical: Empty value for password.fetch, this most likely indicates an error.") == ["password|-|"])
    #expect(
      read("error: The server returned something vdirsyncer doesn't understand. Error message: InvalidXMLResponse")
        == ["notFound|-|"])
    #expect(read("error: cards/own: Storage contains multiple items with the same UID or") == ["duplicates|own|"])
    #expect(read("error: cards/own: Storage \"local\" was completely emptied. If you want") == ["emptied|own|"])
    #expect(read("critical: New.\nerror: Use `-vdebug` to see the full traceback.") == ["unclear|-|critical: New."])
    #expect(read("") == ["unclear|-|"])
  }

  /// Each reason is there once for an address book, however many of its cards have it.
  @Test func manyLinesAreOneProblem() {
    let line = "error: Unknown error occurred for cards/own: 403, message='Forbidden', url='http://x/own/a.vcf'\n"
    let other = line.replacing("cards/own", with: "cards/own: b")
    #expect(read(String(repeating: line + other, count: 100)) == ["readOnly|own|", "readOnly|own: b|"])
  }
}
