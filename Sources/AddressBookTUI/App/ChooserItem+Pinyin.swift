import AddressBookModel
import BookSearching
import TerminalKit

extension ChooserState.Item {
  /// The same item, also found by a prefix of its pinyin or of its pinyin initials.
  var withPinyin: Self {
    var item = self
    item.spellings = PinyinSpelling.all(of: text)
    return item
  }
}
