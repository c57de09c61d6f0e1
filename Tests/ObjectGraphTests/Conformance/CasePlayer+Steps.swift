import Foundation

@testable import ObjectGraph

extension CasePlayer {
  struct Outcome {
    var error: ObjectGraphError?
    var done: Bool?
    var object: ManagedObject??
    var result: FetchResult?
  }

  func play(_ step: JSONValue) {
    let expect = step["expect"]
    let kind = step["do"]?.text ?? ""
    _ = world.selects.take()
    var outcome = Outcome()
    do {
      try perform(kind, step, &outcome)
    } catch let error as ObjectGraphError {
      outcome.error = error
    } catch let error as CaseFailure {
      failures.append(error.description)
      return
    } catch {
      outcome.error = ObjectGraphError(error)
    }
    learnIDs()
    let name = kind == "context" || kind == "child" ? step["name"]?.text : step["in"]?.text
    do {
      try check(expect ?? .null, outcome, in: name ?? "main")
    } catch {
      failures.append("reading: \(error)")
    }
  }

  private func perform(_ kind: String, _ step: JSONValue, _ outcome: inout Outcome) throws {
    let name = step["in"]?.text ?? "main"
    switch kind {
    case "insert", "set", "add", "remove", "delete": try context(name).undoGroup { try edit(kind, step, name) }
    case "group":
      try context(name).undoGroup {
        for part in step["steps"]?.items ?? [] { try edit(part["do"]?.text ?? "", part, name) }
      }
    case "undo": outcome.done = try context(name).undo()
    case "redo": outcome.done = try context(name).redo()
    case "rollback": try context(name).rollback()
    case "save": try context(name).save()
    case "check": break
    case "context":
      try newContext(step["name"]?.text ?? "", policy: policy(step), load: step["load"]?.flag ?? true)
    case "child":
      let child = step["name"]?.text ?? ""
      contexts[child] = try context(step["of"]?.text ?? "main").newChild()
      held[child] = [:]
      if step["load"]?.flag ?? true { try load(child) }
    case "discard":
      contexts[name] = nil
      held[name] = nil
    case "policy": try context(name).mergePolicy = policy(step)
    case "refresh": try refresh(step, name)
    case "uri": uris[step["as"]?.text ?? ""] = try object(step["object"]?.text ?? "", name).objectID.uri
    case "resolve":
      let uri = step["uri"]?.text.flatMap { uris[$0] } ?? step["text"]?.text ?? ""
      outcome.object = .some(try context(name).object(uri: uri))
    case "reopen", "migrate": try reopen(kind, step)
    case "model": _ = try CaseModel.model(Self.resolve(step["model"] ?? .null, header["models"]))
    case "fetch": outcome.result = try fetch(step, name)
    default: throw CaseFailure("unknown step \(kind)")
    }
  }

  private func policy(_ step: JSONValue) -> MergePolicy {
    step["policy"]?.text.flatMap(MergePolicy.init) ?? .error
  }

  private func edit(_ kind: String, _ step: JSONValue, _ name: String) throws {
    let context = try context(name)
    switch kind {
    case "insert":
      let object = try context.insert(step["entity"]?.text ?? "")
      if let label = step["label"]?.text { labels[label] = object.objectID }
      hold(object, name)
      try set(object, step["values"]?.fields ?? [:], name)
    case "set": try set(object(step["object"]?.text ?? "", name), step["values"]?.fields ?? [:], name)
    case "add":
      let owner = try object(step["object"]?.text ?? "", name)
      let members = try step["objects"]?.texts.map { try object($0, name) } ?? []
      try owner.add(members, to: step["to"]?.text ?? "", at: step["at"]?.number)
    case "remove":
      let owner = try object(step["object"]?.text ?? "", name)
      let members = try step["objects"]?.texts.map { try object($0, name) } ?? []
      try owner.remove(members, from: step["from"]?.text ?? "")
    case "delete": try context.delete(object(step["object"]?.text ?? "", name))
    default: throw CaseFailure("unknown edit \(kind)")
    }
  }

  private func refresh(_ step: JSONValue, _ name: String) throws {
    guard let label = step["object"]?.text else { return try context(name).refresh() }
    try context(name).refresh(object(label, name), keepsChanges: step["keepChanges"]?.flag ?? true)
  }

  private func reopen(_ kind: String, _ step: JSONValue) throws {
    contexts = [:]
    held = [:]
    let json = step["model"].map { Self.resolve($0, header["models"]) } ?? modelJSON
    do {
      let new = step["model"] == nil ? model : try CaseModel.model(json)
      if kind == "migrate" { try world.migrate(to: new) }
      try world.open(new)
      model = new
      modelJSON = json
    } catch {
      // The case goes on with the store as it is, opened with the previous model.
      try? world.open(model)
      if world.stack != nil { try newContext("main", policy: .error, load: step["load"]?.flag ?? true) }
      throw error
    }
    labels = labels.mapValues(renamed)
    try newContext("main", policy: .error, load: step["load"]?.flag ?? true)
  }

  /// Returns the id after a migration, which may have renamed the entity.
  private func renamed(_ id: ObjectID) -> ObjectID {
    guard model.entity(named: id.entity) == nil else { return id }
    guard let entity = model.entities.first(where: { $0.description.renamingID == id.entity }) else { return id }
    return ObjectID(store: id.store, entity: entity.name, key: id.key)
  }
}
