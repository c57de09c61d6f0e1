import Foundation
import SharedMaterial

extension DirectoryServer {
  private static let openssl = "/usr/bin/openssl"
  static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: openssl)

  /// Writes a self-signed certificate for 127.0.0.1 and 127.1, and its key, to a folder. Returns their paths.
  /// - Parameter subject: the name of its subject.
  static func certificate(in folder: String, subject: String = "127.0.0.1") throws -> (file: String, key: String) {
    let (file, key) = (folder + "/certificate.pem", folder + "/key.pem")
    let made = try CommandResult.run(
      openssl,
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(subject)", "-addext",
        "subjectAltName=IP:127.0.0.1,DNS:127.1", "-keyout", key, "-out", file,
      ], environment: ["PATH": "/usr/bin:/bin", "HOME": folder])
    guard made.status == 0 else { throw Failed(reason: made.errors) }
    return (file, key)
  }
}
