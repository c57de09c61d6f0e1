import AddressBookModel
import ContactInterchange
import Foundation
import SystemCalls

/// The headers of mail that were read so far: whoever reads the same mail again, reads only new messages. It is kept in a
/// cache file, which may be deleted.
public struct ReadMail: Sendable {
  /// Who exchanged email.
  public var correspondents: Correspondents { content.correspondents }

  private struct Content: Codable {
    var correspondents = Correspondents()
    var known: Set<UInt64> = []
  }

  /// The mail, as ``MailFolder`` takes it.
  public let paths: [String]
  /// Nil for mail that is not read again, such as standard input.
  private let file: String?
  private var content = Content()
  private var isChanged = false
  /// Increased when headers are read differently.
  private static let version = 1

  /// Nothing, or what an earlier reading of the same paths kept.
  /// - Parameters:
  ///   - paths: as ``MailFolder`` takes them.
  ///   - folder: the folder of the cache file; nil to keep nothing.
  public init(_ paths: [String], in folder: String?) {
    self.paths = paths
    let isKept = folder != nil && !paths.contains("-")
    let places = paths.map { $0.hasPrefix(MailFolder.notmuch) ? $0 : RealPath.resolved($0) }
    let digest = Array(places.joined(separator: "\n").utf8).withUnsafeBytes { Checksum.of($0) }
    file = isKept ? folder.map { "\($0)/mail\(Self.version)-\(String(digest, radix: 16))" } : nil
    guard let file, let bytes = try? FileBytes.all(of: file),
      let kept = try? JSONDecoder().decode(Content.self, from: Data(bytes))
    else { return }
    content = kept
  }

  /// Reads the messages that are new.
  /// - Parameters:
  ///   - isCancelled: called before each message; true stops the reading.
  ///   - onMessage: called with the number of messages, after each.
  /// - Throws: `ImportError`. What was read by then is there.
  public mutating func read(isCancelled: @escaping () -> Bool, onMessage: (Int) -> Void) throws {
    let known = content.known
    for path in paths {
      var folder = MailFolder(path)
      folder.isCancelled = isCancelled
      folder.isKnown = { known.contains($0) }
      try folder.forEachHeader { identity, header in
        // A copy in another folder.
        guard content.known.insert(identity).inserted else { return }
        content.correspondents.add(header)
        isChanged = true
        onMessage(content.correspondents.messageCount)
      }
    }
  }

  /// Keeps what was read for the next time.
  public func keep() throws(FileFailure) {
    guard isChanged, let file else { return }
    try PrivateFolder.make(Folder.split(file).folder)
    do {
      try FileReplacement.write([UInt8](try JSONEncoder().encode(content)), to: file)
    } catch let error as FileFailure {
      throw error
    } catch {
      throw FileFailure(file, EINVAL)
    }
  }
}
