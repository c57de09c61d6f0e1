import AddressBookModel
import BookSearching
import Messages
import TerminalKit

/// A list of the commands of a context with their keys, made from the key table: typing filters the list, Enter
/// performs a command.
enum CommandPalette {
  /// The commands of a context in the order of the key table, except that those that work everywhere come last; the
  /// command that opens this list is left out.
  static func bindings(_ keys: KeyTable, in context: KeyContext) -> [KeyBinding<Command, KeyContext>] {
    let bindings = keys.bindings(in: context).filter { $0.action != .palette }
    func isEverywhere(_ binding: KeyBinding<Command, KeyContext>) -> Bool {
      binding.contexts.count == KeyContext.allCases.count
    }
    return bindings.filter { !isEverywhere($0) } + bindings.filter(isEverywhere)
  }

  /// The items of the list: a command is found by its description and other words for it in any language, by its name in
  /// `config.toml`, and by its keys.
  static func items(_ bindings: [KeyBinding<Command, KeyContext>], strings: Strings) -> [ChooserState.Item] {
    let languages = Language.allCases.map { Strings(Localization(language: $0)) }
    return bindings.map { binding in
      let words = languages.flatMap { language in
        [language(binding.help)]
          + language("also." + binding.action.rawValue, else: "").split { ",，".contains($0) }.map { String($0).trimmed }
      }
      return ChooserState.Item(
        strings(binding.help), detail: binding.sequences.map(\.label).joined(separator: "  "),
        aliases: words + [binding.action.rawValue] + binding.sequences.map(\.notation))
    }
  }

  @MainActor
  static func screen(
    environment: AppEnvironment, of context: KeyContext, perform: @escaping @MainActor (Command) -> Void
  ) -> Chooser {
    let strings = environment.strings
    let isReadOnly = environment.refusal != nil
    let bindings = bindings(environment.keys, in: context).filter { !(isReadOnly && $0.isWriting) }
    let state = ChooserState(
      title: strings("palette.title"), items: items(bindings, strings: strings).map(\.withPinyin), isRanked: true,
      texts: environment.chooserTexts(placeholder: strings("palette.placeholder")))
    return Chooser(
      state, context: .chooser, style: environment.theme.widgets,
      choose: { choice in
        if case .item(let index) = choice { perform(bindings[index].action) }
      })
  }
}

extension ChooserState.Item {
  /// The same item, also found by a prefix of its pinyin or of its pinyin initials.
  var withPinyin: Self {
    var item = self
    item.spellings = PinyinSpelling.all(of: text)
    return item
  }
}

/// Data for the manual: the default keys of the screen.
public struct KeyReference: Sendable {
  /// Keys below one heading.
  public struct Group: Sendable {
    /// The heading, in the user's language.
    public var title: String
    /// The notation of the keys, and their meaning.
    public var keys: [(keys: String, meaning: String)]
  }

  /// Every key, in the order of the help screen.
  public let groups: [Group]

  /// Creates the localized reference.
  public init(localization: Localization) {
    var groups: [Group] = []
    for line in HelpLines(keys: .standard, strings: Strings(localization)).lines where !line.text.isEmpty {
      if line.keys.isEmpty {
        groups.append(Group(title: line.text, keys: []))
      } else if !groups.isEmpty {
        groups[groups.count - 1].keys.append((line.keys, line.text))
      }
    }
    self.groups = groups
  }
}
