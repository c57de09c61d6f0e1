extension Finding {
  /// The maximum number of names in a message.
  private static let shown = 12

  /// What was found, in one sentence.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    if kind == .unopenable, let error { return error.message(in: localization) }
    return localization.plural("Finding/\(kind.rawValue)", count: count, Self.list(details, localization))
  }

  /// What to do, in one sentence; empty if there is nothing to do.
  public func advice(in localization: Localization) -> String {
    if kind == .unopenable { return "" }
    let key = "Advice/" + kind.rawValue + (isRepairable ? ".repair" : "")
    return localization.has(key) ? localization.text(key, Self.list(details, localization)) : ""
  }

  /// The contacts by id and name.
  public func contactList(in localization: Localization) -> String {
    Self.list(contacts.map(\.description), localization)
  }

  private static func list(_ names: [String], _ localization: Localization) -> String {
    let text = localization.list(Array(names.prefix(shown)))
    return names.count > shown ? localization.text("Doctor/more", text, names.count - shown) : text
  }
}

extension NamedContact: CustomStringConvertible {
  /// The id and the name.
  public var description: String { name.isEmpty ? String(id) : "\(id) \(name)" }
}

extension RepairReport.Action {
  /// What was done, in one sentence.
  /// - Parameters:
  ///   - localization: the language of the message.
  ///   - shown: the maximum number of contacts to name; nil names all if they lost something, otherwise up to 20.
  public func message(in localization: Localization, naming shown: Int? = nil) -> String {
    let shown = shown ?? (isLoss ? contacts.count : 20)
    let names = localization.list(contacts.prefix(shown).map(\.description))
    let list = contacts.count > shown ? localization.text("Doctor/more", names, contacts.count - shown) : names
    return localization.plural("Repaired/\(kind.rawValue)", count: count, contacts.isEmpty ? path : list)
  }
}

extension Localization {
  /// The name of a stage.
  public func name(of stage: DoctorProgress.Stage) -> String { text("DoctorStage/" + stage.rawValue) }
}
