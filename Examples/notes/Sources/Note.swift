import Foundation

/// A note as the program uses it: independent of rows and objects.
struct Note {
  /// The id assigned by a DAO; nil before that.
  var id: String?
  var date: Date
  var content: String
}
