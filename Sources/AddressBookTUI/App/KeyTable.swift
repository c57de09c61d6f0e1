import TerminalKit

/// The keys of all commands in one table, from which the help screen, the hints and the manual are generated.
typealias KeyTable = KeyMap<Command, KeyContext>

extension KeyMap<Command, KeyContext> {
  /// The first key of a command as shown in hints; empty if it has none.
  func label(of command: Command, in context: KeyContext) -> String {
    sequence(for: command, in: context)?.label ?? ""
  }

  private static let everywhere = Set(KeyContext.allCases)
  private static let chooserContexts: Set<KeyContext> = [.chooser, .groups, .files]
  /// Where changes can be undone.
  private static let undoContexts: Set<KeyContext> = [.list, .duplicates, .merge, .directory]
  /// Where contacts are searched and shown.
  private static let contactContexts: Set<KeyContext> = [.list, .directory]
  /// Where the keys move through lines.
  private static let lineContexts: Set<KeyContext> = [.list, .help, .page, .trash, .duplicates, .directory]

  /// The default keys, without a configuration file.
  static let standard = KeyMap(
    [
      .init(["j", "Down", "^N"], .moveDown, in: lineContexts, group: "move"),
      .init(["k", "Up", "^P"], .moveUp, in: lineContexts, group: "move"),
      .init(["PgDn", "^F"], .pageDown, in: lineContexts, group: "move"),
      .init(["PgUp", "^B"], .pageUp, in: lineContexts, group: "move"),
      .init(["^D"], .halfDown, in: lineContexts, group: "move"),
      .init(["^U"], .halfUp, in: lineContexts, group: "move"),
      .init(["g g", "Home"], .first, in: lineContexts, group: "move"),
      .init(["G", "End"], .last, in: lineContexts, group: "move"),
      .init(["'"], .jump, in: [.list], group: "move"),
      .init(["/"], .search, in: contactContexts, group: "find"),
      .init(["f"], .groups, in: [.list], group: "find"),
      .init(["s"], .sort, in: [.list], group: "find"),
      .init(["Enter", "l", "Right"], .open, in: contactContexts, group: "find"),
      .init(["Esc", "h", "Left"], .back, in: contactContexts, group: "find"),
      .init(["o"], .openLink, in: contactContexts, group: "find"),
      .init(["g x"], .openMap, in: contactContexts, group: "find"),
      .init(["y"], .copy, in: contactContexts, group: "find"),
      .init(["Y"], .copyText, in: contactContexts, group: "find"),
      .init(["H"], .history, in: [.list], group: "find"),
      .init(["L"], .directory, in: [.list], group: "find"),
      .init(["a"], .add, in: [.list], group: "change"),
      .init(["e"], .edit, in: [.list], group: "change"),
      .init(["d", "Del"], .delete, in: [.list], group: "change"),
      .init(["u"], .undo, in: undoContexts, group: "change"),
      .init(["^R"], .redo, in: undoContexts, group: "change"),
      .init(["Space"], .mark, in: contactContexts, group: "change"),
      .init(["A"], .markAll, in: [.list], group: "change"),
      .init(["V"], .markRange, in: [.list], group: "change"),
      .init(["I"], .invertMarks, in: [.list], group: "change"),
      .init(["*"], .favorite, in: [.list], group: "change"),
      .init(["+"], .addToGroup, in: [.list], group: "change"),
      .init(["-"], .removeFromGroup, in: [.list], group: "change"),
      .init(["m"], .moveToFolder, in: [.list], group: "change"),
      .init(["w"], .export, in: [.list], group: "change"),
      .init(["i"], .import, in: [.list], group: "change"),
      .init(["W"], .importNotices, in: [.list], group: "change"),
      .init(["D"], .demo, in: [.list], group: "change"),
      .init(["T"], .trash, in: [.list], group: "change"),
      .init(["M"], .duplicates, in: [.list], group: "change"),
      .init(["?", "F1"], .help, in: everywhere, group: "program"),
      .init([":", "M-x"], .palette, in: everywhere, group: "program"),
      .init(["^L"], .redraw, in: everywhere, group: "program"),
      .init(["^Z"], .suspend, in: everywhere, group: "program"),
      .init(["q"], .quit, in: [.list], group: "program"),
      .init(["^C"], .interrupt, in: contactContexts, group: "program"),
      .init(["Down", "^N"], .searchNext, in: [.search], group: "search"),
      .init(["Up", "^P"], .searchPrevious, in: [.search], group: "search"),
      .init(["PgDn"], .searchPageDown, in: [.search], group: "search"),
      .init(["PgUp"], .searchPageUp, in: [.search], group: "search"),
      .init(["Enter", "Tab"], .searchKeep, in: [.search], group: "search"),
      .init(["Esc", "^G", "^C"], .searchCancel, in: [.search], group: "search"),
      .init(["^U"], .searchClear, in: [.search], group: "search"),
      .init(["Tab"], .formNext, in: [.form], group: "form"),
      .init(["S-Tab"], .formPrevious, in: [.form], group: "form"),
      .init(["^S"], .formSave, in: [.form], group: "form"),
      .init(["Esc", "^C"], .formCancel, in: [.form], group: "form"),
      .init(["^T"], .formLabel, in: [.form], group: "form"),
      .init(["^O"], .formAdd, in: [.form], group: "form"),
      .init(["^X"], .formRemove, in: [.form], group: "form"),
      .init(["^_"], .formUndo, in: [.form], group: "form"),
      .init(["^R"], .formRedo, in: [.form], group: "form"),
      .init(["^G"], .formJump, in: [.form], group: "form"),
      .init(["M-Up", "C-Up"], .formMoveUp, in: [.form], group: "form"),
      .init(["M-Down", "C-Down"], .formMoveDown, in: [.form], group: "form"),
      .init(["m"], .conflictMine, in: [.conflict], group: "conflict"),
      .init(["t"], .conflictTheirs, in: [.conflict], group: "conflict"),
      .init(["b"], .conflictBase, in: [.conflict], group: "conflict"),
      .init(["e", "Enter"], .conflictEdit, in: [.conflict], group: "conflict"),
      .init(["j", "Down", "Tab"], .conflictNext, in: [.conflict], group: "conflict"),
      .init(["k", "Up", "S-Tab"], .conflictPrevious, in: [.conflict], group: "conflict"),
      .init(["^S"], .conflictSave, in: [.conflict], group: "conflict"),
      .init(["Esc", "q", "^C"], .conflictBack, in: [.conflict], group: "conflict"),
      .init(["Tab", "^S"], .conflictKeep, in: [.conflictText], group: "conflict"),
      .init(["Esc", "^C"], .conflictDrop, in: [.conflictText], group: "conflict"),
      .init(["Down", "^N"], .chooserNext, in: chooserContexts, group: "chooser"),
      .init(["Up", "^P"], .chooserPrevious, in: chooserContexts, group: "chooser"),
      .init(["PgDn", "^F"], .chooserPageDown, in: chooserContexts, group: "chooser"),
      .init(["PgUp", "^B"], .chooserPageUp, in: chooserContexts, group: "chooser"),
      .init(["Home"], .chooserFirst, in: chooserContexts, group: "chooser"),
      .init(["End"], .chooserLast, in: chooserContexts, group: "chooser"),
      .init(["Enter"], .chooserOpen, in: chooserContexts, group: "chooser"),
      .init(["Esc", "^C"], .chooserCancel, in: chooserContexts, group: "chooser"),
      .init(["^O"], .groupAdd, in: [.groups], group: "groups"),
      .init(["^R"], .groupRename, in: [.groups], group: "groups"),
      .init(["^X"], .groupDelete, in: [.groups], group: "groups"),
      .init(["^T"], .groupMerge, in: [.groups], group: "groups"),
      .init(["^S"], .groupSave, in: [.groups], group: "groups"),
      .init(["^E"], .groupEdit, in: [.groups], group: "groups"),
      .init(["M-c"], .groupColor, in: [.groups], group: "groups"),
      .init(["Right"], .filesOpen, in: [.files], group: "files"),
      .init(["Left", "Backspace"], .filesUp, in: [.files], group: "files"),
      .init(["M-."], .filesHidden, in: [.chooser, .files], group: "files"),
      .init(["h", "Left"], .cropLeft, in: [.crop], group: "crop"),
      .init(["j", "Down"], .cropDown, in: [.crop], group: "crop"),
      .init(["k", "Up"], .cropUp, in: [.crop], group: "crop"),
      .init(["l", "Right"], .cropRight, in: [.crop], group: "crop"),
      .init(["+", "="], .cropIn, in: [.crop], group: "crop"),
      .init(["-", "_"], .cropOut, in: [.crop], group: "crop"),
      .init(["Enter"], .cropAccept, in: [.crop], group: "crop"),
      .init(["Esc", "q", "^C"], .cropCancel, in: [.crop], group: "crop"),
      .init(["Tab", "Down", "Right"], .dialogNext, in: [.dialog], group: "dialog"),
      .init(["S-Tab", "Up", "Left"], .dialogPrevious, in: [.dialog], group: "dialog"),
      .init(["PgDn"], .dialogPageDown, in: [.dialog], group: "dialog"),
      .init(["PgUp"], .dialogPageUp, in: [.dialog], group: "dialog"),
      .init(["Enter"], .dialogAccept, in: [.dialog], group: "dialog"),
      .init(["Esc", "q", "^C"], .dialogCancel, in: [.dialog], group: "dialog"),
      .init(["Enter"], .promptAccept, in: [.prompt], group: "prompt"),
      .init(["Tab"], .promptComplete, in: [.prompt], group: "prompt"),
      .init(["Esc", "^C"], .promptCancel, in: [.prompt], group: "prompt"),
      .init(["r", "Enter"], .trashRestore, in: [.trash], group: "trash"),
      .init(["Space"], .trashMark, in: [.trash], group: "trash"),
      .init(["*"], .trashMarkAll, in: [.trash], group: "trash"),
      .init(["x"], .trashRemove, in: [.trash], group: "trash"),
      .init(["q", "Esc", "h", "Left", "^C"], .trashClose, in: [.trash], group: "trash"),
      .init(["Enter", "l", "Right"], .duplicatesOpen, in: [.duplicates], group: "duplicates"),
      .init(["m"], .duplicatesMerge, in: [.duplicates, .merge], group: "duplicates"),
      .init(["n"], .duplicatesApart, in: [.duplicates, .merge], group: "duplicates"),
      .init(["q", "Esc", "h", "Left", "^C"], .duplicatesClose, in: [.duplicates], group: "duplicates"),
      .init(["j", "Down"], .mergeNext, in: [.merge], group: "merge"),
      .init(["k", "Up"], .mergePrevious, in: [.merge], group: "merge"),
      .init(["l", "Right", "Tab"], .mergeRight, in: [.merge], group: "merge"),
      .init(["h", "Left", "S-Tab"], .mergeLeft, in: [.merge], group: "merge"),
      .init(["Enter", "Space"], .mergeTake, in: [.merge], group: "merge"),
      .init(["c"], .mergeMain, in: [.merge], group: "merge"),
      .init(["x"], .mergeLeaveOut, in: [.merge], group: "merge"),
      .init(["o"], .mergeShow, in: [.merge], group: "merge"),
      .init(["J", "^N"], .mergeNextCandidate, in: [.merge], group: "merge"),
      .init(["K", "^P"], .mergePreviousCandidate, in: [.merge], group: "merge"),
      .init(["q", "Esc", "^C"], .mergeClose, in: [.merge], group: "merge"),
      .init(["a"], .directoryAdd, in: [.directory], group: "directory"),
      .init(["*"], .directoryMarkAll, in: [.directory], group: "directory"),
      .init(["q"], .directoryClose, in: [.directory], group: "directory"),
      .init(["/"], .helpFilter, in: [.help], group: "help"),
      .init(["q", "Esc", "^C"], .helpClose, in: [.help, .page], group: "help"),
    ], textContexts: KeyContext.text)
}

extension KeyBinding<Command, KeyContext> {
  /// A binding whose string keys have the prefixes `command.` and `help.section.`.
  fileprivate init(_ sequences: [KeySequence], _ command: Command, in contexts: Set<KeyContext>, group: String) {
    self.init(
      sequences, command, in: contexts, descriptionKey: "command." + command.rawValue,
      groupKey: "help.section." + group)
  }
}
