import AddressBookModel
import TerminalKit

/// Lets the user choose what the list is sorted by.
@MainActor
final class OrderAction: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Shows the sort orders, with the current one marked.
  func choose() {
    let (orders, strings, present) = (ContactSortOrder.allCases, strings, list.currentOrder)
    let items = orders.map { order in
      ChooserState.Item(
        strings("sort." + order.rawValue), detail: order == present ? "●" : "", aliases: [order.rawValue])
    }
    let state = ChooserState(
      title: strings("sort.title"), items: items, selected: orders.firstIndex(of: present) ?? 0,
      texts: environment.chooserTexts(placeholder: strings("chooser.typeToFilter")))
    environment.screens.push(
      Chooser(
        state, context: .chooser, style: environment.theme.widgets,
        choose: { [self] choice in
          guard case .item(let index) = choice, orders[index] != list.currentOrder else { return }
          list.sort(by: orders[index])
        }))
  }
}
