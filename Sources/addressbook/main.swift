import AvatarImage
import Glibc

let arguments: [String]
do throws(ProcessArguments.NotText) {
  arguments = try ProcessArguments.afterName()
} catch {
  exit(Program.refuseArgument(error.number))
}
// Not a user command: the program starts itself this way, and needs no other setup.
if arguments == [DecodingService.argument] { exit(DecodingService.run()) }
exit(Program.run(arguments))
