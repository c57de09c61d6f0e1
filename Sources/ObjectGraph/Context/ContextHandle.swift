/// What objects hold of their context, which empties it when it is deallocated. A weak reference in each object would
/// cost several times as much, on every access too.
final class ContextHandle {
  unowned(unsafe) var context: ObjectContext?
}
