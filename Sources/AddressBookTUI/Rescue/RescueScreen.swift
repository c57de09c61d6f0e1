import AddressBookModel
import BookCare
import Dispatch
import Messages
import TerminalKit

/// The screen shown instead of a damaged book: examines and repairs it, or restores a backup, and shows the result.
@MainActor
final class RescueScreen: Screen {
  /// How the screen was left.
  enum Outcome {
    /// The book should be opened.
    case open
    /// The program should end.
    case quit
  }

  var keyContext: KeyContext { .page }
  private(set) var outcome = Outcome.quit
  private let environment: AppEnvironment
  private let location: StoreLocation
  /// True if the book can be opened as it is.
  private let isOpenable: Bool
  /// The work on another thread.
  private var work: (text: String, flag: CancellationFlag)?

  /// - Parameter isOpenable: true for a book that was open, false for one that could not be opened.
  init(_ location: StoreLocation, isOpenable: Bool, environment: AppEnvironment) {
    self.location = location
    self.isOpenable = isOpenable
    self.environment = environment
  }

  /// Returns true for errors of opening a book that this screen may be able to fix.
  static func helps(_ error: StoreError) -> Bool {
    [.damaged, .notADatabase, .emptied, .other].contains(error.reason) && !error.path.isEmpty
  }

  private var strings: Strings { environment.strings }

  /// Asks what to do about a book that cannot be opened.
  func offer(_ error: StoreError) {
    ask(strings("rescue.title"), [error.message(in: strings.localization)], [examination] + backups + [ending])
  }

  // MARK: - Answers

  private var examination: Question.Answer {
    Question.Answer(key: "e", word: strings("rescue.examine")) { [self] in examine() }
  }

  private var backups: [Question.Answer] {
    AddressBook.backups(of: location).isEmpty
      ? [] : [Question.Answer(key: "b", word: strings("rescue.backups")) { [self] in chooseBackup() }]
  }

  private var opening: Question.Answer {
    Question.Answer(key: "o", word: strings("rescue.open")) { [self] in leave(.open) }
  }

  private var ending: Question.Answer {
    isOpenable ? opening : Question.Answer(key: "q", word: strings("rescue.quit")) { [self] in leave(.quit) }
  }

  private func leave(_ outcome: Outcome) {
    self.outcome = outcome
    environment.loop.stop()
  }

  private func ask(_ title: String, _ lines: [String], _ answers: [Question.Answer]) {
    environment.ask(title, detail: lines.joined(separator: "\n"), answers: answers)
  }

  // MARK: - Work

  /// Examines the book and shows what was found.
  func examine() {
    let location = location
    run(strings("rescue.examining")) { progress in
      try BookDoctor(location, progress: progress).examine()
    } done: {
      [self] in
      show($0)
    }
  }

  private func show(_ examination: Examination) {
    let localization = strings.localization
    let found = examination.findings.filter { $0.severity != .note }
    let lines = found.flatMap { finding in
      ["· " + finding.message(in: localization)]
        + (finding.contacts.isEmpty ? [] : ["  " + finding.contactList(in: localization)])
    }
    if found.isEmpty {
      ask(strings("rescue.nothing"), [], [opening])
    } else {
      // Warnings, such as a file that belongs to another user, are not damage.
      let isDamaged = found.contains { $0.severity == .damage }
      let title = isDamaged ? "rescue.found" : isOpenable ? "rescue.warnings" : "rescue.title"
      guard found.contains(where: \.isRepairable) else {
        let end = strings(isDamaged ? "rescue.nothingHelps" : "rescue.cannotHelp")
        return ask(strings(title), lines + [end], backups + [ending])
      }
      let promise =
        examination.needsSalvage
        ? strings.count("rescue.willSalvage", examination.contacts ?? 0)
        : strings(examination.keepsOriginal ? "rescue.willRepair" : "rescue.willCorrect")
      let word = strings(examination.keepsOriginal ? "rescue.repair" : "rescue.repairInPlace")
      let repair = Question.Answer(key: "r", word: word) { [self] in self.repair() }
      ask(strings(title), lines + [promise], [repair] + backups + [ending])
    }
  }

  private func repair() {
    let location = location
    run(strings("rescue.repairing")) { progress in
      try BookDoctor(location, progress: progress).repair()
    } done: {
      [self] report in
      let lines = report.actions.map { "· " + $0.message(in: strings.localization, naming: 6) }
      if report.after.isHealthy {
        ask(strings("rescue.repaired"), lines, [opening])
      } else {
        let left = report.after.findings.filter { $0.severity != .note }.map {
          "· " + $0.message(in: strings.localization)
        }
        ask(strings("rescue.left"), lines + left, backups + [ending])
      }
    }
  }

