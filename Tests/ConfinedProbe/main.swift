import CPictureProcess
import Glibc

// A program that confines itself as the decoder of pictures does, tries what the decoder must not do, and then what it
// needs, for the test of the filter. Its argument is a folder with a file named `file`. It prints a line for each try:
// a name, and the error number or 0.

let folder = CommandLine.arguments[1]
let file = folder + "/file"
let parent = getppid()

func attempt(_ name: String, _ result: Int32) {
  let code = result < 0 ? errno : 0
  if result > STDERR_FILENO { close(result) }
  print(name, code)
}

nonisolated func doNothing(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { nil }

guard picture_process_confine(1 << 30) == 0 else { exit(1) }

attempt("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
attempt("create", open(folder + "/new", O_CREAT | O_RDONLY, 0o600))
attempt("write", open(file, O_WRONLY))
attempt("truncate", truncate(file, 0))
attempt("chmod", chmod(file, 0o777))
attempt("rename", rename(file, folder + "/renamed"))
attempt("link", link(file, folder + "/linked"))
attempt("mkdir", mkdir(folder + "/folder", 0o700))
attempt("unlink", unlink(file))
attempt("signal", kill(parent, 0))
var process: pid_t = 0
var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
errno = posix_spawn(&process, "/bin/true", nil, nil, arguments, nil)
attempt("spawn", errno == 0 ? 0 : -1)

attempt("read", open(file, O_RDONLY))
var limits = rlimit()
attempt("own limits", getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limits))
attempt("own signal", raise(0))
var thread = pthread_t()
errno = pthread_create(&thread, nil, doNothing, nil)
attempt("thread", errno == 0 && pthread_join(thread, nil) == 0 ? 0 : -1)
// An exec that succeeded would drop the lines that are not flushed.
fflush(nil)
attempt("exec", execv("/bin/true", &arguments))
