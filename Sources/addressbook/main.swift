import AvatarImage
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
// Not a command of the person's: the program starts itself so, and nothing else is to be set up.
if arguments == [DecodingService.argument] { exit(DecodingService.run()) }
// A limit on the size of files makes a write fail, and the failure is reported; the signal would end the program.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(arguments))
