import Foundation

/// A note, as the program knows it: no row and no object.
struct Note {
  /// What a DAO gave it; nil before that.
  var id: String?
  var date: Date
  var content: String
}
