import TerminalKit

/// All commands. The raw value is the name in the configuration file; with the prefix `command.` it is the key of
/// its description.
enum Command: String, CaseIterable, Sendable {
  // In the list.
  case moveDown, moveUp, pageDown, pageUp, halfDown, halfUp, first, last, jump
  case search, groups, sort, open, back
  case add, edit, editAsText, delete, undo, redo, mark, markAll, markRange, invertMarks, copy, copyText, openLink,
    openMap, qrCode
  case favorite, addToGroup, removeFromGroup, moveToFolder, export
  case `import`
  case importNotices = "warnings"
  case demo
  case trash, duplicates, history, steps, directory, sync, collect
  case settings
  case interrupt, help, palette, redraw, suspend, quit
  // In the search field.
  case searchNext = "search.next"
  case searchPrevious = "search.previous"
  case searchPageDown = "search.pageDown"
  case searchPageUp = "search.pageUp"
  case searchKeep = "search.keep"
  case searchCancel = "search.cancel"
  case searchClear = "search.clear"
  case searchOlder = "search.older"
  case searchNewer = "search.newer"
  // When contacts are chosen for another program, always in the search field.
  case pickAccept = "pick.accept"
  case pickMark = "pick.mark"
  case pickMarkUp = "pick.markUp"
  case pickCancel = "pick.cancel"
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
  case formContact = "form.contact"
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
  case groupMail = "group.mail"
  // In the list of files.
  case filesOpen = "files.open"
  case filesUp = "files.up"
  case filesHidden = "files.hidden"
  // When importing a file.
  case importAccept = "import.accept"
  case importField = "import.field"
  case importMatch = "import.match"
  case importDayOrder = "import.dayOrder"
  case importCharset = "import.charset"
  case importCancel = "import.cancel"
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
  case promptOlder = "prompt.older"
  case promptNewer = "prompt.newer"
  // In the list of deleted contacts.
  case trashRestore = "trash.restore"
  case trashRemove = "trash.remove"
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
  case directoryClose = "directory.close"
  // In the history of a contact or of the book.
  case historyUndo = "history.undo"
  case historyRestore = "history.restore"
  case historyShow = "history.show"
  case historyClose = "history.close"
  // In the list of accounts and synced folders.
  case syncRun = "sync.run"
  case syncDecide = "sync.decide"
  case syncAdd = "sync.add"
  case syncRemove = "sync.remove"
  case syncGuide = "sync.guide"
  case syncClose = "sync.close"
  // In the list of correspondents.
  case correspondentsAdd = "correspondents.add"
  case correspondentsOpen = "correspondents.open"
  case correspondentsUnknown = "correspondents.unknown"
  case correspondentsMe = "correspondents.me"
  case correspondentsClose = "correspondents.close"
  // In the list of keys and other text to read.
  case helpFilter = "help.filter"
  case helpClose = "help.close"
}

extension Command {
  /// The meaning of the command to the shared screens and widgets.
  var role: CommandRole? { KeyTable.standard.role(of: self) }

  /// True if the command moves the selection. Beside a list, the cursor then stands on the selected row, for screen
  /// readers, until text is typed into the field.
  var isMovement: Bool { if case .move = role { true } else { false } }
}

/// The table of all commands: keys, role, contexts, heading, word in hints, and whether a command changes the book. Help,
/// hints, the list of commands, the manual and the settings of keys are made from it.
typealias KeyTable = KeyMap<Command, KeyContext>

extension KeyMap<Command, KeyContext> {
  /// The first key of a command as shown in hints; empty if it has none.
  func label(of command: Command, in context: KeyContext) -> String {
    sequence(for: command, in: context)?.label ?? ""
  }

  private static let everywhere = Set(KeyContext.allCases)
  private static let chooserContexts: Set<KeyContext> = [.chooser, .groups, .files]
  /// Where changes can be undone.
  private static let undoContexts: Set<KeyContext> = [
    .list, .duplicates, .merge, .directory, .trash, .importSummary, .correspondents,
  ]
  /// Where contacts are searched and shown.
  private static let contactContexts: Set<KeyContext> = [.list, .directory]
  /// Where contacts are searched while text is typed.
  private static let searchContexts: Set<KeyContext> = [.search, .pick]
  /// Where lines are marked.
  private static let markContexts: Set<KeyContext> = [.list, .directory, .trash, .correspondents]
  /// Where the keys move through lines.
  private static let lineContexts: Set<KeyContext> = [
    .list, .help, .page, .trash, .duplicates, .directory, .sync, .history, .importPreview, .importSummary,
    .correspondents,
  ]

