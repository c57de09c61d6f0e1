import TerminalKit
import TerminalKitTesting
import Testing

@MainActor @Suite struct PromptScreenTests {
  private enum Command { case complete }

  private enum Context { case prompt }

  /// The calls that deliver completions.
  private final class Replies {
    var all: [@MainActor @Sendable (String) -> Void] = []
  }

  private let replies = Replies()
  private let screens = ScreenContext<Command, Context>(
    keys: KeyMap([.init(["Tab"], .complete, .complete, in: [.prompt], help: "complete")]), loop: ManualLoop())
  private let prompt: PromptScreen<Command, Context>

  init() {
    prompt = PromptScreen(
      PromptState(title: "File", hint: "", text: "pe"), context: .prompt, style: WidgetStyle(),
      complete: { [replies] _, reply in replies.all.append(reply) }, accept: { _, _ in })
  }

  @Test func theCompletionReplacesTheText() throws {
    prompt.perform(.complete, in: screens)
    let reply = try #require(replies.all.first)
    reply("people.vcf")
    #expect(prompt.text == "people.vcf")
  }

  @Test func aLateCompletionKeepsWhatWasTypedSince() throws {
    prompt.perform(.complete, in: screens)
    prompt.type(.character("x"), in: screens)
    let reply = try #require(replies.all.first)
    reply("people.vcf")
    #expect(prompt.text == "pex")
  }
}
