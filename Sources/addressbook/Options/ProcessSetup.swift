import AddressBookModel
import Glibc

/// What the process needs before anything is opened.
enum ProcessSetup {
  static func run() {
    // A book must not get the number of a standard descriptor that was closed: messages would be written into it.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    // Their causes come as errors of the system call, which say more than dying of a signal.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    Localization.keepDescriptorForMessages()
  }
}