  /// The default keys, without a configuration file.
  static let standard = KeyMap(
    [
      .init(["j", "Down", "^N"], .moveDown, .move(.down), in: lineContexts, .move, hint: "scroll"),
      .init(["k", "Up", "^P"], .moveUp, .move(.up), in: lineContexts, .move),
      .init(["PgDn", "^F"], .pageDown, .move(.pageDown), in: lineContexts, .move),
      .init(["PgUp", "^B"], .pageUp, .move(.pageUp), in: lineContexts, .move),
      .init(["^D"], .halfDown, .move(.halfDown), in: lineContexts, .move),
      .init(["^U"], .halfUp, .move(.halfUp), in: lineContexts, .move),
      .init(["g g", "Home"], .first, .move(.first), in: lineContexts, .move),
      .init(["G", "End"], .last, .move(.last), in: lineContexts, .move),
      .init(["'"], .jump, in: [.list], .move, hint: "jump"),
      .init(["/"], .search, in: contactContexts, .find, hint: "search"),
      .init(["f"], .groups, in: [.list], .find, hint: "groups"),
      .init(["s"], .sort, in: [.list], .find),
      .init(["Enter", "l", "Right"], .open, in: contactContexts, .find, hint: "pick"),
      .init(["Esc", "h", "Left"], .back, in: contactContexts, .find, hint: "back"),
      .init(["o"], .openLink, in: contactContexts, .find, hint: "openLink"),
      .init(["g x"], .openMap, in: contactContexts, .find),
      .init(["y"], .copy, in: contactContexts, .find, hint: "copy"),
      .init(["Y"], .copyText, in: contactContexts, .find),
      .init(["Q"], .qrCode, in: contactContexts, .find),
      .init(["H"], .history, in: [.list], .find),
      .init(["L"], .directory, in: [.list], .find),
      .init(["a"], .add, in: [.list], .change, hint: "add", isWriting: true),
      .init(["e"], .edit, in: [.list], .change, hint: "edit", isWriting: true),
      .init(["^E"], .editAsText, in: [.list], .change, isWriting: true),
      .init(["d", "Del"], .delete, in: [.list], .change, hint: "delete", isWriting: true),
      .init(["u"], .undo, in: undoContexts, .change, hint: "undo", isWriting: true),
      .init(["^R"], .redo, in: undoContexts, .change, isWriting: true),
      .init(["Space"], .mark, in: markContexts, .change, hint: "mark"),
      .init(["A"], .markAll, in: markContexts, .change, hint: "markAll"),
      .init(["V"], .markRange, in: [.list], .change),
      .init(["I"], .invertMarks, in: [.list], .change),
      .init(["*"], .favorite, in: [.list], .change, isWriting: true),
      .init(["+"], .addToGroup, in: [.list], .change, hint: "join", isWriting: true),
      .init(["-"], .removeFromGroup, in: [.list], .change, hint: "leave", isWriting: true),
      .init(["m"], .moveToFolder, in: [.list], .change, isWriting: true),
      .init(["w"], .export, in: [.list], .change, hint: "export"),
      .init(["i"], .import, in: [.list], .change, isWriting: true),
      .init(["W"], .importNotices, in: [.list], .change),
      .init(["D"], .demo, in: [.list], .change, isWriting: true),
      .init(["T"], .trash, in: [.list], .change),
      .init(["M"], .duplicates, in: [.list], .change, hint: "merge"),
      .init(["U"], .steps, in: [.list], .change),
      .init(["S"], .sync, in: [.list], .change),
      .init(["C"], .collect, in: [.list], .change),
      .init([","], .settings, in: [.list], .program),
      .init(["?", "F1"], .help, .help, in: everywhere, .program, hint: "help"),
      .init([":", "M-x"], .palette, .commands, in: everywhere, .program, hint: "commands"),
      .init(["^L"], .redraw, .redraw, in: everywhere, .program),
      .init(["^Z"], .suspend, .suspend, in: everywhere, .program),
      .init(["q"], .quit, in: [.list], .program, hint: "quit"),
      .init(["^C"], .interrupt, in: contactContexts, .program),
      .init(["Down", "^N"], .searchNext, .move(.down), in: searchContexts, .search),
      .init(["Up", "^P"], .searchPrevious, .move(.up), in: searchContexts, .search),
      .init(["PgDn"], .searchPageDown, .move(.pageDown), in: searchContexts, .search),
      .init(["PgUp"], .searchPageUp, .move(.pageUp), in: searchContexts, .search),
      .init(["Enter", "Tab"], .searchKeep, .accept, in: [.search], .search, hint: "keep"),
      .init(["Esc", "^G", "^C"], .searchCancel, .cancel, in: [.search], .search, hint: "endFilter"),
      .init(["^U"], .searchClear, .clear, in: searchContexts, .search, hint: "clear"),
      .init(["M-p", "M-Up"], .searchOlder, in: [.search], .search),
      .init(["M-n", "M-Down"], .searchNewer, in: [.search], .search),
      .init(["Enter"], .pickAccept, .accept, in: [.pick], .pick, hint: "pick"),
      .init(["Tab"], .pickMark, in: [.pick], .pick, hint: "mark"),
      .init(["S-Tab"], .pickMarkUp, in: [.pick], .pick),
      .init(["Esc", "^G", "^C"], .pickCancel, .cancel, in: [.pick], .pick, hint: "cancel"),
      .init(["Tab"], .formNext, in: [.form], .form, hint: "next"),
      .init(["S-Tab"], .formPrevious, in: [.form], .form),
      .init(["^S"], .formSave, in: [.form], .form, hint: "save"),
      .init(["Esc", "^C"], .formCancel, in: [.form], .form, hint: "cancel"),
      .init(["^T"], .formLabel, in: [.form], .form, hint: "label"),
      .init(["^O"], .formAdd, in: [.form], .form, hint: "addField"),
      .init(["^X"], .formRemove, in: [.form], .form, hint: "remove"),
      .init(["^_"], .formUndo, in: [.form], .form),
      .init(["^R"], .formRedo, in: [.form], .form),
      .init(["^G"], .formJump, in: [.form], .form, hint: "goToField"),
      .init(["M-r"], .formContact, in: [.form], .form, hint: "fromBook"),
      .init(["M-Up", "C-Up"], .formMoveUp, in: [.form], .form),
      .init(["M-Down", "C-Down"], .formMoveDown, in: [.form], .form),
      .init(["m"], .conflictMine, in: [.conflict], .conflict, hint: "mine"),
      .init(["t"], .conflictTheirs, in: [.conflict], .conflict, hint: "theirs"),
      .init(["b"], .conflictBase, in: [.conflict], .conflict, hint: "base"),
      .init(["e", "Enter"], .conflictEdit, in: [.conflict], .conflict, hint: "edit"),
      .init(["j", "Down", "Tab"], .conflictNext, in: [.conflict], .conflict),
      .init(["k", "Up", "S-Tab"], .conflictPrevious, in: [.conflict], .conflict),
      .init(["^S"], .conflictSave, in: [.conflict], .conflict, hint: "save"),
      .init(["Esc", "q", "^C"], .conflictBack, in: [.conflict], .conflict, hint: "back"),
      .init(["Tab", "^S"], .conflictKeep, in: [.conflictText], .conflict, hint: "keepText"),
      .init(["Esc", "^C"], .conflictDrop, in: [.conflictText], .conflict, hint: "cancel"),
      .init(["Down", "^N"], .chooserNext, .move(.down), in: chooserContexts, .chooser),
      .init(["Up", "^P"], .chooserPrevious, .move(.up), in: chooserContexts, .chooser),
      .init(["PgDn", "^F"], .chooserPageDown, .move(.pageDown), in: chooserContexts, .chooser),
      .init(["PgUp", "^B"], .chooserPageUp, .move(.pageUp), in: chooserContexts, .chooser),
      .init(["Home"], .chooserFirst, .move(.first), in: chooserContexts, .chooser),
      .init(["End"], .chooserLast, .move(.last), in: chooserContexts, .chooser),
      .init(["Enter"], .chooserOpen, .accept, in: chooserContexts, .chooser, hint: "pick"),
      .init(["Esc", "^C"], .chooserCancel, .cancel, in: chooserContexts, .chooser, hint: "cancel"),
      .init(["^O"], .groupAdd, in: [.groups], .groups, hint: "new", isWriting: true),
      .init(["^R"], .groupRename, in: [.groups], .groups, hint: "rename", isWriting: true),
      .init(["^X"], .groupDelete, in: [.groups], .groups, hint: "delete", isWriting: true),
      .init(["^T"], .groupMerge, in: [.groups], .groups, hint: "merge", isWriting: true),
      .init(["^S"], .groupSave, in: [.groups], .groups, hint: "saveSearch", isWriting: true),
      .init(["^E"], .groupEdit, in: [.groups], .groups, hint: "changeSearch", isWriting: true),
      .init(["M-c"], .groupColor, in: [.groups], .groups, hint: "color", isWriting: true),
      .init(["M-o"], .groupMail, in: [.groups], .groups, hint: "mailToAll"),
      .init(["Right"], .filesOpen, in: [.files], .files),
      .init(["Left", "Backspace"], .filesUp, in: [.files], .files, hint: "chooserUp"),
      .init(["M-."], .filesHidden, in: [.chooser, .files], .files, hint: "chooserHidden"),
      .init(["Enter"], .importAccept, in: [.importPreview], .importing, hint: "import", isWriting: true),
      .init(["e", "Space"], .importField, in: [.importPreview], .importing, hint: "field"),
      .init(["m"], .importMatch, in: [.importPreview], .importing, hint: "match"),
      .init(["d"], .importDayOrder, in: [.importPreview], .importing, hint: "dayOrder"),
      .init(["c"], .importCharset, in: [.importPreview], .importing, hint: "charset"),
      .init(["Esc", "q", "h", "Left", "^C"], .importCancel, in: [.importPreview], .importing, hint: "cancel"),
      .init(["h", "Left"], .cropLeft, in: [.crop], .crop),
      .init(["j", "Down"], .cropDown, in: [.crop], .crop),
      .init(["k", "Up"], .cropUp, in: [.crop], .crop),
      .init(["l", "Right"], .cropRight, in: [.crop], .crop),
      .init(["+", "="], .cropIn, in: [.crop], .crop, hint: "cropIn"),
      .init(["-", "_"], .cropOut, in: [.crop], .crop, hint: "cropOut"),
      .init(["Enter"], .cropAccept, in: [.crop], .crop, hint: "cropAccept"),
      .init(["Esc", "q", "^C"], .cropCancel, in: [.crop], .crop, hint: "back"),
      .init(["Tab", "Down", "Right"], .dialogNext, .move(.down), in: [.dialog], .dialog, hint: "nextAnswer"),
      .init(["S-Tab", "Up", "Left"], .dialogPrevious, .move(.up), in: [.dialog], .dialog),
      .init(["PgDn"], .dialogPageDown, .move(.pageDown), in: [.dialog], .dialog),
      .init(["PgUp"], .dialogPageUp, .move(.pageUp), in: [.dialog], .dialog),
      .init(["Enter"], .dialogAccept, .accept, in: [.dialog], .dialog),
      .init(["Esc", "q", "^C"], .dialogCancel, .cancel, in: [.dialog], .dialog),
      .init(["Enter"], .promptAccept, .accept, in: [.prompt], .prompt, hint: "accept"),
      .init(["Tab"], .promptComplete, .complete, in: [.prompt], .prompt, hint: "complete"),
      .init(["Up", "^P"], .promptOlder, .move(.up), in: [.prompt], .prompt),
      .init(["Down", "^N"], .promptNewer, .move(.down), in: [.prompt], .prompt),
      .init(["Esc", "^C"], .promptCancel, .cancel, in: [.prompt], .prompt, hint: "cancel"),
      .init(["r", "Enter"], .trashRestore, in: [.trash], .trash, hint: "restore", isWriting: true),
      .init(["x"], .trashRemove, in: [.trash], .trash, hint: "removeForGood", isWriting: true),
      .init(["q", "Esc", "h", "Left", "^C"], .trashClose, in: [.trash], .trash, hint: "back"),
      .init(["Enter", "l", "Right"], .duplicatesOpen, in: [.duplicates], .duplicates, hint: "compare"),
      .init(["m"], .duplicatesMerge, in: [.duplicates, .merge], .duplicates, hint: "merge", isWriting: true),
      .init(["n"], .duplicatesApart, in: [.duplicates, .merge], .duplicates, hint: "apart", isWriting: true),
      .init(["q", "Esc", "h", "Left", "^C"], .duplicatesClose, in: [.duplicates], .duplicates, hint: "back"),
      .init(["j", "Down"], .mergeNext, in: [.merge], .merge),
      .init(["k", "Up"], .mergePrevious, in: [.merge], .merge),
      .init(["l", "Right", "Tab"], .mergeRight, in: [.merge], .merge),
      .init(["h", "Left", "S-Tab"], .mergeLeft, in: [.merge], .merge),
      .init(["Enter", "Space"], .mergeTake, in: [.merge], .merge, hint: "keepText"),
      .init(["c"], .mergeMain, in: [.merge], .merge, hint: "main"),
      .init(["x"], .mergeLeaveOut, in: [.merge], .merge, hint: "leaveOut"),
      .init(["o"], .mergeShow, in: [.merge], .merge),
      .init(["J", "^N"], .mergeNextCandidate, in: [.merge], .merge),
      .init(["K", "^P"], .mergePreviousCandidate, in: [.merge], .merge),
      .init(["q", "Esc", "^C"], .mergeClose, in: [.merge], .merge, hint: "back"),
      .init(["a"], .directoryAdd, in: [.directory], .directory, hint: "addToBook", isWriting: true),
      .init(["q"], .directoryClose, in: [.directory], .directory, hint: "back"),
      .init(["u"], .historyUndo, in: [.history], .history, hint: "undo", isWriting: true),
      .init(["r"], .historyRestore, in: [.history], .history, hint: "restore", isWriting: true),
      .init(["Enter", "l", "Right"], .historyShow, in: [.history], .history, hint: "show"),
      .init(["q", "Esc", "h", "Left", "^C"], .historyClose, in: [.history], .history, hint: "back"),
      .init(["s"], .syncRun, in: [.sync], .sync, hint: "sync", isWriting: true),
      .init(["p"], .syncDecide, in: [.sync], .sync, hint: "decide", isWriting: true),
      .init(["a"], .syncAdd, in: [.sync], .sync, hint: "add", isWriting: true),
      .init(["x"], .syncRemove, in: [.sync], .sync, hint: "remove", isWriting: true),
      .init(["i"], .syncGuide, in: [.sync], .sync, hint: "howTo"),
      .init(["q", "Esc", "h", "Left", "^C"], .syncClose, in: [.sync], .sync, hint: "back"),
      .init(["a"], .correspondentsAdd, in: [.correspondents], .correspondents, hint: "addToBook", isWriting: true),
      .init(["Enter", "l", "Right"], .correspondentsOpen, in: [.correspondents], .correspondents, hint: "show"),
      .init(["n"], .correspondentsUnknown, in: [.correspondents], .correspondents, hint: "notInBook"),
      .init(["m"], .correspondentsMe, in: [.correspondents], .correspondents, hint: "ownAddresses"),
      .init(
        ["q", "Esc", "h", "Left", "^C"], .correspondentsClose, in: [.correspondents], .correspondents, hint: "back"),
      .init(["/"], .helpFilter, .filter, in: [.help], .help, hint: "filter"),
      .init(["q", "Esc", "^C"], .helpClose, .cancel, in: [.help, .page, .importSummary], .help, hint: "back"),
    ], textContexts: KeyContext.text)
}

