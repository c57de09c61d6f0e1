import AddressBookModel
import BookInterchange
import Glibc
import SystemCalls
import TerminalKit

/// Reads mail, shows who exchanges email with the user, and adds those who are chosen.
@MainActor
final class CorrespondentActions: BrowserAction {
  let parts: BrowserParts
  let undoing: UndoActions
  /// What was typed last, to be corrected or used again.
  private var path: String?
  var own: [String] = []

  init(_ parts: BrowserParts, undoing: UndoActions) {
    self.parts = parts
    self.undoing = undoing
  }

  /// Asks for the mail, and reads it.
  func ask() {
    guard !work.refusesWork() else { return }
    environment.screens.push(
      TextPrompt(
        title: strings("collect.ask"), detail: strings("collect.ask.detail"), text: path ?? Self.usualMail,
        word: "read",
        environment: environment,
        choose: { [self] path, prompt in
          environment.screens.pop(prompt)
          self.path = path
          read(path)
        }))
  }

  /// Where the mail of most programs is, if it is there.
  private static var usualMail: String {
    ["~/Maildir", "~/Mail", "~/mail", "~/.mail"].first { stat(of: PathCompletion.expanded($0))?.isFolder == true } ?? ""
  }

  private func read(_ path: String) {
    let (strings, book, own) = (strings, environment.book, own)
    work.run(strings("collect.reading", ""), stopped: "collect.stopped") { report in
      var mail = ReadMail([path], in: book.location.cacheFolder)
      let result = Result {
        try mail.read(isCancelled: report.isCancelled) { count in
          if count % 100 == 0 { report.progress(strings("collect.reading", strings.number(count))) }
        }
      }
      // What was read before an interruption is kept, too.
      var notKept: FileFailure?
      do throws(FileFailure) { try mail.keep() } catch { notKept = error }
      try result.get()
      var state = CorrespondentsState(mail, own: own)
      let people = try book.known(mail.correspondents.all(own: state.own))
      if !book.isReadOnly { try book.recordLastContact(of: people) }
      state.show(people)
      return (state, notKept)
    } failed: { [self] error in
      guard (error as? ImportError)?.reason == .cancelled else { return false }
      status.say(strings("collect.stopped"))
      return true
    } done: { [self] state, notKept in
      guard parts.isListOnTop else { return }
      environment.screens.push(CorrespondentsScreen(environment: environment, actions: self, state: state))
      if let notKept { status.fail(strings("collect.notKept", notKept.path, notKept.message)) }
    }
  }

  /// Adds people as contacts, as one undo step.
  func add(_ people: [KnownCorrespondent], from mail: ReadMail, done: @escaping @MainActor () -> Void) {
    let new = people.filter { $0.contact == nil }
    guard !new.isEmpty else { return status.say(strings("collect.noneToAdd")) }
    let (strings, book, session) = (strings, environment.book, editor.session)
    work.write(strings("collect.adding"), stopped: "status.writeStopped") { _ in
      let (ids, namesakes) = try book.add(new, from: mail.paths.joined(separator: ", "), in: session)
      let names = namesakes.map { "\($0.name) <\($0.address)>" }
      let refused = names.isEmpty ? "" : " " + strings("collect.namesakes", strings.list(names))
      return BackgroundWork.Outcome(message: strings.count("collect.added", ids.count) + refused, count: ids.count)
    } done: { _ in
      done()
    }
  }
}
