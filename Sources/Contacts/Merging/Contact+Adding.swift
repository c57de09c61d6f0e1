extension Contact {
  /// This contact with what a card adds: texts of the card stand where it has any, lists hold what either has. Nothing is
  /// taken away, because a card without a UID, or a second one with the same, proves too little for that.
  /// - Parameter fields: the table of its fields.
  public func adding(_ card: Contact, fields: ContactFields = .standard) -> Contact {
    var merged = self
    for field in fields.texts where !card[field].isEmpty { merged[field] = card[field] }
    merged.birthday = card.birthday ?? birthday
    for field in fields.values {
      let held = Set(self[keyPath: field.property])
      merged[keyPath: field.property] += card[keyPath: field.property].filter { !held.contains($0) }
    }
    merged.addresses += card.addresses.filter { !addresses.contains($0) }
    merged.groups += card.groups.filter { !groups.contains($0) }
    let lines = Set(cardLines)
    merged.cardLines += card.cardLines.filter { !lines.contains($0) }
    return merged
  }
}
