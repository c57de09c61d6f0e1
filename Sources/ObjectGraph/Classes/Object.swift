/// An object whose class declares its properties: the model is the list of classes.
///
/// ```swift
/// final class Student: Object {
///   @Attribute(.length(1...)) var name = ""
///   @Attribute(.range(15...99)) var age: Int?
///   @ToOne(inverse: \Course.students) var course: Course?
/// }
/// final class Course: Object {
///   @Attribute var name = ""
///   @ToMany var students: [Student]
/// }
/// let stack = try ObjectStack("college.db", Student.self, Course.self)
/// let context = stack.newContext()
/// try context.insert(Student.self) { $0.name = "李斌" }
/// try context.save()
/// let adults = try context.fetch(Student.where { $0.age >= 18 && $0.course.name == "CAD" }.sorted(by: \.name))
/// ```
///
/// A property is used like any other. If it cannot be read or set, it has its declared value, or nil or no objects, and
/// the error is ``ObjectContext/failure``, which the next save or fetch of the context throws.
open class Object: ManagedObject, DeclaredObject {
  /// Objects are made by their context.
  @available(*, unavailable, message: "an object is made by its context, as in: context.insert(Student.self) { … }")
  public convenience init() { preconditionFailure("an object needs its context") }
}

/// The protocol of ``Object``, for methods that know the class: `Student.where { … }`.
public protocol DeclaredObject: ManagedObject {}

extension Object {
  /// Whether the object only describes its class.
  var isPrototype: Bool { entity.schema === Prototype.schema }

  /// Runs the body, or keeps its error for the next save or fetch.
  /// - Returns: nil after an error.
  @discardableResult
  func noting<Result>(_ body: () throws(ObjectGraphError) -> Result) -> Result? {
    do throws(ObjectGraphError) {
      return try body()
    } catch {
      guard let context else { preconditionFailure("\(entity.name) is used without its context: \(error)") }
      context.note(error)
      return nil
    }
  }
}

extension ManagedObject {
  /// An object of a relationship, whose class is known.
  fileprivate func cast<Destination: ManagedObject>(
    _ other: ManagedObject, of name: String
  ) throws(ObjectGraphError) -> Destination {
    guard let typed = other as? Destination else { throw .typeMismatch(entity: entity.name, property: name) }
    return typed
  }
}

extension ObjectContext {
  /// Keeps the first error of a property, or of an object of a list, as ``failure``.
  package func note(_ error: ObjectGraphError) {
    if failure == nil { failure = error }
  }

  /// Throws ``failure``, once.
  func throwFailure() throws(ObjectGraphError) {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }
}

/// The type of a declared relationship, seen from the other side: one object or none, or several.
public protocol RelationshipSide {}
extension Optional: RelationshipSide where Wrapped: Object {}
extension Array: RelationshipSide where Element: Object {}

/// An attribute of an ``Object``. A new object has the value that is given; an optional without one has nil. A save
/// refuses nil only in an attribute that is `required`.
@propertyWrapper
public struct Attribute<Stored: AttributeValue>: DeclaredProperty {
  let declaration: Declaration?

  // Each object initializes its wrappers: an option is a closure that only a prototype calls, because an array of
  // them would be allocated for every property of every object that is read. "First page of 50" needs it.

  /// Declares an attribute with the value that a new object has, and up to five options. The value is a constant: it is
  /// computed once for the class. What differs from object to object, such as the current time, is set in
  /// ``ManagedObject/awakeFromInsert()``.
  public init(
    wrappedValue: @autoclosure () -> Stored, _ option: @autoclosure () -> AttributeOption? = nil,
    _ second: @autoclosure () -> AttributeOption? = nil, _ third: @autoclosure () -> AttributeOption? = nil,
    _ fourth: @autoclosure () -> AttributeOption? = nil, _ fifth: @autoclosure () -> AttributeOption? = nil
  ) {
    declaration = Declaration.current {
      .attribute(Stored.self, wrappedValue().attributeValue, [option(), second(), third(), fourth(), fifth()])
    }
  }