  private func chooseBackup() {
    let backups = AddressBook.backups(of: location)
    let items = backups.map { backup in
      let contacts = backup.contacts.map { strings.count("rescue.backup.contacts", $0) }
      return strings(
        "rescue.backup", String(backup.made.prefix(10)), contacts ?? strings("rescue.backup.unknown"), backup.path)
    }
    let location = location
    environment.choose(title: strings("rescue.chooseBackup"), items: items) { [self] choice in
      guard case .item(let index) = choice else { return }
      run(strings("rescue.restoring")) { progress in
        try BookRestore.run(from: backups[index].path, to: location, isCancelled: progress.isCancelled)
      } done: { [self] result in
        let lines = [strings.count("rescue.restored", result.contacts)]
        ask(strings("rescue.repaired"), lines + (result.kept.map { [strings("rescue.kept", $0)] } ?? []), [opening])
      }
    }
  }

  /// Runs work on another thread, with progress on the screen; Esc stops it.
  private func run<Value: Sendable>(
    _ text: String, _ body: @escaping @Sendable (DoctorProgress) throws -> Value,
    done: @escaping @MainActor (Value) -> Void
  ) {
    let flag = CancellationFlag()
    work = (text, flag)
    let (loop, localization) = (environment.loop, strings.localization)
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      let progress = DoctorProgress(
        onProgress: { stage, share in
          let percent = share.map { "  \(Int($0 * 100))%" } ?? ""
          let line = localization.name(of: stage) + percent
          loop.post { self.say(line, of: flag) }
        }, isCancelled: { flag.isSet })
      let result = Result { try body(progress) }
      loop.post { [self] in
        work = nil
        switch result {
        case .success(let value): done(value)
        case .failure(let error):
          let message = BackupMessage.text(of: error, in: localization)
          ask(strings("rescue.failed"), [message], [examination] + backups + [ending])
        }
      }
    }
  }

  private func say(_ text: String, of flag: CancellationFlag) {
    if work?.flag === flag { work?.text = text }
  }

  // MARK: - The screen

  func perform(_ command: Command, in context: ScreenContext) {
    guard command.role == .cancel else { return }
    // Without work or a dialog the screen would be empty.
    if let work { work.flag.set() } else { ask(strings("rescue.title"), [], [examination] + backups + [ending]) }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(strings("rescue.screen"), detail: location.path ?? "", on: &canvas, in: rect.line(0))
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    work.map { BottomLine($0.text, hints: environment.hint(.helpClose, as: "stop", in: keyContext)) } ?? BottomLine()
  }
}

/// Opens the book. If it is damaged, offers to repair it first, on the terminal on which the book is then shown.
@MainActor
final class BookRescue {
  /// The terminal, once it has been opened.
  private(set) var terminal: NcursesTerminal?
  /// The user's settings, read when first needed: by then, another thread has usually made the key table.
  private(set) lazy var settings = ConfigurationFile.read(in: folders.configuration)
  private var configuration: Configuration { settings.configuration }

  func rereadSettings() { settings = ConfigurationFile.read(in: folders.configuration) }

  private let folders: UserFolders
  private let localization: Localization

  init(_ folders: UserFolders, _ localization: Localization) {
    self.folders = folders
    self.localization = localization
  }

  /// Returns the terminal, which is opened when first needed.
  func openTerminal() throws(TerminalError) -> NcursesTerminal {
    if let terminal { return terminal }
    let opened = try NcursesTerminal(
      options: .init(
        mouse: configuration.usesMouse, focus: configuration.usesMouse, background: configuration.theme == .terminal,
        ambiguousWidth: configuration.ambiguousWidth.option,
        images: configuration.pictures.images, links: configuration.links.links))
    terminal = opened
    return opened
  }

  /// Opens the book, and tries again after each repair.
  /// - Throws: the error of `open` if the user quits, if there is no terminal, or if a repair cannot help; errors of
  ///   `locate`.
  func open(locate: () throws -> StoreLocation, _ open: () throws -> AddressBook) throws -> AddressBook {
    while true {
      do {
        return try open()
      } catch let error as StoreError where RescueScreen.helps(error) {
        // Without a terminal, only the error message is shown.
        guard let terminal = try? openTerminal() else { throw error }
        if try show(locate(), on: terminal, error) == .quit { throw error }
      }
    }
  }

  /// Examines a book that was open, and offers to repair it, if there is a terminal.
  func examine(_ location: StoreLocation) throws {
    if let terminal { _ = try show(location, on: terminal, nil) }
  }

  private func show(_ location: StoreLocation, on terminal: NcursesTerminal, _ error: StoreError?) throws
    -> RescueScreen.Outcome
  {
    let loop = EventLoop(terminal: terminal, input: terminal.input)
    // Screens get a book from their environment, but this screen shows none.
    let environment = AppEnvironment(
      book: try AddressBook.inMemory(), strings: Strings(localization), configuration: configuration,
      theme: .named(configuration.theme, colors: terminal.colors), terminal: terminal, loop: loop)
    let screen = RescueScreen(location, isOpenable: error == nil, environment: environment)
    environment.screens.push(screen)
    if let error { screen.offer(error) } else { screen.examine() }
    let root = AppRoot(environment: environment)
    loop.run(draw: { root.draw(size: terminal.size) }, handle: { root.handle($0) })
    environment.book.close()
    if let signal = loop.terminationSignal {
      terminal.restore()
      TerminalGuard.die(bySignal: signal)
    }
    return screen.outcome
  }
}
