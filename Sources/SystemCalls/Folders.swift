import Glibc

/// Folders, and the paths of what is in them.
public enum Folder {
  /// Returns the folder that a path is in, and the last component of the path.
  public static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Calls `body` with the bytes of each name in a folder, in no particular order, until it returns false.
  /// - Throws: if the folder cannot be read.
  public static func forEachName(
    in folder: UnsafePointer<CChar>, _ body: ([UInt8]) -> Bool
  ) throws(FileFailure) {
    guard let handle = opendir(folder) else { throw FileFailure(String(cString: folder), errno) }
    defer { closedir(handle) }
    while true {
      errno = 0
      guard let entry = readdir(handle) else {
        if errno != 0 { throw FileFailure(String(cString: folder), errno) }
        return
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      guard body(name) else { return }
    }
  }

  /// Returns the names in a folder, in no particular order; none if it cannot be read.
  public static func names(in folder: String) -> [String] {
    var names: [String] = []
    do throws(FileFailure) {
      try forEachName(in: folder) { name in
        names.append(String(decoding: name, as: UTF8.self))
        return true
      }
    } catch {
      // What was found before the failure is enough.
    }
    return names
  }

  /// Flushes the names in a folder to the disk.
  public static func sync(_ folder: String) throws(FileFailure) {
    guard let file = ReadableFile(folder, O_DIRECTORY) else { throw FileFailure(folder, errno) }
    // Some file systems return EINVAL; a rename is then as safe as they make it.
    guard fsync(file.descriptor) == 0 || errno == EINVAL else { throw FileFailure(folder, errno) }
  }
}

/// The folders that the program creates for itself, accessible only to their owner.
public enum PrivateFolder {
  /// Creates a folder and missing parents, each with mode 0700. Existing ones are not changed.
  /// - Throws: `FileFailure`, with the path of the folder that could not be created.
  public static func make(_ path: String) throws(FileFailure) {
    var built = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      built += part
      if mkdir(built, 0o700) != 0 {
        let code = errno
        // In another user's folder, mkdir may return an error other than EEXIST even if the folder exists.
        guard let status = stat(of: built) else { throw FileFailure(built, code) }
        guard status.isFolder else { throw FileFailure(built, ENOTDIR) }
      }
      built += "/"
    }
  }
}

/// Paths without symbolic links.
public enum RealPath {
  /// How many symbolic links a path may lead through, as in the kernel.
  private static let maximumLinks = 40

  /// Returns the real path of a file; nil if it cannot be found or is not UTF-8, with the reason in `errno`. A path with
  /// replacement characters would name another file.
  public static func of(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    guard let path = String(validatingCString: real) else {
      errno = EILSEQ
      return nil
    }
    return path
  }

  /// Returns the real path of a file; the given one if it cannot be found.
  public static func resolved(_ path: String) -> String { of(path) ?? path }

  /// Returns the path with its symbolic links resolved, even if the file is missing: SQLite puts the log beside the file
  /// that a link points to.
  public static func target(of path: String) -> String {
    var target = path
    // A link to a missing file may point to another one.
    for _ in 0..<maximumLinks {
      if let real = of(target) { return real }
      guard let next = destination(ofLink: target) else {
        let (folder, name) = Folder.split(target)
        return of(folder).map { $0 == "/" ? "/" + name : $0 + "/" + name } ?? target
      }
      target = next.hasPrefix("/") ? next : Folder.split(target).folder + "/" + next
    }
    return path
  }

  /// Returns the number of the open file of this process that a path leads to, as `/dev/stdout` does; nil if it leads to
  /// none.
  public static func descriptor(_ path: String) -> Int32? {
    let descriptors = "/proc/\(getpid())/fd"
    var path = path
    for _ in 0..<maximumLinks {
      let (folder, name) = Folder.split(path)
      // A link in this folder leads to an open file, whatever name it shows.
      if let number = Int32(name), of(folder) == descriptors { return number }
      guard let next = destination(ofLink: path) else { return nil }
      path = next.hasPrefix("/") ? next : folder + "/" + next
    }
    return nil
  }

  /// Returns what a symbolic link says; nil if it is none or not UTF-8.
  public static func destination(ofLink path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(validating: buffer[..<count], as: UTF8.self) : nil
  }
}

/// What happens to files and folders, as the kernel reports it (inotify). It queues an event during the system call that
/// causes it, so a later check sees it.
public final class FileWatch: Sendable {
  /// Events of one kind.
  public struct Event: Hashable, Sendable {
    /// The kinds, as in `IN_MODIFY`; `IN_Q_OVERFLOW` if events were lost.
    public let mask: UInt32
    /// The name in the watched folder; empty for a watched file.
    public let name: String
  }

  /// The descriptor, which is readable while events wait.
  public let descriptor: Int32

  /// Watches nothing yet; nil, with the reason in `errno`, if the system has no more watches for this user.
  public init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches a file or the names in a folder for these kinds of events; false if that is not possible.
  public func add(_ path: String, _ kinds: Int32...) -> Bool {
    inotify_add_watch(descriptor, path, kinds.reduce(0) { $0 | UInt32($1) }) >= 0
  }

  /// Returns the events that wait, and forgets them.
  public func next() -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          let name = bytes[(offset + header)..<min(offset + header + length, count)].prefix { $0 != 0 }
          events.append(Event(mask: mask, name: String(decoding: name, as: UTF8.self)))
          offset += header + length
        }
      }
    }
  }
}
