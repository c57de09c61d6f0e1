import Glibc

/// Names and addresses of hosts.
public enum HostName {
  /// Returns whether a host is this machine: `localhost`, `::1`, or an address that begins with 127.
  public static func isLoopback(_ host: String) -> Bool {
    var address = in_addr()
    if inet_pton(AF_INET, host, &address) == 1 { return address.s_addr & 0xFF == 127 }
    return ["localhost", "::1"].contains(host.lowercased())
  }
}
