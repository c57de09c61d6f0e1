/// An object of the graph.
open class ManagedObject {
}
