/// An object of the graph, as one context sees it: an instance of ``entity`` whose attributes and relationships are read and
/// changed by name, or by the tokens of a subclass.
///
/// ```swift
/// final class Student: ManagedObject {
///   static let name = AttributeKey<Student, String?>("name")
///   static let courses = ToManyKey<Student, Course>("courses")
/// }
/// let student = try context.insert(Student.self)
/// try student.set(Student.name, to: "李斌")
/// ```
///
/// An object belongs to its context and is confined with it; neither is `Sendable`. Keep the context for as long as its
/// objects. What crosses to another context is the ``objectID``.
open class ManagedObject {
  /// What the object is made of.
  public let entity: Entity
  /// Which object it is. A temporary id becomes a permanent one at the first save.
  public internal(set) var objectID: ObjectID
  /// The context; nil when it is gone.
  public internal(set) weak var context: ObjectContext?
  var state: ObjectState
  /// How often the context found that somebody else had saved the object.
  var foreignWrites = 0
  /// Where the object was in an ordered list when somebody else took it out.
  var formerIndex: Int?
  /// Orders objects that are saved for the first time together.
  var insertionOrder = 0

  /// Contexts make objects. Override it only to prepare stored properties, and call `super`.
  public required init(entity: Entity, objectID: ObjectID, context: ObjectContext) {
    self.entity = entity
    self.objectID = objectID
    self.context = context
    state = context.blankState(of: entity)
  }

  deinit { context?.unregister(self) }

  /// Called once for a new object, after its defaults are set and before it is returned. What it sets is part of the insertion.
  open func awakeFromInsert() {}

  /// Called by a save into a store for an object that is inserted or changed, or a part of which is, before the whole is
  /// validated: the place to set what follows from the rest. It may read and change anything of the context; what it changes
  /// is no step of undo, and goes with a save that is refused.
  ///
  /// It sees what others saved where the save is merged with that. It is called once in a save. An error refuses the save, and
  /// comes out of it as `refused`.
  open func willSave() throws {}

  /// True once the object is deleted in its context, saved or not, or found to be gone from the store.
  public var isDeleted: Bool { isUnreachable }

  /// True when the object was not read yet.
  public var isFault: Bool { state.existence == .unknown }

  /// True for a new object that was never saved.
  public var isInserted: Bool { state.isLive && state.existence == .absent }

  /// How often the object was saved, where the store counts that; 0 before the first save.
  public var version: Int64 { state.version }

  /// Names of the attributes that are not as they were read or saved last.
  public var changedAttributes: [String] {
    entity.attributes.filter { attribute in
      state.values.indices.contains(attribute.index)
        && state.values[attribute.index] != state.committedValues[attribute.index]
    }.map(\.name)
  }

  /// True when the object has something to save.
  public var hasChanges: Bool { isChanged }
}
