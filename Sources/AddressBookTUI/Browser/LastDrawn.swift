/// The content that a pane of the main screen drew last. A frame starts as a copy of the last one, and a pane with the
/// same content draws nothing: most keys change two lines of the list.
struct LastDrawn<Content: Equatable> {
  private var content: Content?

  /// Records the new content, and returns whether it is the same as before.
  mutating func isSame(_ new: Content) -> Bool {
    if content == new { return true }
    content = new
    return false
  }

  /// Discards the content, after something else was drawn there.
  mutating func invalidate() { content = nil }
}
