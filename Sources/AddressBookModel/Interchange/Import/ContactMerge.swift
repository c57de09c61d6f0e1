extension Contact {
  /// This contact with what a card adds: texts of the card stand where it has any, lists hold what either has. Nothing is
  /// taken away, because a card without a UID, or a second one with the same, proves too little for that.
  func adding(_ card: Contact) -> Contact {
    var merged = self
    for (_, property) in ContactLoader.textColumns where !card[keyPath: property].isEmpty {
      merged[keyPath: property] = card[keyPath: property]
    }
    merged.birthday = card.birthday ?? birthday
    for (_, property) in ContactLoader.labelledTables {
      let held = Set(self[keyPath: property])
      merged[keyPath: property] += card[keyPath: property].filter { !held.contains($0) }
    }
    merged.addresses += card.addresses.filter { !addresses.contains($0) }
    merged.groups += card.groups.filter { !groups.contains($0) }
    let lines = Set(cardLines)
    merged.cardLines += card.cardLines.filter { !lines.contains($0) }
    return merged
  }

  /// True when nothing is in the contact that anybody could want to keep.
  var holdsNothing: Bool {
    var empty = Contact()
    empty.uid = uid
    empty.kind = kind
    return self == empty
  }
}
