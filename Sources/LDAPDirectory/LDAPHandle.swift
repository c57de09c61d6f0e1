import CLDAP
import Glibc

/// A connection of OpenLDAP's library, which only this file uses. Use it on one thread at a time; each call may wait
/// for the network.
final class LDAPHandle {
  /// A part of an answer.
  enum Message {
    /// Nothing came yet.
    case nothing
    case entry(LDAPEntry)
    /// A reference to another server, which is not followed.
    case reference
    /// The end of the answer, with its result code.
    case end(code: Int32, detail: String)
  }

  /// The library failed, or the server refused.
  struct Failure: Error {
    /// Below zero if the library failed, otherwise a result code of the server.
    let code: Int32
    let detail: String
  }

  /// A larger message is refused. The limit leaves room for several photos.
  private static let longestMessage = 64 << 20

  private let connection: OpaquePointer

  /// Prepares a connection; nothing is sent yet.
  init(server: String, timeout: Int) throws(Failure) {
    var connection: OpaquePointer?
    let code = cldap_open(server, Int32(timeout), Self.longestMessage, &connection)
    guard code == 0, let connection else { throw Failure(code: code, detail: Self.text(of: code)) }
    self.connection = connection
  }

  deinit { cldap_close(connection) }

  func startTLS() throws(Failure) { try check(cldap_start_tls(connection)) }

  /// Begins to bind; an empty name binds anonymously.
  func bind(_ user: String, _ password: [UInt8]) throws(Failure) -> Int32 {
    var request: Int32 = 0
    let code = password.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cldap_bind(connection, user, $0.baseAddress, $0.count, &request) }
    }
    try check(code)
    return request
  }

  /// Begins to search.
  /// - Parameters:
  ///   - limit: the largest number of entries; 0 for that of the server.
  ///   - seconds: how long the server may search.
  func search(
    _ base: String, _ scope: DirectoryURL.Scope, _ filter: String, _ attributes: [String], limit: Int, seconds: Int
  ) throws(Failure) -> Int32 {
    let names = attributes.map { strdup($0) }
    defer { for name in names { free(name) } }
    let list: [UnsafePointer<CChar>?] = names.map { UnsafePointer($0) } + [nil]
    var request: Int32 = 0
    let number: Int32 =
      switch scope {
      case .base: 0
      case .one: 1
      case .sub: 2
      }
    try check(cldap_search(connection, base, number, filter, list, Int32(limit), Int32(seconds), &request))
    return request
  }

  func abandon(_ request: Int32) { cldap_abandon(connection, request) }

  /// Waits at most this long for the next part of an answer.
  func next(_ request: Int32, milliseconds: Int) throws(Failure) -> Message {
    var message: OpaquePointer?
    var code: Int32 = 0
    var text: UnsafeMutablePointer<CChar>?
    let kind = cldap_next(connection, request, Int32(milliseconds), &message, &code, &text)
    let detail = Self.copyAndFree(text)
    switch kind {
    case CLDAP_NOTHING: return .nothing
    case CLDAP_OTHER: return .reference
    case CLDAP_END: return .end(code: code, detail: detail.isEmpty ? Self.text(of: code) : detail)
    case CLDAP_ENTRY:
      guard let message else { return .nothing }
      defer { cldap_message_free(message) }
      return .entry(entry(message))
    default: throw Failure(code: code, detail: detail.isEmpty ? Self.text(of: code) : detail)
    }
  }

  // MARK: Entries

  private func entry(_ message: OpaquePointer) -> LDAPEntry {
    var entry = LDAPEntry(name: Self.copyAndFree(cldap_name(connection, message)))
    var attributes: OpaquePointer?
    var name = cldap_first_attribute(connection, message, &attributes)
    defer { if let attributes { cldap_attributes_free(attributes) } }
    while let description = name {
      if let values = cldap_values(connection, message, description) {
        entry.add(String(cString: description), Self.values(values))
        cldap_values_free(values)
      }
      cldap_free(description)
      guard let attributes, !entry.isFull else { break }
      name = cldap_next_attribute(connection, message, attributes)
    }
    return entry
  }

  private static func values(_ list: UnsafeMutablePointer<UnsafeMutablePointer<cldap_value>?>) -> [[UInt8]] {
    var values: [[UInt8]] = []
    while values.count < LDAPEntry.limit.values, let value = list[values.count] {
      values.append(Array(UnsafeBufferPointer(start: value.pointee.bytes, count: value.pointee.count)))
    }
    return values
  }

  // MARK: Errors

  private func check(_ code: Int32) throws(Failure) {
    guard code != 0 else { return }
    let detail = Self.copyAndFree(cldap_diagnostic(connection))
    throw Failure(code: code, detail: detail.isEmpty ? Self.text(of: code) : detail)
  }

  private static func text(of code: Int32) -> String { cldap_text(code).map { String(cString: $0) } ?? "" }

  private static func copyAndFree(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text else { return "" }
    defer { cldap_free(text) }
    return String(cString: text)
  }
}

extension LDAPHandle.Failure {
  /// Whether the connection cannot be used any more.
  var isLoss: Bool { code < 0 && code != CLDAP_FILTER_ERROR }

  /// Whether the connection is closed, for example after it was idle for some time.
  var isGone: Bool { code == CLDAP_SERVER_DOWN }

  /// Whether the library says more than that it cannot reach the server.
  var hasReason: Bool { isGone && detail != String(cString: cldap_text(Int32(CLDAP_SERVER_DOWN))) }

  var error: DirectoryError { DirectoryError(code: code, detail: detail) }
}

extension DirectoryError {
  /// Creates the error of a result code.
  init(code: Int32, detail: String) {
    let reason: Reason =
      switch Int(code) {
      case CLDAP_NO_LIBRARY: .noLibrary
      case CLDAP_SERVER_DOWN: .unreachable
      case CLDAP_TIMEOUT, CLDAP_TIME_LIMIT_EXCEEDED: .timedOut
      case CLDAP_CONNECT_ERROR: .untrusted
      case CLDAP_CONFIDENTIALITY_REQUIRED: .notProtected
      case CLDAP_INVALID_CREDENTIALS, CLDAP_INAPPROPRIATE_AUTH: .wrongPassword
      case CLDAP_INSUFFICIENT_ACCESS, CLDAP_STRONGER_AUTH_REQUIRED: .notPermitted
      case CLDAP_NO_SUCH_OBJECT: .missingBase
      case CLDAP_REFERRAL: .referral
      case CLDAP_FILTER_ERROR: .badFilter
      default: .refused
      }
    self.init(reason, detail: detail)
  }

  /// Returns whether a result code means that a limit of the server or the caller ended a search early.
  static func isCut(_ code: Int32) -> Bool {
    [CLDAP_SIZE_LIMIT_EXCEEDED, CLDAP_ADMIN_LIMIT_EXCEEDED, CLDAP_TIME_LIMIT_EXCEEDED].contains(Int(code))
  }
}