  /// Declares an attribute that is nil in a new object, with up to five options.
  public init(
    _ option: @autoclosure () -> AttributeOption? = nil, _ second: @autoclosure () -> AttributeOption? = nil,
    _ third: @autoclosure () -> AttributeOption? = nil, _ fourth: @autoclosure () -> AttributeOption? = nil,
    _ fifth: @autoclosure () -> AttributeOption? = nil
  ) where Stored: ExpressibleByNilLiteral {
    declaration = Declaration.current {
      .attribute(Stored.self, .null, [option(), second(), third(), fourth(), fifth()])
    }
  }

  /// An attribute that is not optional needs a value.
  @available(*, unavailable, message: "an attribute that is not optional needs a value, as in: var name = \"\"")
  public init(_ options: AttributeOption...) { preconditionFailure("an attribute needs a value") }

  /// An attribute that is not optional needs a value.
  @available(*, unavailable, message: "an attribute that is not optional needs a value, as in: var name = \"\"")
  public init() { preconditionFailure("an attribute needs a value") }

  /// Only objects have attributes.
  @available(*, unavailable, message: "only a class that inherits from Object can declare an attribute")
  public var wrappedValue: Stored {
    get { preconditionFailure("an attribute needs its object") }
    set { preconditionFailure("an attribute needs its object") }
  }

  /// The value of the attribute in the object.
  public static subscript<Root: Object>(
    _enclosingInstance object: Root, wrapped _: ReferenceWritableKeyPath<Root, Stored>,
    storage storage: ReferenceWritableKeyPath<Root, Attribute>
  ) -> Stored {
    get {
      let prototype = Prototype.of(Root.self)
      let name = prototype.name(of: storage)
      let found =
        object.isPrototype
        ? KeyPathRecorder.recordAttribute(name, Stored.self)
        : object.noting { () throws(ObjectGraphError) in
          guard let value = Stored(attributeValue: try object.value(name)) else {
            throw .typeMismatch(entity: object.entity.name, property: name)
          }
          return value
        }
      if let found { return found }
      guard let value = Stored(attributeValue: prototype.declaredValue(name)) else {
        preconditionFailure("\(Root.self).\(name) has no value of its own type")
      }
      return value
    }
    set {
      let name = Prototype.of(Root.self).name(of: storage)
      object.noting { () throws(ObjectGraphError) in try object.set(name, to: newValue.attributeValue) }
    }
  }
}

/// A relationship of an ``Object`` to at most one object. One side of a relationship names the other; neither has to if
/// they are the only ones between the two classes.
@propertyWrapper
public struct ToOne<Destination: Object>: DeclaredProperty {
  let declaration: Declaration?

  /// Declares a to-one.
  /// - Parameters:
  ///   - wrappedValue: nil, which may be left out: a new object points to none.
  ///   - inverse: the other side.
  ///   - rule: what happens to the other object when this one is deleted.
  ///   - isRequired: whether a save refuses nil.
  public init<Side: RelationshipSide>(
    wrappedValue: @autoclosure () -> Destination? = nil, inverse: @autoclosure () -> KeyPath<Destination, Side>,
    onDelete rule: DeleteRule = .nullify,
    required isRequired: Bool = false
  ) {
    declaration = Declaration.current {
      .toOne(Destination.self, Inverse(inverse()), rule, isRequired: isRequired)
    }
  }

  /// Declares a to-one whose other side names it.
  /// - Parameters:
  ///   - wrappedValue: nil, which may be left out: a new object points to none.
  ///   - isSymmetric: whether the relationship is its own other side, as that to a spouse.
  ///   - rule: what happens to the other object when this one is deleted.
  ///   - isRequired: whether a save refuses nil.
  public init(
    wrappedValue: @autoclosure () -> Destination? = nil, symmetric isSymmetric: Bool = false,
    onDelete rule: DeleteRule = .nullify, required isRequired: Bool = false
  ) {
    declaration = Declaration.current {
      .toOne(Destination.self, isSymmetric ? .itself : nil, rule, isRequired: isRequired)
    }
  }

