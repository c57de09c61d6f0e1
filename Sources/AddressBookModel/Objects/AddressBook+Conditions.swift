import ObjectGraph

extension AddressBook {
  /// The contacts that match a condition, in the order of their ids. Deleted ones are left out.
  public func contactIDs(where condition: ContactCondition) throws(StoreError) -> [Int64] {
    try objects.read { context throws(ObjectGraphError) in
      guard case .objects(let ids) = try context.result(of: condition.request) else { return [] }
      return ids.compactMap(\.number)
    }
  }
}
