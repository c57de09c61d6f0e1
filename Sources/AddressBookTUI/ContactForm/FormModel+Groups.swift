import TerminalKit

/// The groups field: completing, adding and removing the contact's groups.
extension FormModel {
  /// True if the groups are focused.
  var isInGroups: Bool { rows[focus].identity == .single(.groups) }

  /// The known group that completes the typed text; nil if there is none.
  var completion: GroupNames.Completion? {
    guard isInGroups, case .field(let field) = rows[focus].editor else { return nil }
    return GroupNames.completion(of: field.text, cursor: field.cursor, from: shownGroups)
  }

  /// The known groups with their displayed names, the favorites always first; empty until the groups have been read.
  private var shownGroups: [String] {
    guard let knownGroups else { return [] }
    return [favorites] + knownGroups.filter { $0 != Favorites.group }
  }

  /// Returns the groups in a text. The displayed name of the favorites, in capital or small letters, means
  /// `Favorites.group`. Typed without its star, it does so only if no other group has exactly that name.
  func typedGroups(in text: String) -> [String] {
    let word = favorites.trimmingPrefix("★ ").lowercased()
    let others = Set((knownGroups ?? []) + original.groups)
    var seen: Set<String> = []
    return GroupNames.names(in: text).map { name in
      let small = name.lowercased()
      let isFavorites = small == favorites.lowercased() || small == word && !others.contains(name)
      return isFavorites ? Favorites.group : name
    }.filter { seen.insert($0).inserted }
  }

  /// Completes the name of the group that is being typed; false if there is nothing to complete.
  mutating func complete() -> Bool {
    guard let completion else { return false }
    let (text, cursor) = GroupNames.completing(rows[focus].text, with: completion)
    setField(text, cursor: cursor)
    return true
  }

  /// Removes the name of the group at the cursor; false if there is none.
  mutating func removeGroup() -> Bool {
    guard isInGroups, case .field(let field) = rows[focus].editor,
      let (text, cursor) = GroupNames.removing(from: field.text, at: field.cursor)
    else { return false }
    setField(text, cursor: cursor)
    return true
  }

  /// Adds a group after the typed ones, unless it is one of them.
  mutating func addGroup(_ name: String) {
    guard isInGroups else { return }
    let names = GroupNames.names(in: rows[focus].text)
    guard !names.contains(name) else { return }
    let text = GroupNames.text(of: names + [name])
    setField(text, cursor: text.count)
  }

  /// The known groups that the contact is not in.
  var otherGroups: [String] {
    let names = Set(contact.groups)
    return shownGroups.filter { !names.contains($0 == favorites ? Favorites.group : $0) }
  }

  /// The typed groups that will be created; empty until the known groups have been read.
  var newGroups: [String] {
    guard let knownGroups else { return [] }
    let known = Set(knownGroups + original.groups + [Favorites.group])
    return contact.groups.filter { !known.contains($0) }
  }

  private mutating func setField(_ text: String, cursor: Int) {
    var field = TextField(text)
    field.moveCursor(to: cursor)
    setEditor(.field(field))
  }
}
