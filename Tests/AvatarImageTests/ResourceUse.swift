import Glibc

/// Peak memory and processor time of the test process, printed only for information.
enum ResourceUse {
  static func print(after what: String) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    let parts = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    Swift.print(
      "after \(what): peak \(usage.ru_maxrss / 1024) MB, \(seconds + parts) s of processor, whole test process")
  }
}
