import Foundation
import SharedMaterial
import Testing

/// A case of a file about formats or names: files, and runs of the program on them with what is expected of each.
struct FormatCase: Sendable, CustomTestStringConvertible {
  typealias Object = [String: Any]

  /// Why a case failed.
  struct Failure: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  let kind: String
  let name: String
  private let json: Data

  init?(_ item: Object) throws {
    guard let kind = item["kind"] as? String, let name = item["name"] as? String else { return nil }
    (self.kind, self.name) = (kind, name)
    json = try JSONSerialization.data(withJSONObject: item)
  }

  var testDescription: String { kind + "/" + name }

  /// Returns the cases of a file; empty if the variable is not set.
  static func all(_ file: SharedMaterial) -> [FormatCase] {
    guard file.isNamed else { return [] }
    do {
      let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file.url)) as? Object
      return try (root?["cases"] as? [Object] ?? []).compactMap(FormatCase.init)
    } catch {
      preconditionFailure("\(file.path): \(error)")
    }
  }

  /// Plays the case.
  func check() throws {
    let item = try #require(try JSONSerialization.jsonObject(with: json) as? Object)
    do throws(Failure) {
      var player = try FormatCasePlayer()
      try player.play(item)
    } catch {
      Issue.record("\(testDescription): \(error.text)")
    }
  }
}

/// A folder and books in which the steps of one case are performed.
struct FormatCasePlayer {
  typealias Object = [String: Any]
  typealias Failure = FormatCase.Failure

  /// What a run printed, or the content of a file.
  private struct Output {
    let label: String
    var status: Int32 = 0
    let text: String
    var errors = ""
  }

  private var program: Program
  private var stored: [String: String] = [:]
  private var named: [String: Output] = [:]

  init() throws(Failure) {
    program = try Self.attempt { try Program() }
    program.environment = ["LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb"]
  }

  mutating func play(_ item: Object) throws(Failure) {
    try write(item["files"])
    for step in item["steps"] as? [Object] ?? [] { try play(step: step) }
  }

  private mutating func play(step: Object) throws(Failure) {
    try write(step["write"])
    if let change = step["replace"] as? [String: String] {
      let (file, old, new) = (change["file"] ?? "", change["from"] ?? "", change["to"] ?? "")
      let text = try read(file)
      guard text.contains(old) else { throw Failure("\(file) lacks \(old)") }
      try write([file: text.replacingOccurrences(of: old, with: new)])
    }
    let output: Output
    if let arguments = step["run"] as? [String] {
      output = try run(arguments, book: step["book"] as? String ?? "book", step["stdin"] as? String ?? "")
    } else if let file = step["read"] as? String {
      output = Output(label: "file " + file, text: try read(file))
    } else {
      return
    }
    if let file = step["save"] as? String { try write([file: output.text]) }
    named[step["as"] as? String ?? ""] = output
    try expect(output, step)
    guard let sets = step["any"] as? [Object] else { return }
    var reasons: [String] = []
    for set in sets {
      let status: Object = ["status": NSNull()]
      do throws(Failure) {
        try expect((set["of"] as? String).flatMap { named[$0] } ?? output, status.merging(set) { $1 })
        return
      } catch { reasons.append(error.text) }
    }
    throw Failure("none of the alternatives holds: " + reasons.joined(separator: " | "))
  }

  private mutating func run(_ arguments: [String], book: String, _ input: String) throws(Failure) -> Output {
    let filled = arguments.map { argument in
      stored.reduce(argument) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }
    let (program, path) = (program, "\(program.folder.path)/\(book).db")
    let all = [filled[0], "--book", path] + filled.dropFirst()
    let result = try Self.attempt { try program.run(all, input: Array(input.utf8)) }
    let label = filled.joined(separator: " ")
    guard result.status < 128 else { throw Failure("\(label): ended by a signal") }
    return Output(label: label, status: result.status, text: result.output, errors: result.errors)
  }

  // MARK: - Files

  private func write(_ files: Any?) throws(Failure) {
    for (name, content) in files as? Object ?? [:] {
      let text = content as? String ?? (content as? [String] ?? []).map { $0 + "\n" }.joined()
      let url = URL(fileURLWithPath: program.folder.path + "/" + name)
      try Self.attempt {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
    }
  }

  private func read(_ name: String) throws(Failure) -> String {
    let url = URL(fileURLWithPath: program.folder.path + "/" + name)
    return String(decoding: try Self.attempt { try Data(contentsOf: url) }, as: UTF8.self)
  }

  private static func attempt<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
    do { return try body() } catch { throw Failure("\(error)") }
  }

