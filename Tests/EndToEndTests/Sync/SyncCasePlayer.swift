import Foundation
import Glibc
import Testing

/// A book and a folder in which the steps of one case are performed.
struct SyncCasePlayer {
  typealias Object = [String: Any]

  var step = ""
  private let program: Program
  private var book: String
  private var last: Object?
  /// The state of each file in the folder, by file name, before the most recent sync that is not `final`.
  private var before: [String: FileState] = [:]
  private var folder: String { program.folder.path + "/cards" }

  init(name: String) throws {
    program = try Program()
    step = name
    book = program.book
    try FileManager.default.createDirectory(atPath: program.folder.path + "/cards", withIntermediateDirectories: false)
  }

  // MARK: - Steps

  mutating func play(_ step: Object) throws {
    switch step["op"] as? String {
    case "write": try write(step)
    case "remove": try FileManager.default.removeItem(atPath: path(step))
    case "rename": #expect(Glibc.rename(path(step), path(step, "to")) == 0, "\(self.step)")
    case "swap":
      #expect(Glibc.rename(path(step), folder + "/.swap") == 0)
      #expect(Glibc.rename(path(step, "to"), path(step)) == 0)
      #expect(Glibc.rename(folder + "/.swap", path(step, "to")) == 0)
    case "touch": #expect(utimes(path(step), nil) == 0)
    case "chmod":
      let mode = (step["mode"] as? Int) ?? Int(step["mode"] as? String ?? "", radix: 8) ?? 0o644
      #expect(Glibc.chmod(path(step), mode_t(mode)) == 0)
    case "folder": #expect(mkdir(path(step), 0o700) == 0)
    case "link": #expect(symlink("/nowhere/at/all", path(step)) == 0)
    case "fifo": #expect(mkfifo(path(step), 0o600) == 0)
    case "dropFolder": #expect(Glibc.rename(root(step), root(step) + ".away") == 0)
    case "newBook": book = program.folder.path + "/book-\(UUID().uuidString).db"
    case "moveBook": try moveBook()
    case "import":
      let card = try program.file("card.vcf", text(step))
      try run("import", card, allows: [0])
    case "edit": try edit(step)
    case "delete": try run("delete", who(step), allows: [0])
    case "undelete": try undelete(step)
    case "sync": try sync(step)
    case "crash": try crash(step)
    case "kill": try kill(step)
    default: Issue.record("\(self.step): unknown step \(step["op"] ?? "")")
    }
  }