/// The headings of the help screen; with the prefix `help.section.` the keys of their texts.
private enum CommandGroup: String {
  case move, find, change, program, search, pick, form, conflict, chooser, groups, files, importing, crop, dialog,
    prompt, trash, duplicates, merge, directory, history, sync, correspondents, help
}

extension KeyBinding<Command, KeyContext> {
  /// A line whose description is the string `command.` with the command's name, and whose hint is the string `hint.` with
  /// that word.
  fileprivate init(
    _ sequences: [KeySequence], _ command: Command, _ role: CommandRole? = nil, in contexts: Set<KeyContext>,
    _ group: CommandGroup, hint: String? = nil, isWriting: Bool = false
  ) {
    self.init(
      sequences, command, role, in: contexts, help: "command." + command.rawValue, hint: hint.map { "hint." + $0 },
      group: "help.section." + group.rawValue, isWriting: isWriting)
  }
}

/// The contexts in which keys have meanings.
enum KeyContext: String, CaseIterable, Sendable {
  case list, search
  /// The search field while contacts are chosen for another program.
  case pick
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
  /// What the import of a file would do.
  case importPreview
  /// The result of an import, while it can be undone.
  case importSummary
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
  /// The history of a contact, or the steps of the book.
  case history
  /// Accounts and synced folders.
  case sync
  /// Who exchanges email with the user.
  case correspondents

  /// Contexts where text is typed, or a character has a meaning that is not in the table.
  static let text: Set<KeyContext> = [
    .search, .pick, .jump, .form, .conflictText, .chooser, .groups, .files, .prompt,
  ]
}
