import BookInterchange
import ContactInterchange
import TerminalKit

/// The state of the screen of correspondents: who they are, which of them are shown, the selection, and the marks.
struct CorrespondentsState: Sendable {
  let mail: ReadMail
  /// The user's own addresses.
  private(set) var own: [String]
  private var people: [KnownCorrespondent] = []
  /// Those that are listed.
  private(set) var shown: [KnownCorrespondent] = []
  /// By their addresses.
  var marks = Marks<Set<String>>()
  var selection = ListSelection(count: 0)
  /// False to list only those who are not in the book.
  var showsKnown = true {
    didSet { list() }
  }

  /// - Parameter own: the user's own addresses; if there are none, the likeliest one of the mail.
  init(_ mail: ReadMail, own: [String] = []) {
    self.mail = mail
    self.own = own.isEmpty ? mail.correspondents.likelyOwner.map { [$0] } ?? [] : own
  }

  mutating func setOwn(_ text: String) {
    let addresses = text.split { $0 == "," || $0 == "、" || $0.isWhitespace }.compactMap { MailAddress.bare(String($0)) }
    if !addresses.isEmpty { own = addresses }
  }

  /// Shows these people. The same one stays selected; those who are in the book now are no longer marked.
  mutating func show(_ people: [KnownCorrespondent]) {
    self.people = people
    marks.remove(marks.ids.subtracting(people.filter { $0.contact == nil }.map(\.person.address)))
    list()
  }

  private mutating func list() {
    let before = selected?.person.address
    shown = showsKnown ? people : people.filter { $0.contact == nil }
    selection.count = shown.count
    if let index = shown.firstIndex(where: { $0.person.address == before }) { selection.select(index) }
  }

  var selected: KnownCorrespondent? {
    shown.indices.contains(selection.selected) ? shown[selection.selected] : nil
  }

  /// The marked people, or the selected one.
  var chosen: [KnownCorrespondent] {
    marks.isEmpty ? selected.map { [$0] } ?? [] : people.filter { marks.contains($0.person.address) }
  }

  /// Marks the selected person, unless they are in the book, or removes the mark, and goes to the next.
  mutating func toggleMark() {
    guard let selected else { return }
    if selected.contact == nil { marks.toggle(selected.person.address) }
    selection.move(.down)
  }
}
