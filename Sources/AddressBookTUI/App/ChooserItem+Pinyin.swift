import AddressBookModel
import TerminalKit

extension ChooserState.Item {
  /// The same item, which the beginning of its pinyin, or of its pinyin initials, finds too.
  var withPinyin: Self {
    var item = self
    item.spellings = PinyinSpelling.all(of: text)
    return item
  }
}
