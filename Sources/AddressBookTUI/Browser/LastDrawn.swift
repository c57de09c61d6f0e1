/// The content that a pane of the main screen drew last. A frame starts as a copy of the last one, and a pane with the
/// same content draws nothing, because most keys change only two lines of the list.
struct LastDrawn<Content: Equatable> {
  private var content: Content?

  /// Records the new content, and returns whether it is the same as before.
  mutating func isSame(_ new: Content) -> Bool {
    if content == new { return true }
    content = new
    return false
  }

  /// Discards the content. Call this after something else was drawn over the pane.
  mutating func invalidate() { content = nil }
}
