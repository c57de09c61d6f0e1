/// An object of the graph, as one context sees it: an instance of ``entity`` whose attributes and relationships are
/// read and changed by name, or as the properties that its class declares if that is an ``Object``.
///
/// ```swift
/// let student = try context.insert("Student")
/// try student.set("name", to: "李斌")
/// ```
///
/// An object belongs to its context and is confined with it; neither is `Sendable`. Keep the context for as long as you
/// use its objects: without it, attributes that were read remain, and all else throws. To refer to an object from another context, pass its ``objectID``.
open class ManagedObject {
  /// The entity of the object.
  public let entity: Entity
  // Only debug builds check for overlapping access, because the checks took a tenth of the time of a fetch.
  /// The identity of the object. A temporary id becomes permanent when the object is first saved to a store.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  public internal(set) var objectID: ObjectID
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var state: ObjectState
  /// The context; nil once it is deallocated.
  public var context: ObjectContext? { handle.context }
  private let handle: ContextHandle
  /// How many times the context has found that the object was saved elsewhere.
  var foreignWrites = 0
  /// The index that the object had in a list before it was removed from the list elsewhere.
  var previousIndex: Int?
  /// Orders objects by their insertion in this context; 0 for an object that was read.
  var insertionOrder = 0

  /// Called by contexts. Override it only to initialize stored properties, and call `super.init`.
  public required init(entity: Entity, objectID: ObjectID, context: ObjectContext) {
    self.entity = entity
    self.objectID = objectID
    handle = context.contextHandle
    state = context.blankState(of: entity)
  }

  deinit { context?.unregister(self) }

  /// Called when the object is inserted, after its default values are set and before it is returned. Changes made here
  /// are part of the insertion. An error refuses the insertion, which then throws `refused`, or the error itself if it is
  /// an ``ObjectGraphError``.
  open func awakeFromInsert() throws {}

  /// Called by a save into a store, before validation, for every inserted or changed object and every object with an
  /// inserted, changed or deleted part. Override it to set derived values. It may read and change anything in the
  /// context. Its changes are not undo steps, and are dropped if the save is refused.
  ///
  /// When the save merges with changes saved elsewhere, the object already has the merged values. The method is called
  /// once per object and save. If it changes an object of another store, the save may have to start again; it then
  /// drops the changes that these methods made and calls them again. An error that it throws refuses the save, which
  /// then throws `refused`, or the error itself if it is an ``ObjectGraphError``. If it finds nil in a required
  /// attribute of the object, the save is refused by its validation.
  open func willSave() throws {}

  /// True once the object, or the object that it is deleted and restored with, is deleted in its context, saved or not,
  /// or found to be gone from the store.
  public var isDeleted: Bool { isUnreachable }

  /// True until the object is read.
  public var isFault: Bool { state.existence == .unknown }

  /// True for an object that the next save inserts: a new one, or one restored after its deletion was saved.
  public var isInserted: Bool { state.isLive && state.existence == .absent }

  /// How many times the object was saved; 0 if the store does not count saves. A context with a parent counts only its
  /// own saves.
  public var version: Int64 { state.version }

  /// Names of the attributes that differ from what was last read or saved.
  public var changedAttributes: [String] {
    entity.attributes.filter { attribute in
      state.values.indices.contains(attribute.index)
        && state.values[attribute.index] != state.committedValues[attribute.index]
    }.map(\.name)
  }

  /// True when the object has something to save.
  public var hasChanges: Bool { isChanged }
}
