import AddressBookModel
import BookInterchange
import TerminalKit

/// Offers to reopen a book whose files were moved, deleted, replaced, or migrated by a newer program after it was
/// opened, because nothing can be saved to it. Also offers to examine a book that turns out to be damaged.
@MainActor
final class BookReopening {
  private let environment: AppEnvironment
  private let status: StatusLine
  /// True while the user is being asked whether to reopen the book.
  private var isAsking = false
  /// True once the user has been asked whether to examine the book.
  private var isExaminationOffered = false

  init(environment: AppEnvironment, status: StatusLine) {
    self.environment = environment
    self.status = status
  }

  private var strings: Strings { environment.strings }

  /// Asks whether to reopen the book. The input of an open form is kept as a draft if possible, and offered after
  /// reopening; it can also be written to a vCard file.
  /// - Parameters:
  ///   - reason: what happened, in the user's language.
  ///   - isRequested: false if the question was not caused by a key press.
  ///   - isSaved: true if the input of the form has been written to a file.
  func offer(_ reason: String, isRequested: Bool = true, isSaved: Bool = false) {
    guard !isAsking else { return }
    isAsking = true
    var answers = [
      Question.Answer(key: "o", word: strings("reopen.open")) { [self] in
        isAsking = false
        environment.reopen()
      }
    ]
    if let form {
      answers.append(
        .init(key: "s", word: strings("reopen.save")) { [self] in
          isAsking = false
          askWhereToSave(form)
        })
    }
    answers.append(.init(key: "l", word: strings("reopen.later")) { [self] in isAsking = false })
    environment.ask(
      strings("reopen.title"), detail: detail(reason, isSaved: isSaved), answers: answers, isRequested: isRequested)
  }

  private var form: ContactFormScreen? {
    environment.screens.screens.lazy.compactMap { $0 as? ContactFormScreen }.last
  }

  /// Returns the text and, if a form is open, adds what will happen to its input. Writes the input as a draft, if there
  /// is a folder for drafts.
  /// - Parameter isSaved: true if the input was saved to a vCard file; a missing or failed draft is then not mentioned.
  private func detail(_ text: String, isSaved: Bool = false) -> String {
    guard form != nil else { return text }
    guard let drafts = environment.drafts else { return isSaved ? text : text + " " + strings("reopen.noDrafts") }
    guard let reason = drafts.flush() else { return text + " " + strings("reopen.typed") }
    return isSaved ? text : text + " " + strings("reopen.notKept", reason)
  }

  /// Reports damage, and asks, at most once, whether to examine the book. Contacts are only marked if they could be read
  /// and compared with their checksums.
  func offerExamination() {
    let strings = strings
    let suffix = environment.book.damage.contacts.isEmpty ? ".unmarked" : ""
    status.fail(strings("status.damaged" + suffix))
    guard !isExaminationOffered, !isAsking, environment.book.location.path != nil else { return }
    isExaminationOffered = true
    // The error may come from drawing a frame, which would not show the question.
    environment.loop.post { [self] in askToExamine(strings("reopen.damaged.detail" + suffix)) }
  }

  private func askToExamine(_ reason: String) {
    environment.ask(
      strings("reopen.damaged"), detail: detail(reason),
      answers: [
        Question.Answer(key: "e", word: strings("rescue.examine")) { [self] in environment.reopen(.examined) },
        Question.Answer(key: "l", word: strings("reopen.later")) {},
      ], isRequested: false)
  }

  private func askWhereToSave(_ form: ContactFormScreen) {
    environment.screens.push(
      TextPrompt(
        title: strings("reopen.save.title"), word: "save", environment: environment,
        choose: { [self] path, prompt in
          environment.screens.pop(prompt)
          save(form, to: PrivateFile(path))
        }))
  }

  private func save(_ form: ContactFormScreen, to file: PrivateFile) {
    guard !file.exists, !AddressBook.isOpen(path: file.path) else {
      offer(strings("reopen.exists", file.path))
      return
    }
    do {
      try file.write(
        CardExporter(version: nil).card(of: form.contact, photo: photo(of: form)), makesFolder: false, isDurable: true)
      offer(strings("reopen.saved", file.path), isSaved: true)
    } catch {
      offer(strings("export.failed", file.path, error.message))
    }
  }

  private func photo(of form: ContactFormScreen) -> Photo? {
    switch form.photo {
    case .set(let photo): return photo
    case .remove: return nil
    case .keep:
      do {
        return try environment.book.photoForExport(of: form.contact)
      } catch {
        status.show(reading: error)
        return nil
      }
    }
  }
}
