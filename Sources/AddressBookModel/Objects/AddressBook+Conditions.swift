import ObjectGraph

extension AddressBook {
  /// The contacts for which a condition is true, in the order of their ids. Deleted ones are left out.
  public func contactIDs(where condition: ContactCondition) throws(StoreError) -> [Int64] {
    do throws(ObjectGraphError) {
      guard case .objects(let ids) = try objects.newContext().result(of: condition.request) else { return [] }
      return ids.compactMap(\.number)
    } catch {
      throw objects.storeError(error)
    }
  }
}
