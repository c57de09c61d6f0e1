/// Everything a key can ask for. The raw value is the name in the configuration file; `command.` before it is the key of
/// its description.
enum Command: String, CaseIterable, Sendable {
  // In the list.
  case moveDown, moveUp, pageDown, pageUp, halfDown, halfUp, first, last, jump
  case search, groups, open, back
  case add, edit, delete, undo, redo, mark, copy, openLink
  case addToGroup, removeFromGroup, export
  case `import`, warnings, demo
  case help, redraw, suspend, quit
  // In the search field.
  case searchNext = "search.next"
  case searchPrevious = "search.previous"
  case searchKeep = "search.keep"
  case searchCancel = "search.cancel"
  case searchClear = "search.clear"
  // In a form.
  case formNext = "form.next"
  case formPrevious = "form.previous"
  case formSave = "form.save"
  case formCancel = "form.cancel"
  case formLabel = "form.label"
  case formAdd = "form.add"
  case formRemove = "form.remove"
  case formMoveUp = "form.moveUp"
  case formMoveDown = "form.moveDown"
  // Among the files of a folder.
  case chooserNext = "chooser.next"
  case chooserPrevious = "chooser.previous"
  case chooserPageDown = "chooser.pageDown"
  case chooserPageUp = "chooser.pageUp"
  case chooserFirst = "chooser.first"
  case chooserLast = "chooser.last"
  case chooserOpen = "chooser.open"
  case chooserUp = "chooser.up"
  case chooserFilter = "chooser.filter"
  case chooserHidden = "chooser.hidden"
  case chooserCancel = "chooser.cancel"
  // On the square of a picture.
  case cropLeft = "crop.left"
  case cropDown = "crop.down"
  case cropUp = "crop.up"
  case cropRight = "crop.right"
  case cropIn = "crop.in"
  case cropOut = "crop.out"
  case cropAccept = "crop.accept"
  case cropCancel = "crop.cancel"

  /// True for commands that change the book.
  var changesBook: Bool {
    switch self {
    case .add, .edit, .delete, .addToGroup, .removeFromGroup, .undo, .redo, .import, .demo, .formSave: true
    default: false
    }
  }
}

/// Where keys have a meaning of their own.
enum KeyContext: String, CaseIterable, Sendable {
  case list, search, form, chooser, crop
}
