import TerminalKit
import Testing

@MainActor @Suite struct PromptScreenTests {
  private enum Command: ScreenCommand {
    case complete
    var role: CommandRole? { .complete }
  }

  private enum Context { case prompt }

  /// The calls that deliver completions.
  private final class Replies {
    var all: [@MainActor @Sendable (String) -> Void] = []
  }

  private let replies = Replies()
  private let prompt: PromptScreen<Command, Context>

  init() {
    prompt = PromptScreen(
      PromptState(title: "File", hint: "", text: "pe"), context: .prompt, style: WidgetStyle(),
      complete: { [replies] _, reply in replies.all.append(reply) }, close: { _ in }, accept: { _, _ in })
  }

  @Test func theCompletionReplacesTheText() throws {
    prompt.perform(.complete)
    let reply = try #require(replies.all.first)
    reply("people.vcf")
    #expect(prompt.text == "people.vcf")
  }

  @Test func aLateCompletionKeepsWhatWasTypedSince() throws {
    prompt.perform(.complete)
    prompt.type(.character("x"))
    let reply = try #require(replies.all.first)
    reply("people.vcf")
    #expect(prompt.text == "pex")
  }
}
