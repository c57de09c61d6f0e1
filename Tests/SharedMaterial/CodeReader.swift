import Foundation

/// Reads QR codes that were drawn as characters, with zbar: an independent reader.
public enum CodeReader {
  private static let program = "/usr/bin/zbarimg"
  /// True if zbar is installed.
  public static var isInstalled: Bool { access(program, X_OK) == 0 }
  /// The pixels of a module.
  private static let scale = 4

  /// Returns the text of the only code in lines of half blocks, in which black is drawn; nil if there is none that can be
  /// read.
  public static func text(inHalfBlocks lines: [String]) throws -> String? {
    var rows: [[Bool]] = []
    for line in lines {
      rows.append(line.map { "█▀".contains($0) })
      rows.append(line.map { "█▄".contains($0) })
    }
    return try text(inModules: rows)
  }

  /// The same for modules; true for a dark one.
  public static func text(inModules rows: [[Bool]]) throws -> String? {
    let width = rows.map(\.count).max() ?? 0
    var picture = Data("P5 \(width * scale) \(rows.count * scale) 255\n".utf8)
    for row in rows {
      let pixels = (0..<width * scale).map { column -> UInt8 in
        let module = column / scale
        return module < row.count && row[module] ? 0 : 255
      }
      for _ in 0..<scale { picture += pixels }
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("code-\(UUID().uuidString).pgm")
    try picture.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try CommandResult.run(
      program, ["--quiet", "--nodbus", "--raw", "-Sdisable", "-Sqrcode.enable", file.path],
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
    guard result.status == 0, result.output.hasSuffix("\n") else { return nil }
    return String(result.output.dropLast())
  }
}
