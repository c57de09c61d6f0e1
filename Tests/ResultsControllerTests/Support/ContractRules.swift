import Foundation
import GRDB
import Synchronization

@testable import ResultsController

/// The cases that state a rule in words, by name.
enum ContractRules {
  static let rules: [String: @Sendable (JSONValue) throws -> Void] = [:]
}
