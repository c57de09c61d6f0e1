import Glibc

// A limit on the size of files makes a write fail, and the failure is reported; the signal would end the program.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
