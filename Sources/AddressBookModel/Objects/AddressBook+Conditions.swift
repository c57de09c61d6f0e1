import ObjectGraph

extension AddressBook {
  /// The contacts for which a condition is true, in the order of their ids. Deleted ones are left out.
  public func contactIDs(where condition: ContactCondition) throws(StoreError) -> [Int64] {
    do throws(ObjectGraphError) {
      guard case .objects(let ids) = try objects.newContext().result(of: condition.request) else { return [] }
      return ids.compactMap(\.number)
    } catch {
      throw storeError(error)
    }
  }

  /// An error of the library in terms of the book: what the store said, as it said it.
  private func storeError(_ error: ObjectGraphError) -> StoreError {
    switch error {
    case .host(let error): store.storeError(error)
    case .store(let failure): store.storeError(failure)
    default: store.storeError(error)
    }
  }
}