  /// Checks that another sync after the last step changes nothing; it may report open conflicts again. Does nothing if
  /// there was no sync, or if the most recent one was `final`, refused or failed.
  mutating func checkThatNothingIsLeft() throws {
    guard let last, last["final"] == nil, last["refused"] is NSNull || last["refused"] == nil,
      (last["exit"] as? Int ?? 0) < 2
    else { return }
    step += ", afterwards"
    remember()
    let books = try contacts()
    let (status, report) = try runSync(args: [], path: folder)
    #expect(status == 0 || status == 1, "\(step)")
    for side in ["toBook", "toFolder"] {
      #expect(Self.letters(report[side]) == Self.letters(["added": 0, "changed": 0, "deleted": 0]), "\(step): \(side)")
    }
    for (name, state) in before { #expect(state == FileState(folder + "/" + name), "\(step): \(name)") }
    #expect(try Self.letters(contacts()) == Self.letters(books), "\(step): book")
  }

  private func write(_ step: Object) throws {
    let bytes = (step["base64"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data(text(step).utf8)
    guard step["keepTimes"] as? Bool == true else {
      try FileManager.default.createDirectory(atPath: root(step), withIntermediateDirectories: true)
      return try bytes.write(to: URL(fileURLWithPath: path(step)))
    }
    var status = stat()
    #expect(stat(path(step), &status) == 0)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path(step)))
    try file.write(contentsOf: bytes)
    try file.close()
    var times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, path(step), &times, 0) == 0)
  }

  private mutating func moveBook() throws {
    let other = program.folder.path + "/moved-\(UUID().uuidString).db"
    for suffix in ["", "-wal", "-shm"] where access(book + suffix, F_OK) == 0 {
      #expect(Glibc.rename(book + suffix, other + suffix) == 0)
    }
    for name in [".cache", ".local", ".config"] {
      try? FileManager.default.removeItem(atPath: program.folder.path + "/" + name)
    }
    book = other
  }

  private func edit(_ step: Object) throws {
    var arguments = ["edit"]
    for pair in step["set"] as? [[String]] ?? [] { arguments += ["--set", pair[0] + "=" + pair[1]] }
    for name in step["addGroup"] as? [String] ?? [] { arguments += ["--add-group", name] }
    for name in step["removeGroup"] as? [String] ?? [] { arguments += ["--remove-group", name] }
    try run(arguments + [who(step)], allows: [0])
  }

  private func undelete(_ step: Object) throws {
    let listed = try json(["trash", "list", "--format", "json"]) as? [Object] ?? []
    let contact = listed.first { isAbout($0, step) }
    let id = try #require(contact?["id"], "\(self.step)")
    try run(["undelete", "\(id)"], allows: [0])
  }

  // MARK: - Syncs

  private mutating func sync(_ step: Object) throws {
    let expected = step["expect"] as? Object ?? [:]
    last = expected
    let isFinal = expected["final"] as? Bool == true
    if !isFinal { remember() }
    var path = root(step)
    switch step["path"] as? String {
    case "link":
      path = program.folder.path + "/link"
      symlink(root(step), path)
    case "dots": path = "cards/../cards/."
    default: break
    }
    let (status, report) = try runSync(args: step["args"] as? [String] ?? [], path: path)
    if let exit = expected["exit"] as? Int { #expect(Int(status) == exit, "\(self.step): exit") }
    if status != 3 || !report.isEmpty {
      let keys = isFinal ? ["conflicts"] : ["refused", "conflicts", "skipped", "toBook", "toFolder"]
      for key in keys where expected[key] != nil {
        #expect(
          Self.letters(report[key], like: expected[key]) == Self.letters(expected[key]), "\(self.step): \(key)")
      }
    }
    if let wanted = expected["book"] as? [Object] {
      try checkBook(wanted, ignoring: expected["ignore"] as? [String] ?? [])
    }
    if expected["folder"] is NSNull {
      #expect(access(root(step), F_OK) != 0, "\(self.step): folder")
    } else if let wanted = expected["folder"] as? Object {
      try checkFolder(wanted, new: expected["new"] as? [Object] ?? [], expected, root(step))
    }
  }

  private func runSync(args: [String], path: String) throws -> (status: Int32, report: Object) {
    let result = try start(["sync", path, "--json"] + args)
    let report = result.outputBytes.isEmpty ? [:] : try program.json(result.outputBytes) as? Object ?? [:]
    return (result.status, report)
  }

  /// Starts a sync and kills it after it has changed a number of files.
  private mutating func crash(_ step: Object) throws {
    remember()
    let writes = step["writes"] as? Int ?? 1
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
    process.arguments =
      [
        "-f", "-o", "/dev/null", "-e", "trace=rename,unlink", "-e",
        "inject=rename:delay_exit=20000000:when=\(writes)", Program.path,
      ] + ["--book", book, "sync", folder]
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = Date().addingTimeInterval(15)
    while changedFiles < writes, process.isRunning, Date() < end { usleep(1000) }
    #expect(changedFiles == writes, "\(self.step)")
    for child in children(of: process.processIdentifier) { Glibc.kill(child, SIGKILL) }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts syncs and kills them 0, 4, 8, … ms later.
  private mutating func kill(_ step: Object) throws {
    remember()
    let times = step["times"] as? Int ?? 10
    for number in 0..<times {
      let running = try program.start(["--book", book, "sync", folder])
      usleep(UInt32(number) * 4000)
      Glibc.kill(running.process.processIdentifier, SIGKILL)
      running.wait(10)
    }
  }

  private var changedFiles: Int {
    let now = Set(
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".vcf") })
    let gone = before.keys.filter { $0.hasSuffix(".vcf") && !now.contains($0) }.count
    return gone + now.filter { before[$0] != FileState(folder + "/" + $0) }.count
  }

  private func children(of parent: Int32) -> [Int32] {
    let text = (try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { Int32($0) }
  }

  // MARK: - Expected results

  private func checkBook(_ wanted: [Object], ignoring ignored: [String]) throws {
    let found = try contacts()
    #expect(
      found.map { Self.letters($0, like: wanted, ignored) }.sorted()
        == wanted.map { Self.letters($0, like: wanted, ignored) }.sorted(), "\(step): book")
  }

