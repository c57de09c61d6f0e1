import SeededRandom
import TerminalKit

/// Random keys, mouse events, pasted texts, bytes of a broken line, window sizes, resumptions and writes of others.
struct RandomEvents {
  /// A step of a random run.
  enum Step {
    case event(Event)
    /// Bytes as the terminal sends them, then perhaps a pause.
    case bytes([UInt8], pauses: Bool)
    case resize(Size)
    /// A write of another context: it changes, deletes or adds a contact.
    case write(Int)
  }

  var chance: SeededGenerator

  init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

  mutating func next() -> Step {
    switch chance.next(200) {
    case 0: return .resize(Size(rows: 1 + chance.next(45), columns: 1 + chance.next(140)))
    case 1...3: return .resize(Size(rows: 24, columns: 80))
    case 4, 5: return .event(.paste(Self.texts[chance.next(Self.texts.count)]))
    case 6...11: return .event(.mouse(mouse()))
    case 12...15: return .bytes(bytes(), pauses: chance.next(2) == 0)
    case 16: return .write(chance.next(Self.texts.count))
    case 17: return .event(.resumed)
    default: return .event(.key(Self.keys[chance.next(Self.keys.count)]))
    }
  }

  private mutating func mouse() -> Mouse {
    let actions: [Mouse.Action] = [.press, .drag, .release, .wheelUp, .wheelDown]
    return Mouse(
      actions[chance.next(actions.count)], button: chance.next(6) / 4,
      at: Point(row: chance.next(24), column: chance.next(80)), clicks: 1 + chance.next(2))
  }

  // Mostly characters of sequences, so that complete ones occur.
  private mutating func bytes() -> [UInt8] {
    (0..<1 + chance.next(12)).map { _ in
      chance.next(4) == 0 ? UInt8(chance.next(256)) : Self.alphabet[chance.next(Self.alphabet.count)]
    }
  }

  private static let alphabet = Array("\u{1B}\u{1B}\u{1B}[[[]OP_<?0123456789;;;~ABCMZu$\r\u{07}\\ abz\u{18}".utf8)

  static let texts = ["王小明", "O'Brien", "e\u{301}", "👨‍👩‍👧‍👦", "\u{1b}[31m", "a\nb", "", "%@%d", "مرحبا", "ก็"]

  private static let keys: [Key] = {
    let plain = "jkgGlhaeduyf?'/ \u{20}xqZm1王é+-w.MncJo".map { Key(.character($0)) }
    let named: [Key] = [
      Key(.enter), Key(.tab), Key(.backTab), Key(.escape), Key(.escape), Key(.backspace), Key(.delete), Key(.up),
      Key(.down),
      Key(.left), Key(.right), Key(.home), Key(.end), Key(.pageUp), Key(.pageDown), Key(.function(1)), Key(.insert),
    ]
    let control = "nprfbduskotxlgaewcz".map { Key.control($0) }
    return plain + named + control
  }()
}

extension SeededGenerator {
  /// Returns a random number from 0 up to, but not including, the bound.
  mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
