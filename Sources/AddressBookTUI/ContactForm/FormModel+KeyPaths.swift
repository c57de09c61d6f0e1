import Contacts

/// The key paths of the form's rows in validation issues.
extension FormModel {
  /// The index of each value among the values of its kind that are stored, by serial number.
  var valueIndexes: [Int: Int] {
    let stored = storedSerials
    var counters: [MultiField: Int] = [:]
    var indexes: [Int: Int] = [:]
    for row in rows {
      guard let serial = row.serial, let field = row.multiField, indexes[serial] == nil, stored.contains(serial) else {
        continue
      }
      indexes[serial] = counters[field, default: 0]
      counters[field, default: 0] += 1
    }
    return indexes
  }

  /// The key paths whose messages a row can show; of several messages, it shows that of the first key path.
  /// - Parameter indexes: ``valueIndexes``.
  func keyPaths(of row: FormRow, _ indexes: [Int: Int]) -> [String] {
    switch row.identity {
    case .kind: return ["kind"]
    case .single(let field): return field.isText("family") ? [field.name, "name", ""] : [field.name]
    case .value(let field, let serial):
      guard let index = indexes[serial] else { return [] }
      let base = "\(field.collectionName)[\(index)]"
      return [base + ".value", base, base + ".label"]
    case .address(let part, let serial):
      guard let index = indexes[serial] else { return [] }
      let base = "addresses[\(index)]"
      return part == .street ? [base + "." + part.rawValue, base, base + ".label"] : [base + "." + part.rawValue]
    case .adder, .photo, .moreNames: return []
    }
  }
}
