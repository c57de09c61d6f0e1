import AddressBookModel
import BookInterchange
import ContactInterchange
import Contacts
import VCard

/// Merges two versions of one card, for vdirsyncer: the folder's and the server's.
public struct CardMerge {
  /// The merged card.
  public let bytes: [UInt8]

  /// - Parameters:
  ///   - base: the bytes of the card that both had before; nil if it is unknown.
  ///   - mine: the bytes of the folder's card.
  ///   - theirs: the bytes of the server's card.
  ///   - open: both cards when a conflict was last left open; nil if none was.
  ///   - prefers: the side that wins conflicts; nil if neither does.
  /// - Returns: nil if `mine` and `theirs` are not cards of one contact or one group, or if they cannot be merged without a
  ///   decision.
  public init?(
    base: [UInt8]?, mine: [UInt8], theirs: [UInt8], open: (mine: [UInt8], theirs: [UInt8])? = nil,
    prefers: ThreeWayMerge.Side?
  ) {
    if case .group(let my) = FolderFile(mine, keepsMetadata: true),
      case .group(let their) = FolderFile(theirs, keepsMetadata: true)
    {
      bytes = GroupPlan.merged(base: base.flatMap(Self.group), mine: my, theirs: their, prefers: prefers)
      return
    }
    guard let my = Self.card(mine), var their = Self.card(theirs) else { return nil }
    let old = base.flatMap(Self.card)
    their.undoLosses(of: [my.contact, old?.contact])
    let version = their.version
    func compared(_ card: FolderCard) -> Contact {
      var contact = card.contact
      contact.cardLines = CardTemplate(contact.cardLines).linesWithoutField(in: version)
      return contact
    }
    var common = old.map(compared) ?? Contact()
    if let open, let mine = Self.card(open.mine), let theirs = Self.card(open.theirs) {
      let conflict = OpenConflict(mine: compared(mine), theirs: compared(theirs))
      common = (try? conflict.decided(common, mine: compared(my), theirs: compared(their))) ?? common
    }
    var merge = ThreeWayMerge(base: common, mine: compared(my), theirs: compared(their), prefers: prefers)
    var merged = merge.run()
    guard !merge.conflicts.contains(where: { $0.kept == .each }) else { return nil }
    merged.uid = their.contact.uid
    merged.cardLines = CardTemplate(their.contact.cardLines).replacingLinesWithoutField(with: merged.cardLines)
    let photo = merged.photo.flatMap { photo in
      [their, my, old].lazy.compactMap { $0 }.first { $0.contact.photo?.sha256 == photo.sha256 && !$0.picture.isEmpty }?
        .binary
    }
    bytes = CardExporter(cardVersion: their.version, groupsWithCard: [], escapesCommas: true)
      .card(of: merged, binary: photo)
  }

  private static func group(_ bytes: [UInt8]) -> GroupCard? {
    guard case .group(let card) = FolderFile(bytes, keepsMetadata: true) else { return nil }
    return card
  }

  private static func card(_ bytes: [UInt8]) -> FolderCard? {
    guard case .card(let card) = FolderFile(bytes, keepsMetadata: true) else { return nil }
    return card
  }
}
