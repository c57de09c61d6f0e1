/// A decoder that turns the bytes from a terminal into events: a state machine without a clock or files.
///
/// Bytes may arrive in pieces of any size; the events are the same. Only Esc, and Alt with a key such as `[` or `O`,
/// cannot be told from the start of a sequence without waiting: if no byte arrives within ``timeout``, the caller calls
/// ``flush()``.
///
/// It supports UTF-8, keys with the modifiers of xterm, rxvt, st, the Linux console and tmux, xterm's modifyOtherKeys,
/// the `CSI u` keys, mouse reports (SGR, urxvt, X10), focus reports, the background color, the cursor and bracketed paste. Any other
/// sequence, such as a late reply of the terminal, is consumed as a whole and never taken for text. Each code point is delivered as a character;
/// a text field joins those that form a cluster.
public struct InputDecoder: Sendable {
  private enum State {
    case ground
    /// Inside a character that needs that many more bytes.
    case utf8(needed: Int)
    /// After one Esc, or after two.
    case escape, doubleEscape
    /// After `CSI`; the bytes up to the final one are in `parameters`.
    case sequence
    /// After `SS3`.
    case singleShift
    /// After `CSI [`, as the Linux console sends F1 to F5.
    case linuxFunction
    /// The three bytes of an X10 mouse report.
    case oldMouse
    /// OSC, DCS, SOS, PM, APC up to their terminator.
    case string(introducer: UInt8, length: Int)
    /// Esc inside such a string: followed by `\`, it ends the string.
    case stringEscape(introducer: UInt8, length: Int)
    case paste
  }

  private var state = State.ground
  private var parameters: [UInt8] = []
  private var withAlt = false
  private var pasted = PasteBuffer()

  /// Sequences with this many bytes of parameters or more are discarded.
  private static let parameterLimit = 64
  /// The maximum length of a string from the terminal; a longer one cannot be a reply.
  private static let longestString = 1 << 20

  /// Creates a decoder in its initial state.
  public init() {}

  /// How many milliseconds to wait for the next byte before calling ``flush()``; nil if there is nothing to flush.
  public var timeout: Int? {
    switch state {
    case .ground: nil
    case .utf8: 100
    case .escape, .doubleEscape, .singleShift, .linuxFunction: 40
    case .sequence: parameters.isEmpty ? 40 : 250
    case .oldMouse: 250
    case .string(_, let length): length == 0 ? 40 : 1000
    case .stringEscape: 250
    case .paste: pasted.isAtEscape ? 1000 : pasted.isEmpty ? nil : 250
    }
  }

