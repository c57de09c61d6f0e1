import AddressBookModel
import Glibc

/// Prepares the process before anything is opened.
enum ProcessSetup {
  static func run() {
    // A book must not get the number of a closed standard descriptor: messages would be written into it.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    // The system call's error says more than dying by the signal.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    Localization.keepDescriptorForMessages()
  }
}