  /// Only objects have relationships.
  @available(*, unavailable, message: "only a class that inherits from Object can declare a relationship")
  public var wrappedValue: Destination? {
    get { preconditionFailure("a relationship needs its object") }
    set { preconditionFailure("a relationship needs its object") }
  }

  /// The object that the relationship points to.
  public static subscript<Root: Object>(
    _enclosingInstance object: Root, wrapped _: ReferenceWritableKeyPath<Root, Destination?>,
    storage storage: ReferenceWritableKeyPath<Root, ToOne>
  ) -> Destination? {
    get {
      let name = Prototype.of(Root.self).name(of: storage)
      guard !object.isPrototype else {
        KeyPathRecorder.record(name, isToOne: true)
        return Prototype.of(Destination.self).object as? Destination
      }
      let found = object.noting { () throws(ObjectGraphError) -> Destination? in
        guard let other = try object.object(name) else { return nil }
        return try object.cast(other, of: name) as Destination
      }
      return found ?? nil
    }
    set {
      let name = Prototype.of(Root.self).name(of: storage)
      object.noting { () throws(ObjectGraphError) in try object.set(name, to: newValue as ManagedObject?) }
    }
  }
}

/// A relationship of an ``Object`` to any number of objects.
@propertyWrapper
public struct ToMany<Destination: Object>: DeclaredProperty {
  let declaration: Declaration?

  /// Declares a to-many.
  /// - Parameters:
  ///   - wrappedValue: [], which may be left out: a new object points to none.
  ///   - inverse: the other side.
  ///   - rule: what happens to the other objects when this one is deleted.
  ///   - isOrdered: whether the objects have an order.
  ///   - count: how many objects a save accepts.
  public init<Side: RelationshipSide>(
    wrappedValue: @autoclosure () -> [Destination] = [], inverse: @autoclosure () -> KeyPath<Destination, Side>,
    onDelete rule: DeleteRule = .nullify,
    ordered isOrdered: Bool = false, count: ClosedRange<Int>? = nil
  ) {
    declaration = Declaration.current {
      .toMany(Destination.self, Inverse(inverse()), rule, isOrdered: isOrdered, count)
    }
  }

  /// Declares a to-many whose other side names it.
  /// - Parameters:
  ///   - wrappedValue: [], which may be left out: a new object points to none.
  ///   - isSymmetric: whether the relationship is its own other side, as that to friends.
  ///   - rule: what happens to the other objects when this one is deleted.
  ///   - isOrdered: whether the objects have an order.
  ///   - count: how many objects a save accepts.
  public init(
    wrappedValue: @autoclosure () -> [Destination] = [], symmetric isSymmetric: Bool = false,
    onDelete rule: DeleteRule = .nullify, ordered isOrdered: Bool = false,
    count: ClosedRange<Int>? = nil
  ) {
    declaration = Declaration.current {
      .toMany(Destination.self, isSymmetric ? .itself : nil, rule, isOrdered: isOrdered, count)
    }
  }

  /// Only objects have relationships.
  @available(*, unavailable, message: "only a class that inherits from Object can declare a relationship")
  public var wrappedValue: [Destination] {
    get { preconditionFailure("a relationship needs its object") }
    set { preconditionFailure("a relationship needs its object") }
  }

  /// The objects that the relationship points to.
  public static subscript<Root: Object>(
    _enclosingInstance object: Root, wrapped _: ReferenceWritableKeyPath<Root, [Destination]>,
    storage storage: ReferenceWritableKeyPath<Root, ToMany>
  ) -> [Destination] {
    get {
      let name = Prototype.of(Root.self).name(of: storage)
      guard !object.isPrototype else {
        KeyPathRecorder.record(name)
        return []
      }
      return object.noting { () throws(ObjectGraphError) in
        try object.objects(name).map { (other) throws(ObjectGraphError) in try object.cast(other, of: name) }
      } ?? []
    }
    set {
      let name = Prototype.of(Root.self).name(of: storage)
      object.noting { () throws(ObjectGraphError) in try object.set(name, to: newValue as [ManagedObject]) }
    }
  }
}
