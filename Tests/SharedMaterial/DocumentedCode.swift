import Foundation
import Synchronization

/// The code of an article of a DocC catalog, and the output that the article shows.
///
/// A test has the same code, in which `print` collects the lines, and compares both with the article. So the code is
/// compiled, and the output is what it prints:
/// ```swift
/// @Test func theFirstPagePrintsThis() throws {
///   let print = PrintedLines()
///   … the code of the first page …
///   let problems = try DocumentedCode(of: "Pinyin").problems(in: #filePath, printed: print.lines)
///   #expect(problems == [])
/// }
/// ```
public struct DocumentedCode: Sendable {
  /// The blocks of Swift without indentation, in parts that empty lines divide.
  public let code: [[String]]
  /// The commands of the shell (`sh`).
  public let commands: String
  /// The lines of the blocks without a language.
  public let output: [String]
  private let needsOutput: Bool

  /// Reads an article.
  /// - Parameters:
  ///   - module: a module with a DocC catalog.
  ///   - article: an article of the catalog; nil for its first page, which shows output.
  public init(of module: String, article: String? = nil) throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let page = root.appending(path: "Sources/\(module)/\(module).docc/\(article ?? module).md")
    var blocks: [String: [String]] = [:]
    var language: String?
    for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        // A block is a part of its own.
        if language != nil { blocks["swift", default: []].append("") }
        language = language == nil ? String(line.dropFirst(3)) : nil
      } else if let language {
        blocks[language, default: []].append(line)
      }
    }
    code = Self.trimmed(blocks["swift"] ?? []).split(separator: "").map(Array.init)
    commands = (blocks["sh"] ?? []).joined(separator: "\n")
    output = blocks[""] ?? []
    needsOutput = article == nil
  }

  /// Runs the commands of the article in a folder, as other programs.
  /// - Returns: the exit status.
  public func runCommands(in folder: URL) throws -> Int32 {
    try CommandResult.run(
      "/bin/sh", ["-ec", "cd '\(folder.path)'\n\(commands)"], environment: ProcessInfo.processInfo.environment
    ).status
  }

  /// Compares the article with its test.
  /// - Parameters:
  ///   - file: a source that has each part of the code, in the same order.
  ///   - printed: what the code printed.
  /// - Returns: the differences, as sentences.
  public func problems(in file: String, printed: [String] = []) throws -> [String] {
    var problems: [String] = []
    if code.isEmpty { problems.append("the article has no code") }
    if needsOutput, output.isEmpty { problems.append("the first page has no output") }
    if printed != output { problems.append("the article shows \(output), but the code prints \(printed)") }
    var rest = Self.trimmed(try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n"))[...]
    for part in code {
      if let found = rest.firstRange(of: part) {
        rest = rest[found.upperBound...]
      } else {
        problems.append("the test does not have this, or has it elsewhere: \(part)")
      }
    }
    return problems
  }

  private static func trimmed(_ lines: [String]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

/// Stands in for `print`, and keeps the lines.
public final class PrintedLines: Sendable {
  private let text = Mutex("")

  /// Nothing is printed yet.
  public init() {}

  /// Prints as `print` does.
  public func callAsFunction(_ items: Any..., separator: String = " ", terminator: String = "\n") {
    let line = items.map { "\($0)" }.joined(separator: separator) + terminator
    text.withLock { $0 += line }
  }

  /// The printed lines, without blanks at their ends.
  public var lines: [String] {
    var lines = text.withLock { $0 }.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      line.replacing(#/ +$/#, with: "")
    }
    if lines.last == "" { lines.removeLast() }
    return lines.map(String.init)
  }
}
