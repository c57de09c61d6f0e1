extension Finding {
  /// The maximum number of names in a message.
  private static let shown = 12

  /// Returns a message that says what was found.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    if kind == .unopenable, let error {
      // The error's own message proposes the examination that found this.
      if error.reason == .notADatabase { return localization.text("Finding/notADatabase", error.path) }
      return error.message(in: localization)
    }
    return localization.plural("Finding/\(kind.rawValue)", count: count, Self.list(details, localization))
  }

  /// Returns what to do; empty if there is nothing to do, or if the message already says it.
  public func advice(in localization: Localization) -> String {
    if kind == .unopenable { return "" }
    let key = "Advice/" + kind.rawValue + (isRepairable ? ".repair" : "")
    return localization.has(key) ? localization.text(key, Self.list(details, localization)) : ""
  }

  /// Returns the ids and names of up to 12 contacts, and the number of the others.
  public func contactList(in localization: Localization) -> String {
    Self.list(contacts.map(\.description), localization)
  }

  private static func list(_ names: [String], _ localization: Localization) -> String {
    let text = localization.list(Array(names.prefix(shown)))
    return names.count > shown ? localization.text("Doctor/more", text, names.count - shown) : text
  }
}

extension NamedContact: CustomStringConvertible {
  /// The id, and the name if it is known.
  public var description: String { name.isEmpty ? String(id) : "\(id) \(name)" }
}

extension RepairReport.Action {
  /// Returns a message that says what was done.
  /// - Parameters:
  ///   - localization: the language of the message.
  ///   - shown: the maximum number of contacts to name; nil names all after a loss, otherwise up to 20.
  public func message(in localization: Localization, naming shown: Int? = nil) -> String {
    let shown = shown ?? (isLoss ? contacts.count : 20)
    let names = localization.list(contacts.prefix(shown).map(\.description))
    let list = contacts.count > shown ? localization.text("Doctor/more", names, contacts.count - shown) : names
    return localization.plural("Repaired/\(kind.rawValue)", count: count, contacts.isEmpty ? path : list)
  }
}

extension Localization {
  /// Returns the name of a stage.
  public func name(of stage: DoctorProgress.Stage) -> String { text("DoctorStage/" + stage.rawValue) }
}
