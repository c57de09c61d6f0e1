import Contacts
import VCard

// Radicale, khard, Evolution and other programs lose parts of a card that they read and write. What they would lose is
// written in a form that all of them keep, and what they have lost is no edit.

extension Card {
  /// Returns the card with a backslash before each comma that separates nothing: many programs end a text or a URI at an
  /// unescaped comma, and all read an escaped one. A colon loses its backslash, which few read.
  public func escapingCommas() -> Card {
    var card = self
    card.lines = lines.map(\.sent)
    return card
  }
}

extension Contact {
  /// Returns this state of a contact, which another program wrote, with the values of an own state where this one only
  /// has what such a program makes of them: values cut at a comma, lost parameters and parts.
  /// - Returns: nil if there are no such values. `isLoss` is false if they mean the same in either form.
  public func undoingLosses(of own: Contact) -> (contact: Contact, isLoss: Bool)? {
    let theirs = ParsedCard(kept: cardLines, .standard)
    var restoring = LineRestoring(theirs, ParsedCard(kept: own.writtenLines(theirs.version), .standard))
    guard let lines = restoring.lines() else { return nil }
    var parsed = ParsedCard(kept: lines, .standard)
    var contact = parsed.takeContact()
    contact.cardLines = lines
    contact.photo = [photo, own.photo].lazy.compactMap { $0 }.first { $0.sha256 == parsed.photoDigest }
    return (contact, restoring.isLoss)
  }

  /// Returns the lines of the contact's card, in the form in which a contact keeps them.
  private func writtenLines(_ version: CardVersion) -> [String] {
    let binary = photo.map { CardBinary(mediaType: $0.mediaType, bytes: []) }
    let card = CardComposer.card(of: self, photo: binary, version: version, vocabulary: .standard)
    let lines = card.lines.map { line in
      guard let photo, line.isNamed("PHOTO"), line.rawValue.utf8.count == line.base64Offset else { return line }
      return PhotoLine.kept(line, digest: photo.sha256)
    }
    return KeptLines.texts(lines.map(\.verbatim), version: version)
  }
}

extension CardVocabulary {
  /// Returns whether the value of a property is one text or URI, in which a comma separates nothing.
  fileprivate func isText(_ line: CardLine) -> Bool {
    let names = ["N", "ADR", "CATEGORIES", "NICKNAME"]
    return !names.contains(where: line.isNamed) && (line.isNamed("X-ABLABEL") || parse(line, label: nil) != nil)
  }
}

extension CardLine {
  /// The line as it is written for other programs.
  fileprivate var sent: CardLine { isURI || CardVocabulary.standard.isText(self) ? escapingCommas() : self }

  /// Whether the value is a URI, whatever the property.
  fileprivate var isURI: Bool {
    let value = rawValue.prefix(32).lowercased()
    let scheme = value.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard !scheme.isEmpty, value.dropFirst(scheme.count).first == ":" else { return false }
    return ["data", "geo", "mailto", "tel", "urn"].contains(scheme) || value.dropFirst(scheme.count).hasPrefix("://")
      || isNamed("IMPP") || values(of: "VALUE").contains { ["uri", "url"].contains($0.lowercased()) }
  }
}

/// Replaces the lines of another program's card that are only its form of own lines.
private struct LineRestoring {
  private(set) var isLoss = false
  private let theirs: ParsedCard
  private let own: ParsedCard
  /// The index of the own line of each of their lines; nil for a line of their own.
  private var partner: [Int?]
  private var free: [Int]

  init(_ theirs: ParsedCard, _ own: ParsedCard) {
    self.theirs = theirs
    self.own = own
    free = Array(own.lines.indices)
    partner = []
    var indices = Dictionary(grouping: free.reversed()) { own.lines[$0].verbatim }
    partner = theirs.lines.map { indices[$0.verbatim]?.popLast() }
    let taken = Set(partner.compactMap { $0 })
    free.removeAll(where: taken.contains)
  }

  mutating func lines() -> [String]? {
    pairForms()
    pairDays()
    var lines = theirs.lines
    for (index, other) in partner.enumerated() {
      guard let other, own.lines[other].verbatim != lines[index].verbatim else { continue }
      lines[index] = own.lines[other].inGroup(lines[index].group)
    }
    followOrder(&lines)
    let texts = lines.map(\.verbatim)
    return texts == theirs.lines.map(\.verbatim) ? nil : KeptLines.texts(texts, version: theirs.version)
  }

  private mutating func pairForms() {
    var indices: [LineForm: [Int]] = [:]
    for index in free {
      let line = own.lines[index]
      // Earlier versions did not escape the commas of URIs.
      let lines = [line, line.sent, line.isURI ? line.unescapingCommas() : line]
      for form in Set(lines.map(\.reserialized) + [line.form]) { indices[form, default: []].append(index) }
    }
    for index in partner.indices where partner[index] == nil {
      guard let other = indices[theirs.lines[index].form]?.first(where: free.contains) else { continue }
      pair(index, other)
    }
  }

  /// Pairs days without a year: some programs write Apple's year for them, and lose the parameter that says so.
  private mutating func pairDays() {
    for index in partner.indices where partner[index] == nil && theirs.lines[index].text.hasPrefix("1604") {
      guard let other = free.first(where: { own.fields[$0] == theirs.fields[index] && own.fields[$0] != nil }) else {
        continue
      }
      pair(index, other)
    }
  }

  private mutating func pair(_ index: Int, _ other: Int) {
    partner[index] = other
    free.removeAll { $0 == other }
    let (line, ownLine) = (theirs.lines[index], own.lines[other])
    let isSame =
      own.fields[other].map { $0 == theirs.fields[index] }
      ?? (line.text == ownLine.text && line.form.parameters == ownLine.form.parameters)
    if !isSame { isLoss = true }
  }

  /// Puts own lines into their own order if the others are sorted by name, as vobject sorts them: the values of a list
  /// may come from several properties.
  private func followOrder(_ lines: inout [CardLine]) {
    let names = lines.map(\.key).filter { !["PRODID", "UID"].contains($0) }
    guard names == names.sorted() else { return }
    let slots = partner.indices.filter { partner[$0] != nil }
    let ordered = slots.sorted { (partner[$0] ?? 0) < (partner[$1] ?? 0) }.map { lines[$0] }
    for (slot, line) in zip(slots, ordered) { lines[slot] = line }
  }
}
