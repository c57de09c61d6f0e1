/// What a pane of the main screen drew last. A picture begins as a copy of the last one, and a pane that would show the same
/// draws nothing: most keys change two lines of the list.
struct LastDrawn<Content: Equatable> {
  private var content: Content?

  /// Notes what is to be shown, and says whether it is what stands there.
  mutating func isSame(_ new: Content) -> Bool {
    if content == new { return true }
    content = new
    return false
  }

  /// Something else stands there.
  mutating func forget() { content = nil }
}
