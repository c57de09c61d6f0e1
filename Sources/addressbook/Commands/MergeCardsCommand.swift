import ArgumentParser
import FolderSync
import SystemCalls

/// `addressbook merge-cards`: merges two versions of a card; run by vdirsyncer, whose configuration names this command.
/// Afterwards both files contain the merged card; if there is a conflict, they are not changed and the status is 1.
struct MergeCardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "merge-cards", shouldDisplay: false)

  @Argument var previous: String
  @Argument var mine: String
  @Argument var theirs: String

  func run() throws {
    let prefers = SyncCommand.Preferred(rawValue: ProcessEnvironment["ADDRESSBOOK_PREFER"] ?? "")
    let files = try [mine, theirs].map { try FileBytes.read($0) ?? [] }
    let base = try PreviousCards.card(like: files[0], in: previous)
    let conflicts = PreviousCards(folder: previous + "/" + PreviousCards.conflicts)
    let open = try conflicts.conflict(like: files[0])
    guard let merged = CardMerge(base: base, mine: files[0], theirs: files[1], open: open, prefers: prefers?.side)
    else {
      try conflicts.saveConflict(mine: files[0], theirs: files[1])
      throw CommandFailure(.nothingFound, strings("Sync/cardConflict"))
    }
    for path in [mine, theirs] { try FileReplacement.write(merged.bytes, to: path) }
  }
}
