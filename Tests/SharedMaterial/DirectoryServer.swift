import Foundation

/// OpenLDAP's server on 127.0.0.1, as a process of the test, with its files in a temporary folder; it ends with this
/// object.
public final class DirectoryServer {
  /// The configuration of a server.
  public struct Settings: Sendable {
    /// The maximum number of entries that a search returns.
    public var sizeLimit = 500
    /// True to refuse searches without a password.
    public var refusesStrangers = false
    /// The files of a certificate and its key, in PEM; nil for no TLS.
    public var certificate: (file: String, key: String)?
    /// Further lines of `slapd.conf`, before the database.
    public var lines: [String] = []

    /// The default settings: anybody may read up to 500 entries.
    public init() {}
  }

  /// The program of Debian's package `slapd`.
  private static let program = "/usr/sbin/slapd"
  /// True if `slapd` is installed; otherwise the tests with a server are skipped.
  public static let isInstalled: Bool = {
    let isThere = FileManager.default.isExecutableFile(atPath: program)
    if !isThere { print("slapd is not installed: skipping the tests with a real directory") }
    return isThere
  }()
  /// The base of all entries.
  public static let base = "dc=example,dc=com"
  /// A user who may read everything, and the password.
  public static let user = (name: "cn=admin,dc=example,dc=com", password: "s3cret w0rd")

  /// The port that the server listens on; the next port has TLS, if there is a certificate.
  public let port: Int
  /// The URL of the server with the base.
  public var url: String { "ldap://127.0.0.1:\(port)/\(Self.base)" }
  /// The folder with the server's files.
  public let folder: URL
  private let binary: URL
  private var process = Process()
  private let hasTLS: Bool

  /// Starts a server.
  /// - Parameter entries: the LDIF of the entries below the base.
  public init(_ settings: Settings = Settings(), entries: String) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("addressbook-slapd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("db"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
    )
    // Some systems confine the installed file to the folders of the service.
    binary = folder.appendingPathComponent("slapd")
    try FileManager.default.copyItem(at: URL(fileURLWithPath: Self.program), to: binary)
    port = try Self.freePort()
    hasTLS = settings.certificate != nil
    try Self.configuration(settings, folder).write(to: configurationFile, atomically: true, encoding: .utf8)
    let root = "dn: \(Self.base)\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n\n"
    let data = folder.appendingPathComponent("data.ldif")
    try (root + entries).write(to: data, atomically: true, encoding: .utf8)
    let added = try CommandResult.run(
      binary.path, ["-T", "add", "-q", "-f", configurationFile.path, "-l", data.path], environment: [:])
    guard added.status == 0 else { throw Failed(reason: added.errors) }
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Loads entries into a new, empty directory without a base, whose schema is that of `inetOrgPerson` and another one.
  /// - Parameter schema: the file of the other schema.
  /// - Returns: what the directory says; empty if it takes all entries.
  public static func complaints(about entries: String, schema: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "addressbook-slapadd-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("db"), withIntermediateDirectories: true)
    // Some systems confine the installed file to the folders of the service.
    let binary = folder.appendingPathComponent("slapd")
    try FileManager.default.copyItem(at: URL(fileURLWithPath: program), to: binary)
    let schemas = ["core", "cosine", "inetorgperson"].map { "/etc/ldap/schema/\($0).schema" } + [schema]
    let lines =
      schemas.map { "include \($0)" } + [
        "modulepath /usr/lib/ldap", "moduleload back_mdb", "database mdb", "maxsize 67108864", "suffix \"\"",
        "directory \(folder.path)/db",
      ]
    let files = [("slapd.conf", lines.joined(separator: "\n") + "\n"), ("data.ldif", entries)]
    for (name, text) in files {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    let result = try CommandResult.run(
      binary.path, ["-T", "add", "-q", "-f", "\(folder.path)/slapd.conf", "-l", "\(folder.path)/data.ldif"],
      environment: [:])
    return result.status == 0 ? "" : "\(result.status): \(result.errors)"
  }

  /// Kills the server.
  public func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts the server; after ``stop()``, on the same port with the same entries.
  public func start() throws {
    process = Process()
    process.executableURL = binary
    let addresses = "ldap://127.0.0.1:\(port)/" + (hasTLS ? " ldaps://127.0.0.1:\(port + 1)/" : "")
    process.arguments = ["-d", "0", "-f", configurationFile.path, "-h", addresses]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = Date().addingTimeInterval(20)
    while !Self.answers(port) {
      guard process.isRunning, Date() < end else { throw Failed(reason: "slapd does not listen on \(port)") }
      usleep(10_000)
    }
  }

  /// Suspends the server without closing its connections, or resumes it.
  public func pause(_ isPaused: Bool) {
    let number = process.processIdentifier
    kill(number, isPaused ? SIGSTOP : SIGCONT)
    // Its threads stop one after the other.
    let tasks = "/proc/\(number)/task"
    while isPaused {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      let states = threads.map { thread -> Character? in
        let stat = FileManager.default.contents(atPath: "\(tasks)/\(thread)/stat") ?? Data()
        return String(decoding: stat, as: UTF8.self).split(separator: ")").last?.first { $0 != " " }
      }
      if states.allSatisfy({ $0 == "T" }) { return }
      usleep(1000)
    }
  }

  /// The server cannot be used.
  public struct Failed: Error {
    /// Why.
    public let reason: String

    /// Makes an error with a reason.
    public init(reason: String) { self.reason = reason }
  }

  private var configurationFile: URL { folder.appendingPathComponent("slapd.conf") }

  private static func configuration(_ settings: Settings, _ folder: URL) -> String {
    var lines = ["core", "cosine", "inetorgperson"].map { "include /etc/ldap/schema/\($0).schema" }
    // Some of Active Directory's attributes. All have the syntax of byte strings, which also allows invalid UTF-8.
    for (number, name) in ["company", "department", "objectGUID", "thumbnailPhoto"].enumerated() {
      lines.append(
        "attributetype ( 1.3.6.1.4.1.99999.1.\(number) NAME '\(name)' EQUALITY octetStringMatch "
          + "SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )")
    }
    lines.append(
      "objectclass ( 1.3.6.1.4.1.99999.2 NAME 'adUser' SUP top AUXILIARY "
        + "MAY ( company $ department $ objectGUID $ thumbnailPhoto ) )")
    lines += ["modulepath /usr/lib/ldap", "moduleload back_mdb", "sizelimit \(settings.sizeLimit)"]
    if let certificate = settings.certificate {
      lines += ["TLSCertificateFile \(certificate.file)", "TLSCertificateKeyFile \(certificate.key)"]
    }
    lines += settings.lines
    if settings.refusesStrangers { lines += ["disallow bind_anon", "require authc"] }
    lines += [
      "database mdb", "maxsize 67108864", "suffix \"\(base)\"", "rootdn \"\(user.name)\"",
      "rootpw \"\(user.password)\"", "directory \(folder.path)/db", "access to * by * read",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Finds a free port whose next port is free too.
  private static func freePort() throws -> Int {
    for _ in 0..<100 {
      let first = listener(0)
      defer { close(first.descriptor) }
      guard first.port > 0 else { continue }
      let second = listener(first.port + 1)
      defer { close(second.descriptor) }
      if second.port > 0 { return first.port }
    }
    throw Failed(reason: "no port is free")
  }

  private static func listener(_ port: Int) -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = loopback(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    return (descriptor, isBound ? Int(UInt16(bigEndian: address.sin_port)) : 0)
  }

  private static func answers(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
