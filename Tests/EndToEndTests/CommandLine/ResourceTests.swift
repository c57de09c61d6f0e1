import Foundation
import SharedMaterial
import Testing

/// Outputs that cannot be written, limits of the shell, missing system folders, and root: what is stored, and which
/// message appears.
@Suite struct ResourceTests {
  let program: Program

  init() throws { program = try Program() }

  /// Runs a shell command with the program as `$0` and the book as `$1`.
  private func shell(_ command: String) throws -> CommandResult {
    try CommandResult.run(
      "/bin/sh", ["-c", command, Program.path, program.book],
      environment: [
        "ADDRESSBOOK_FILE": program.book, "HOME": program.folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
      ])
  }

  @Test(arguments: ["> /dev/full", ">&-"]) func aStoredChangeThatCannotBePrintedIsStatusFive(_ output: String) throws {
    try program.run("add", "--set", "given=First")
    for command in ["add --set given=Ann", "edit 1 --set note=x", "delete 1", "undelete 1"] {
      // The exit status goes to a file, because standard output cannot be written.
      let file = program.folder.path + "/status"
      let result = try shell("{ \"$0\" \(command); echo $? >&3; } 3>'\(file)' \(output)")
      let status = try String(contentsOfFile: file, encoding: .utf8)
      #expect(status == "5\n", "\(command)")
      #expect(result.errors.contains("was stored"), "\(command): \(result.errors)")
    }
    #expect(try program.contacts().count == 2)
  }

  @Test func aStoredSyncWhoseReportCannotBePrintedIsStatusFive() throws {
    try program.run("add", "--set", "given=Ann")
    let folder = program.folder.path + "/cards"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let sync = "\"$0\" sync --json '\(folder)' > /dev/full; echo $? >&2"
    let first = try shell(sync)
    #expect(first.errors.hasSuffix("\n5\n") && first.errors.contains("was stored"), "\(first.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasSuffix(".vcf") })
    let second = try shell(sync)
    #expect(second.errors.hasSuffix("\n3\n"), "nothing was left to store: \(second.errors)")
  }

  @Test func aFailedChangeKeepsItsStatusWhateverTheOutput() throws {
    try program.run("add", "--set", "given=First", "--set", "uid=u")
    for (change, status) in [("birthday=nonsense", 2), ("uid=u", 3)] {
      let result = try shell("\"$0\" add --set given=Second --set \(change) > /dev/full; echo $? >&2")
      #expect(result.errors.hasSuffix("\n\(status)\n"), "\(result.errors)")
    }
    #expect(try program.contacts().count == 1)
  }

  @Test func aBookNeverGetsAStandardDescriptor() throws {
    let result = try shell("\"$0\" add --set given=Ann <&- >&- 2>&-; \"$0\" list --format tsv")
    #expect(result.output.contains("Ann"))
    #expect(try program.run("stats").status == 0)
  }

  @Test func aFileSizeLimitIsReportedAsAFullDisk() throws {
    try program.run("demo", "--contacts", "50")
    let result = try shell("ulimit -f 8; \"$0\" add --set given=Ann; echo $? >&2; \"$0\" list --format tsv | wc -l")
    #expect(result.errors.contains("disk is full"), "\(result.errors)")
    #expect(result.errors.hasSuffix("\n3\n"))
    #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "50", "reading still works")
  }

  @Test func tooFewDescriptorsAreReported() throws {
    try program.run("demo", "--contacts", "50")
    for limit in 4...14 {
      for command in ["list", "add --set given=Ann", "query a", "export"] {
        let result = try shell("ulimit -n \(limit); \"$0\" \(command)")
        #expect([0, 1, 3].contains(result.status), "\(limit) \(command): \(result.status) \(result.errors)")
        #expect(!result.errors.contains("ErrorString/"), "\(limit) \(command): \(result.errors)")
        if result.status == 3 {
          #expect(result.errors.contains("file descriptors"), "\(limit) \(command): \(result.errors)")
        }
      }
    }
    #expect(try program.run("stats").status == 0)
  }

  private static let canHideFolders: Bool = {
    let hidden = try? ResourceTests().shell("unshare -m sh -c 'mount -t tmpfs none /proc && mount -t tmpfs none /dev'")
    return hidden?.status == 0
  }()

  /// Swift reads the arguments from /proc; a program without arguments would open the screen.
  @Test(.enabled(if: canHideFolders, "/proc and /dev cannot be hidden"), arguments: ["/proc", "/dev"])
  func commandsWorkWithoutProcOrDev(folder: String) throws {
    try program.run("add", "--set", "given=Ann")
    let result = try shell("unshare -m sh -c 'mount -t tmpfs none \(folder) && exec \"$0\" list --format tsv' \"$0\"")
    #expect(result.status == 0 && result.output.contains("Ann"), "\(result.errors)")
  }

  /// Files that root creates in another user's folder, as with `sudo -E`, cannot be written by that user.
  @Test(.enabled(if: geteuid() == 0, "the tests do not run as root")) func rootIsWarnedInAnotherUsersFolder() throws {
    #expect(try program.run("add", "--set", "given=Ann").errors == "")
    #expect(chown(program.folder.path, 64999, 64999) == 0)
    try FileManager.default.removeItem(atPath: program.book)
    let result = try program.run("add", "--set", "given=Ann")
    #expect(result.status == 0 && result.errors.contains("root"), "\(result.errors)")
  }

  /// Returns a shell command that runs the program as an ordinary user: the limit on the number of processes does not
  /// apply to root.
  private func ordinaryUsersCommand() throws -> String {
    guard geteuid() == 0 else { return "\"$0\"" }
    // Another user may be unable to read the build folder, which also holds the program's strings.
    let folder = program.folder.path
    let copying = "mkdir '\(folder)/bin' && cp -r \"$0\" \"${0%/*}\"/*.resources '\(folder)/bin'"
    let made = try shell("\(copying) && chown -R 64999:64999 '\(folder)'")
    guard made.status == 0 else { throw POSIXError(.EIO) }
    return "setpriv --reuid 64999 --regid 64999 --clear-groups '\(folder)/bin/addressbook'"
  }

  private static let ordinaryUserRunsTheProgram: Bool = {
    guard let tests = try? ResourceTests(), let command = try? tests.ordinaryUsersCommand() else { return false }
    return (try? tests.shell("\(command) --version"))?.status == 0
  }()

  @Test(.enabled(if: ordinaryUserRunsTheProgram, "only root can run the program here"))
  func anImportWithoutThreadsFailsAndKeepsNoLock() throws {
    try program.run("demo", "--contacts", "50")
    let cards = try program.file("cards.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nN:Ann;;;;\nEND:VCARD\n")
    let ours = try ordinaryUsersCommand()
    let limited = "prlimit --nproc=\(geteuid() == 0 ? 1 : 0) \(ours)"
    let result = try shell("\(limited) import '\(cards)'")
    #expect(result.status == 3)
    #expect(result.errors.contains("threads"), "\(result.errors)")
    #expect(try shell("\(limited) list").status == 3)
    #expect(try shell("\(ours) add --set given=Bob").status == 0, "nothing holds the book")
    #expect(try shell("\(ours) list --format tsv").output.split(separator: "\n").count == 51)
  }
}
