import TerminalKit

/// All commands. The raw value is the name in the configuration file; with the prefix `command.` it is the key of
/// its description.
enum Command: String, CaseIterable, Sendable {
  // In the list.
  case moveDown, moveUp, pageDown, pageUp, halfDown, halfUp, first, last, jump
  case search, groups, sort, open, back
  case add, edit, delete, undo, redo, mark, markAll, markRange, invertMarks, copy, copyText, openLink, openMap
  case favorite, addToGroup, removeFromGroup, moveToFolder, export
  case `import`
  case importNotices = "warnings"
  case demo
  case trash, duplicates, history, directory
  case interrupt, help, palette, redraw, suspend, quit
  // In the search field.
  case searchNext = "search.next"
  case searchPrevious = "search.previous"
  case searchPageDown = "search.pageDown"
  case searchPageUp = "search.pageUp"
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
  case formJump = "form.jump"
  case formUndo = "form.undo"
  case formRedo = "form.redo"
  case formMoveUp = "form.moveUp"
  case formMoveDown = "form.moveDown"
  // When choosing from a list; typing filters it.
  case chooserNext = "chooser.next"
  case chooserPrevious = "chooser.previous"
  case chooserPageDown = "chooser.pageDown"
  case chooserPageUp = "chooser.pageUp"
  case chooserFirst = "chooser.first"
  case chooserLast = "chooser.last"
  case chooserOpen = "chooser.open"
  case chooserCancel = "chooser.cancel"
  // In the groups pane.
  case groupAdd = "group.add"
  case groupRename = "group.rename"
  case groupDelete = "group.delete"
  case groupMerge = "group.merge"
  case groupSave = "group.save"
  case groupEdit = "group.edit"
  case groupColor = "group.color"
  // In the list of files.
  case filesOpen = "files.open"
  case filesUp = "files.up"
  case filesHidden = "files.hidden"
  // When cropping a photo.
  case cropLeft = "crop.left"
  case cropDown = "crop.down"
  case cropUp = "crop.up"
  case cropRight = "crop.right"
  case cropIn = "crop.in"
  case cropOut = "crop.out"
  case cropAccept = "crop.accept"
  case cropCancel = "crop.cancel"
  // When both sides changed a contact.
  case conflictNext = "conflict.next"
  case conflictPrevious = "conflict.previous"
  case conflictMine = "conflict.mine"
  case conflictTheirs = "conflict.theirs"
  case conflictBase = "conflict.base"
  case conflictEdit = "conflict.edit"
  case conflictSave = "conflict.save"
  case conflictBack = "conflict.back"
  // While a custom value is typed on the conflict screen.
  case conflictKeep = "conflict.keep"
  case conflictDrop = "conflict.drop"
  // In a question.
  case dialogNext = "dialog.next"
  case dialogPrevious = "dialog.previous"
  case dialogPageDown = "dialog.pageDown"
  case dialogPageUp = "dialog.pageUp"
  case dialogAccept = "dialog.accept"
  case dialogCancel = "dialog.cancel"
  // In a prompt, such as for a file name.
  case promptAccept = "prompt.accept"
  case promptComplete = "prompt.complete"
  case promptCancel = "prompt.cancel"
  // In the list of deleted contacts.
  case trashRestore = "trash.restore"
  case trashRemove = "trash.remove"
  case trashMark = "trash.mark"
  case trashMarkAll = "trash.markAll"
  case trashClose = "trash.close"
  // In the list of duplicates.
  case duplicatesOpen = "duplicates.open"
  case duplicatesMerge = "duplicates.merge"
  case duplicatesApart = "duplicates.apart"
  case duplicatesClose = "duplicates.close"
  // When contacts are compared to be merged.
  case mergeNext = "merge.next"
  case mergePrevious = "merge.previous"
  case mergeRight = "merge.right"
  case mergeLeft = "merge.left"
  case mergeTake = "merge.take"
  case mergeMain = "merge.main"
  case mergeLeaveOut = "merge.leaveOut"
  case mergeShow = "merge.show"
  case mergeNextCandidate = "merge.nextCandidate"
  case mergePreviousCandidate = "merge.previousCandidate"
  case mergeClose = "merge.close"
  // In a company directory.
  case directoryAdd = "directory.add"
  case directoryMarkAll = "directory.markAll"
  case directoryClose = "directory.close"
  // In the list of keys and other text to read.
  case helpFilter = "help.filter"
  case helpClose = "help.close"

  /// True for commands that need a book that can be changed, except those of the groups pane and of the list of deleted
  /// contacts, which check that themselves.
  var changesBook: Bool {
    switch self {
    case .add, .edit, .delete, .favorite, .addToGroup, .removeFromGroup, .moveToFolder, .undo, .redo, .import, .demo,
      .duplicatesMerge, .duplicatesApart, .directoryAdd:
      true
    default: false
    }
  }
}

extension Command: ScreenCommand {
  /// True if the command moves the selection. Beside a list, the cursor then stands on the selected row, for screen
  /// readers, until text is typed into the field.
  var isMovement: Bool { if case .move = role { true } else { false } }

  var role: CommandRole? {
    switch self {
    case .help: .help
    case .palette: .commands
    case .redraw: .redraw
    case .suspend: .suspend
    case .moveDown, .chooserNext, .dialogNext, .searchNext: .move(.down)
    case .moveUp, .chooserPrevious, .dialogPrevious, .searchPrevious: .move(.up)
    case .pageDown, .chooserPageDown, .searchPageDown, .dialogPageDown: .move(.pageDown)
    case .pageUp, .chooserPageUp, .searchPageUp, .dialogPageUp: .move(.pageUp)
    case .halfDown: .move(.halfDown)
    case .halfUp: .move(.halfUp)
    case .first, .chooserFirst: .move(.first)
    case .last, .chooserLast: .move(.last)
    case .chooserOpen, .dialogAccept, .promptAccept, .searchKeep: .accept
    case .chooserCancel, .dialogCancel, .promptCancel, .helpClose, .searchCancel: .cancel
    case .promptComplete: .complete
    case .helpFilter: .filter
    case .searchClear: .clear
    default: nil
    }
  }
}

/// The contexts in which keys have meanings.
enum KeyContext: String, CaseIterable, Sendable {
  case list, search
  /// Waiting for the letter, digit or `#` of the section to jump to.
  case jump
  case form, chooser
  /// The groups pane.
  case groups
  /// A list of files, before anything is typed.
  case files
  /// Both versions of a contact, side by side.
  case conflict
  /// A custom value typed on the conflict screen.
  case conflictText
  case crop, dialog, prompt, help
  /// Text to read: the details of a contact, its history, the notices of an import. Also the screen of a damaged book.
  case page
  /// Deleted contacts.
  case trash
  /// Candidates: contacts that may be duplicates of each other.
  case duplicates
  /// Contacts that are compared to be merged.
  case merge
  /// A company directory.
  case directory

  /// Contexts where text is typed, or a character has a meaning that is not in the table.
  static let text: Set<KeyContext> = [
    .search, .jump, .form, .conflictText, .chooser, .groups, .files, .prompt,
  ]
}