  /// Decodes the next bytes and returns the events that they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Event] {
    var events: [Event] = []
    for byte in bytes { handle(byte, &events) }
    return events
  }

  /// Completes the input after a pause: a single Esc becomes a key, the start of a sequence such as `Esc [` becomes a
  /// key with Alt, and incomplete sequences are dropped. An incomplete character becomes `U+FFFD`.
  ///
  /// Paste mode is kept, because a stalled line must not turn pasted text into keys; the text so far is delivered. Only
  /// an Esc without a sequence leaves paste mode: a terminal does not send that inside pasted text, but a user may type
  /// it.
  public mutating func flush() -> [Event] {
    var events: [Event] = []
    let old = state
    if case .paste = old {
      if pasted.isAtEscape { state = .ground }
      pasted.flush(&events)
      return events
    }
    state = .ground
    switch old {
    case .ground, .paste: break
    case .utf8: emit(.character("\u{FFFD}"), &events)
    case .escape: emit(Key(.escape), &events)
    case .doubleEscape: events += [.key(Key(.escape)), .key(Key(.escape))]
    case .sequence where parameters.isEmpty: emit(Key(.character("["), .alt), &events)
    case .singleShift: emit(Key(.character("O"), .alt), &events)
    case .string(let introducer, 0):
      emit(Key(.character(Character(Unicode.Scalar(introducer))), .alt), &events)
    case .sequence, .linuxFunction, .oldMouse, .string, .stringEscape: break
    }
    parameters.removeAll(keepingCapacity: true)
    withAlt = false
    return events
  }

  // MARK: States

  private mutating func handle(_ byte: UInt8, _ events: inout [Event]) {
    switch state {
    case .ground: handleGround(byte, &events)
    case .utf8(let needed): handleContinuation(byte, needed: needed, &events)
    case .escape: handleAfterEscape(byte, &events)
    case .doubleEscape:
      if byte == 0x5B || byte == 0x4F {
        withAlt = true
        handleAfterEscape(byte, &events)
      } else {
        emit(Key(.escape), &events)
        handleAfterEscape(byte, &events)
      }
    case .sequence: handleSequence(byte, &events)
    case .singleShift: handleSingleShift(byte, &events)
    case .linuxFunction:
      finish()
      if (0x41...0x45).contains(byte) {
        emit(Key(.function(Int(byte) - 0x40)), &events)
      } else if byte == 0x1B {
        state = .escape
      }
    case .oldMouse:
      parameters.append(byte)
      guard parameters.count == 3 else { return }
      let report = parameters
      finish()
      emitMouse(
        code: Int(report[0]) - 32, column: Int(report[1]) - 33, row: Int(report[2]) - 33, isRelease: nil, &events)
    case .string(let introducer, let length): handleString(byte, introducer, length, &events)
    case .stringEscape(let introducer, let length):
      if byte == 0x5C {
        finishString(introducer, &events)
      } else if byte == 0x1B {
        state = .stringEscape(introducer: introducer, length: length + 1)
      } else {
        // The string was interrupted by another sequence.
        finish()
        handleAfterEscape(byte, &events)
      }
    case .paste:
      if pasted.append(byte, &events) { state = .ground }
    }
  }

  private mutating func finish() {
    state = .ground
    parameters.removeAll(keepingCapacity: true)
  }

  private mutating func handleGround(_ byte: UInt8, _ events: inout [Event]) {
    switch byte {
    case 0x1B: state = .escape
    case 0x20..<0x7F: emit(.character(Character(Unicode.Scalar(byte))), &events)
    case 0x00..<0x20, 0x7F: emit(Self.controlKey(byte), &events)
    case 0xC2..<0xE0: begin(byte, needed: 1)
    case 0xE0..<0xF0: begin(byte, needed: 2)
    case 0xF0..<0xF5: begin(byte, needed: 3)
    default: emit(.character("\u{FFFD}"), &events)
    }
  }

  private mutating func begin(_ byte: UInt8, needed: Int) {
    parameters = [byte]
    state = .utf8(needed: needed)
  }

  private mutating func handleContinuation(_ byte: UInt8, needed: Int, _ events: inout [Event]) {
    guard Self.continues(parameters, byte) else {
      finish()
      emit(.character("\u{FFFD}"), &events)
      handle(byte, &events)
      return
    }
    parameters.append(byte)
    if needed > 1 {
      state = .utf8(needed: needed - 1)
      return
    }
    let text = String(decoding: parameters, as: UTF8.self)
    finish()
    guard let scalar = text.unicodeScalars.first, scalar.properties.generalCategory != .control else {
      withAlt = false
      return
    }
    emit(.character(Character(scalar)), &events)
  }

  // Whether the byte can follow (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
  private static func continues(_ bytes: [UInt8], _ byte: UInt8) -> Bool {
    guard (0x80..<0xC0).contains(byte) else { return false }
    guard bytes.count == 1 else { return true }
    switch bytes[0] {
    case 0xE0: return byte >= 0xA0
    case 0xED: return byte < 0xA0
    case 0xF0: return byte >= 0x90
    case 0xF4: return byte < 0x90
    default: return true
    }
  }

  private mutating func handleAfterEscape(_ byte: UInt8, _ events: inout [Event]) {
    switch byte {
    case 0x1B:
      state = .doubleEscape
    case 0x5B:
      parameters.removeAll(keepingCapacity: true)
      state = .sequence
    case 0x4F:
      parameters.removeAll(keepingCapacity: true)
      state = .singleShift
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F:  // OSC, DCS, SOS, PM, APC
      parameters.removeAll(keepingCapacity: true)
      state = .string(introducer: byte, length: 0)
    default:
      withAlt = true
      state = .ground
      handle(byte, &events)
    }
  }

  private mutating func handleString(
    _ byte: UInt8, _ introducer: UInt8, _ length: Int, _ events: inout [Event]
  ) {
    switch byte {
    case 0x07: finishString(introducer, &events)
    case 0x18, 0x1A: finish()
    case 0x1B: state = .stringEscape(introducer: introducer, length: length + 1)
    default:
      if parameters.count < Self.parameterLimit { parameters.append(byte) }
      if length >= Self.longestString { finish() } else { state = .string(introducer: introducer, length: length + 1) }
    }
  }

  // The only string that is not discarded is the reply to a query of the background color.
  private mutating func finishString(_ introducer: UInt8, _ events: inout [Event]) {
    let reply = introducer == 0x5D && parameters.count < Self.parameterLimit ? parameters : []
    finish()
    withAlt = false
    if let isLight = BackgroundReply.isLight(reply) { events.append(.background(isLight: isLight)) }
  }

  private mutating func handleSingleShift(_ byte: UInt8, _ events: inout [Event]) {
    switch byte {
    case 0x30..<0x3A, 0x3B:  // a modifier, in the format of old xterms
      if parameters.count < Self.parameterLimit { parameters.append(byte) }
    case 0x1B:
      finish()
      state = .escape
    default:
      let isTooLong = parameters.count >= Self.parameterLimit
      let modifiers = KeySequences.modifiers(Self.numbers(parameters).last ?? 1)
      finish()
      if !isTooLong, let key = KeySequences.singleShift(byte) {
        emit(Key(key.code, key.modifiers.union(modifiers)), &events)
      } else {
        withAlt = false
      }
    }
  }

  private mutating func handleSequence(_ byte: UInt8, _ events: inout [Event]) {
    switch byte {
    case 0x5B where parameters.isEmpty: state = .linuxFunction
    case 0x24 where KeySequences.isShiftedNumber(parameters): finishSequence(byte, &events)
    case 0x20..<0x40:
      if parameters.count < Self.parameterLimit { parameters.append(byte) }
    case 0x40..<0x7F: finishSequence(byte, &events)
    case 0x1B:
      finish()
      state = .escape
    case 0x18, 0x1A:
      finish()
      withAlt = false
    default: break  // controls inside a sequence, and bytes that are not valid anywhere
    }
  }

  private mutating func finishSequence(_ final: UInt8, _ events: inout [Event]) {
    let bytes = parameters
    finish()
    if final == 0x4D, bytes.isEmpty {
      state = .oldMouse
      return
    }
    if bytes.first == 0x3C, final == 0x4D || final == 0x6D {
      let numbers = Self.numbers(bytes.dropFirst())
      withAlt = false
      guard numbers.count == 3 else { return }
      emitMouse(
        code: numbers[0], column: numbers[1] - 1, row: numbers[2] - 1, isRelease: final == 0x6D, &events)
      return
    }
    // A private marker or an intermediate byte: a reply, not a key.
    let isKey = bytes.allSatisfy { (0x30..<0x3A).contains($0) || $0 == 0x3B || $0 == 0x3A }
    guard isKey, bytes.count < Self.parameterLimit else {
      withAlt = false
      return
    }
    let numbers = Self.numbers(bytes)
    if bytes.isEmpty, final == 0x49 || final == 0x4F {
      withAlt = false
      events.append(.focus(final == 0x49))
    } else if final == 0x7E, numbers.first == 200 {
      withAlt = false
      state = .paste
    } else if final == 0x4D, numbers.count == 3 {
      emitMouse(code: numbers[0] - 32, column: numbers[1] - 1, row: numbers[2] - 1, isRelease: nil, &events)
    } else if final == 0x52, numbers.count == 2, numbers[0] > 1 {
      withAlt = false
      events.append(.position(Point(row: numbers[0] - 1, column: numbers[1] - 1)))
    } else if let key = KeySequences.key(numbers: numbers, final: final) {
      emit(key, &events)
    } else {
      withAlt = false
    }
  }

  // The numbers between semicolons, 0 for an empty one, without sub-parameters after a colon. Numbers larger than any
  // code point become 0x110000, which is not one.
  private static func numbers(_ bytes: some Collection<UInt8>) -> [Int] {
    if bytes.isEmpty { return [] }
    return bytes.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
      part.prefix { $0 != 0x3A }.reduce(0) { value, digit in
        (0x30..<0x3A).contains(digit) ? min(0x11_0000, value * 10 + Int(digit) - 0x30) : value
      }
    }
  }

  // MARK: Events

  private static func controlKey(_ byte: UInt8) -> Key {
    switch byte {
    case 0x00: Key(.character(" "), .control)
    case 0x09: Key(.tab)
    case 0x0A, 0x0D: Key(.enter)
    case 0x08, 0x7F: Key(.backspace)
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    default: .control(Character(Unicode.Scalar(byte + 0x40)))
    }
  }

  private mutating func emit(_ key: Key, _ events: inout [Event]) {
    var key = key
    if withAlt { key.modifiers.insert(.alt) }
    withAlt = false
    events.append(.key(key))
  }

  private mutating func emitMouse(code: Int, column: Int, row: Int, isRelease: Bool?, _ events: inout [Event]) {
    withAlt = false
    guard let mouse = KeySequences.mouse(code: code, column: column, row: row, isRelease: isRelease) else { return }
    events.append(.mouse(mouse))
  }
}
