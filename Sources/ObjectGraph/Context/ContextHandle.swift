/// The reference that objects have to their context, which sets it to nil when it is deallocated. A weak reference in
/// each object would cost several times as much, also with each access.
final class ContextHandle {
  unowned(unsafe) var context: ObjectContext?
}
