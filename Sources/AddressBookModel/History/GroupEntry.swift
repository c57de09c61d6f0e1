import Foundation
import GRDB

/// What a step changed in a group.
struct GroupEntry {
  let uid: String
  let before: String?
  let after: String?
  /// What else is needed to reverse the change.
  let lost: LostGroup
}

/// What the history keeps of a group besides its names: the members and the card of a deleted group, the card that was
/// replaced, and the rule of a smart group, whatever changed in it.
///
/// It is stored in the column `members` of `edit_group`: as a JSON array of the members' ids or, for a smart group, a
/// merged group or a group with a card, as a JSON object that has the columns of `group_card` as they were.
struct LostGroup: Codable {
  /// Deleted contacts that a merge of groups moved. They have no entries of their own in the history.
  struct Moved: Codable {
    /// UID of the group that they were moved to.
    var target: String
    /// Their ids, without those that were in that group already.
    var members: [Int64]
  }

  /// The ids of the members, in ascending order; if the step created a deleted group again, only those of deleted
  /// contacts.
  var members: [Int64] = []
  /// The lines of its card as `group_card` has them. Without a card: nil, or `[]` if the step gave the group one.
  var lines: String?
  /// The references of members that are not in the book, as `group_card` has them.
  var waiting: String?
  /// The lines of the card that the step gave the group; nil if it gave none.
  var successor: String?

  /// The rule of a smart group, before the step if the step changed it; nil for a group with members.
  var rule: SmartGroup.Rule?
  /// The rule that the step put in its place; nil if the smart group was made, renamed or deleted.
  var newRule: SmartGroup.Rule?
  /// The deleted contacts that a merge moved to another group.
  var moved: Moved?

  /// The lines of a group that has no card.
  private static let noCard = "[]"

  init() {}

  /// Returns what the history must keep of a group whose card is about to be replaced or removed.
  static func card(_ db: Database, group id: Int64) throws -> LostGroup {
    var lost = try LostGroup(db, group: id)
    lost.members = []
    lost.lines = lost.lines ?? noCard
    return lost
  }

  /// Reads what the history must keep of a group that is about to be deleted.
  init(_ db: Database, group id: Int64) throws {
    members = try BulkWriter.members(of: id, db)
    guard
      let card = try Row.fetchOne(db, sql: "SELECT lines, waiting FROM group_card WHERE group_id = ?", arguments: [id])
    else { return }
    (lines, waiting) = (card[0], card[1])
  }

  /// Decodes the text in the history. If the text has neither form, the result is empty.
  init(text: String?) {
    let data = Data((text ?? "").utf8)
    if let lost = try? JSONDecoder().decode(LostGroup.self, from: data) {
      self = lost
    } else {
      members = (try? JSONDecoder().decode([Int64].self, from: data)) ?? []
    }
  }

  /// Returns the text for the history; nil if there is nothing to keep.
  func text() throws -> String? {
    if lines == nil, rule == nil, moved == nil { return members.isEmpty ? nil : ContactLoader.json(members) }
    return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
  }

  /// Gives a group the card that it had before the step.
  func restoreCard(_ db: Database, group id: Int64) throws {
    guard let lines else { return }
    try StoredGroupCard.set(lines == Self.noCard ? nil : lines, waiting: waiting, of: id, db)
  }
}