  // MARK: - Expectations

  private mutating func expect(_ output: Output, _ wanted: Object) throws(Failure) {
    func fail(_ text: String) -> Failure { Failure("\(output.label): \(text.prefix(600))") }
    func texts(_ key: String) -> [String] { wanted[key] as? [String] ?? [] }
    if !(wanted["status"] is NSNull) {
      let allowed = wanted["status"] as? [Int] ?? [wanted["status"] as? Int ?? 0]
      guard allowed.contains(Int(output.status)) else { throw fail("status \(output.status); \(output.errors)") }
    }
    let text = Self.unfolded(output.text)
    // Byte for byte: a combining mark after the text would hide it.
    func has(_ part: String, in text: String) -> Bool { text.range(of: part, options: .literal) != nil }
    for part in texts("out_has") where !has(part, in: text) { throw fail("output lacks \(part): \(text)") }
    for part in texts("out_lacks") where has(part, in: text) { throw fail("output has \(part): \(text)") }
    for part in texts("err_has") where !has(part, in: output.errors) { throw fail("lacks \(part): \(output.errors)") }
    for part in texts("err_lacks") where has(part, in: output.errors) { throw fail("has \(part): \(output.errors)") }
    for pattern in texts("out_matches") where try !CaseValue.matches(pattern, text) {
      throw fail("no match of \(pattern): \(text)")
    }
    for pattern in texts("out_no_match") where try CaseValue.matches(pattern, text) {
      throw fail("a match of \(pattern): \(text)")
    }
    if let reports = wanted["reports"] as? Bool {
      let said = output.errors.split(separator: "\n").filter { line in
        !line.allSatisfy(\.isWhitespace)
          && line.wholeMatch(of: #/imported \d+, updated \d+, skipped \d+/#) == nil
      }
      if reports == said.isEmpty { throw fail(reports ? "nothing is reported" : "reports \(said)") }
    }
    if let file = wanted["out_is"] as? String {
      let (before, after) = (Self.lines(try read(file)), Self.lines(output.text))
      guard before == after else { throw fail("not \(file): \(after.difference(from: before))") }
    }
    guard wanted["json"] != nil || wanted["store"] != nil else { return }
    guard let document = Self.json(output.text) else { throw fail("not JSON: \(output.text)") }
    for pair in wanted["json"] as? [[Any]] ?? [] where try !CaseValue.holds(pair[1], at: pair[0], of: document) {
      throw fail("\(pair[0]) is \(CaseValue.values(at: pair[0], of: document)), not \(pair[1])")
    }
    for (name, path) in wanted["store"] as? Object ?? [:] {
      guard let value = CaseValue.values(at: path, of: document).first else { throw fail("nothing at \(path)") }
      stored[name] = "\(value)"
    }
  }

  private static func lines(_ text: String) -> [String] { unfolded(text).split(separator: "\n").map(String.init) }

  /// Returns text with LF only; vCards and LDIF with each property or attribute on one line.
  private static func unfolded(_ text: String) -> String {
    var text = text.replacingOccurrences(of: "\u{FEFF}", with: "", options: .anchored)
      .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    let start = text.drop { $0 == "\n" }.prefix(12).lowercased()
    guard start.hasPrefix("begin:vcard") else {
      let isLDIF = start.hasPrefix("dn:") || start.hasPrefix("version:")
      return isLDIF ? text.replacingOccurrences(of: "\n ", with: "") : text
    }
    text = text.replacingOccurrences(of: "\n[ \\t]", with: "", options: .regularExpression)
    var lines: [String] = []
    for line in text.components(separatedBy: "\n") {
      if let last = lines.last, last.hasSuffix("="),
        last.prefix(while: { $0 != ":" }).lowercased().contains("quoted-printable")
      {
        lines[lines.count - 1] = last.dropLast() + line
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the elements of an array, the one object, or the objects of the lines.
  private static func json(_ text: String) -> [Any]? {
    func parse(_ text: some StringProtocol) -> Any? { try? JSONSerialization.jsonObject(with: Data(text.utf8)) }
    if let value = parse(text) { return value as? [Any] ?? [value] }
    let lines = text.split(separator: "\n")
    let values = lines.compactMap { parse($0) }
    return values.count == lines.count ? values : nil
  }
}
