@testable import ObjectGraph

/// A property of a class of ``CaseClasses``, for a player that knows only names. Its value is one of `Value`, an object,
/// or objects.
struct CaseProperty {
  /// Sets the property; false if the compiler would refuse the value.
  let set: (ManagedObject, Any?) -> Bool
  let get: (ManagedObject) -> Any?

  /// The property of an object's class with a name; nil if no class declares it.
  static func of(_ object: ManagedObject, _ name: String) -> CaseProperty? {
    all[ObjectIdentifier(type(of: object))]?[name]
  }

  private static func attribute<Root: Object, Stored: AttributeValue>(
    _ path: ReferenceWritableKeyPath<Root, Stored>
  ) -> CaseProperty {
    CaseProperty(
      set: { object, value in
        guard let object = object as? Root, let value = value as? Value, let typed = Stored(attributeValue: value)
        else {
          return false
        }
        object[keyPath: path] = typed
        return true
      }, get: { ($0 as? Root)?[keyPath: path].attributeValue })
  }

  private static func toOne<Root: Object, Destination: Object>(
    _ path: ReferenceWritableKeyPath<Root, Destination?>
  ) -> CaseProperty {
    CaseProperty(
      set: { object, value in
        guard let object = object as? Root, value == nil || value is Destination else { return false }
        object[keyPath: path] = value as? Destination
        return true
      }, get: { ($0 as? Root)?[keyPath: path] })
  }

  private static func toMany<Root: Object, Destination: Object>(
    _ path: ReferenceWritableKeyPath<Root, [Destination]>
  ) -> CaseProperty {
    CaseProperty(
      set: { object, value in
        guard let object = object as? Root, let members = value as? [Destination] else { return false }
        object[keyPath: path] = members
        return true
      }, get: { ($0 as? Root)?[keyPath: path] })
  }

  nonisolated(unsafe) private static let all: [ObjectIdentifier: [String: CaseProperty]] = {
    typealias Classes = CaseClasses
    func key(_ type: Object.Type) -> ObjectIdentifier { ObjectIdentifier(type) }
    return [
      key(Classes.College.MyClass.self): [
        "name": attribute(\Classes.College.MyClass.name), "students": toMany(\Classes.College.MyClass.students),
        "teacher": toOne(\Classes.College.MyClass.teacher),
      ],
      key(Classes.College.Course.self): [
        "name": attribute(\Classes.College.Course.name), "students": toMany(\Classes.College.Course.students),
        "teacher": toOne(\Classes.College.Course.teacher),
      ],
      key(Classes.College.Student.self): [
        "name": attribute(\Classes.College.Student.name), "age": attribute(\Classes.College.Student.age),
        "courses": toMany(\Classes.College.Student.courses), "myclass": toOne(\Classes.College.Student.myclass),
      ],
      key(Classes.College.Teacher.self): [
        "name": attribute(\Classes.College.Teacher.name), "courses": toMany(\Classes.College.Teacher.courses),
        "myclass": toOne(\Classes.College.Teacher.myclass),
      ],
      key(Classes.Shop.Category.self): [
        "name": attribute(\Classes.Shop.Category.name), "rank": attribute(\Classes.Shop.Category.rank),
        "parent": toOne(\Classes.Shop.Category.parent), "children": toMany(\Classes.Shop.Category.children),
        "items": toMany(\Classes.Shop.Category.items),
      ],
      key(Classes.Shop.Item.self): [
        "title": attribute(\Classes.Shop.Item.title), "note": attribute(\Classes.Shop.Item.note),
        "count": attribute(\Classes.Shop.Item.count), "price": attribute(\Classes.Shop.Item.price),
        "active": attribute(\Classes.Shop.Item.active), "made": attribute(\Classes.Shop.Item.made),
        "blob": attribute(\Classes.Shop.Item.blob), "code": attribute(\Classes.Shop.Item.code),
        "category": toOne(\Classes.Shop.Item.category), "tags": toMany(\Classes.Shop.Item.tags),
      ],
      key(Classes.Family.Person.self): [
        "name": attribute(\Classes.Family.Person.name), "age": attribute(\Classes.Family.Person.age),
        "manager": toOne(\Classes.Family.Person.manager), "reports": toMany(\Classes.Family.Person.reports),
        "spouse": toOne(\Classes.Family.Person.spouse), "friends": toMany(\Classes.Family.Person.friends),
      ],
      key(Classes.Tree.Node.self): [
        "name": attribute(\Classes.Tree.Node.name), "parent": toOne(\Classes.Tree.Node.parent),
        "children": toMany(\Classes.Tree.Node.children),
      ],
      key(Classes.Ring.Link.self): [
        "name": attribute(\Classes.Ring.Link.name), "next": toOne(\Classes.Ring.Link.next),
        "previous": toOne(\Classes.Ring.Link.previous),
      ],
      key(Classes.Music.Album.self): [
        "title": attribute(\Classes.Music.Album.title), "tracks": toMany(\Classes.Music.Album.tracks),
      ],
      key(Classes.Music.Song.self): [
        "title": attribute(\Classes.Music.Song.title), "album": toOne(\Classes.Music.Song.album),
        "playlists": toMany(\Classes.Music.Song.playlists),
      ],
      key(Classes.Press.Publication.self): [
        "title": attribute(\Classes.Press.Publication.title), "pages": attribute(\Classes.Press.Publication.pages),
        "publicationDate": attribute(\Classes.Press.Publication.publicationDate),
        "mainAuthor": toOne(\Classes.Press.Publication.mainAuthor),
      ],
    ]
  }()
}