  private func checkFolder(_ wanted: Object, new: [Object], _ expected: Object, _ root: String) throws {
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: root))
      .filter { !$0.hasSuffix(".tmp") || before[$0] != nil }
    var others = names.subtracting(wanted.keys)
    #expect(Set(wanted.keys).isSubset(of: names), "\(step): missing \(Set(wanted.keys).subtracting(names))")
    for (name, value) in wanted where names.contains(name) {
      if value as? String == "same" {
        #expect(before[name] == FileState(root + "/" + name), "\(step): \(name) is the same")
      } else if let object = value as? Object {
        try checkFile(root + "/" + name, object)
      }
    }
    for object in new {
      let match = others.sorted().first { name in
        (try? card(root + "/" + name)).map { $0["uid"] as? String == (object["card"] as? Object)?["uid"] as? String }
          == true
      }
      guard let name = match ?? others.first else {
        Issue.record("\(step): no new file for \(object)")
        continue
      }
      others.remove(name)
      let stem = name.dropLast(4)
      #expect(
        name.hasSuffix(".vcf") && !name.hasPrefix(".")
          && stem.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.+-".contains($0)) }, "\(step): \(name)")
      try checkFile(root + "/" + name, object)
    }
    #expect(others.isEmpty, "\(step): more files \(others)")
    for (name, mode) in expected["mode"] as? [String: String] ?? [:] {
      var status = stat()
      #expect(stat(root + "/" + name, &status) == 0)
      #expect(String(status.st_mode & 0o7777, radix: 8) == String(Int(mode, radix: 8) ?? -1, radix: 8), "\(step): mode")
    }
  }

  private func checkFile(_ path: String, _ wanted: Object) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n ", with: "")
    let lines = text.components(separatedBy: "\r\n")
    if let version = wanted["version"] as? String { #expect(lines.contains("VERSION:" + version), "\(step): version") }
    for line in wanted["kept"] as? [String] ?? [] { #expect(lines.contains(line), "\(step): kept \(line)") }
    let raw = Set(text.unicodeScalars.map(\.value)).intersection([
      0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0x2028, 0x2029,
    ])
    #expect(raw.isEmpty, "\(step): raw separators")
    if let card = wanted["card"] as? Object {
      #expect(
        try Self.letters(self.card(path), like: [card], []) == Self.letters(card, like: [card], []), "\(step): \(path)")
    }
  }

  /// Returns the card in a file, as a separate book reads it.
  private func card(_ path: String) throws -> Object {
    let other = program.folder.path + "/other-\(UUID().uuidString).db"
    let result = try program.run(["--book", other, "import", path])
    #expect(result.status == 0, "\(step): \(result.errors)")
    let listed = try program.run(["--book", other, "export", "--format", "json"])
    return (try program.json(listed.outputBytes) as? [Object])?.first ?? [:]
  }

  // MARK: - The program

  private var environment: [String: String] {
    ["HOME": program.folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
  }

  private func start(_ arguments: [String]) throws -> Program.Result { try program.run(["--book", book] + arguments) }

  private func run(_ arguments: String..., allows statuses: [Int32]) throws { try run(arguments, allows: statuses) }

  private func run(_ arguments: [String], allows statuses: [Int32]) throws {
    let result = try start(arguments)
    #expect(statuses.contains(result.status), "\(step): \(arguments): \(result.errors)")
  }

  private func json(_ arguments: [String]) throws -> Any? {
    let result = try start(arguments)
    return result.outputBytes.isEmpty ? nil : try program.json(result.outputBytes)
  }

  private func contacts() throws -> [Object] {
    guard access(book, F_OK) == 0 else { return [] }
    return try json(["export", "--format", "json"]) as? [Object] ?? []
  }

  private func who(_ step: Object) throws -> String {
    if let uid = step["who"] as? String { return uid }
    return "\(try contacts().first { isAbout($0, step) }?["id"] ?? "")"
  }

  private func isAbout(_ contact: Object, _ step: Object) -> Bool {
    if let uid = step["who"] as? String { return contact["uid"] as? String == uid }
    return contact["name"] as? String == (step["who"] as? Object)?["name"] as? String
  }

  private func text(_ step: Object) -> String { step["text"] as? String ?? "" }

  private func root(_ step: Object) -> String {
    (step["dir"] as? String).map { program.folder.path + "/" + $0 } ?? folder
  }

  private func path(_ step: Object, _ key: String = "file") -> String {
    root(step) + "/" + (step[key] as? String ?? "")
  }

  private mutating func remember() {
    before = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      before[name] = FileState(folder + "/" + name)
    }
  }
}

/// The state of a file: its bytes, and what changes when it is written or replaced.
struct FileState: Equatable {
  private let inode: UInt
  private let modified: [Int]
  private let mode: UInt32
  private let bytes: Data?

  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    inode = UInt(status.st_ino)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    mode = status.st_mode
    bytes = status.st_mode & S_IFMT == S_IFREG ? try? Data(contentsOf: URL(fileURLWithPath: path)) : nil
  }
}
