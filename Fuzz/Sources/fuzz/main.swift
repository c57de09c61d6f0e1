import Foundation

// Runs libFuzzer on the target that FUZZ_TARGET names. The arguments are libFuzzer's.

/// libFuzzer's loop; the linker takes it from the toolchain (Scripts/fuzz.sh).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

private let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
guard FuzzTarget(rawValue: name) != nil else {
  print("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
  exit(2)
}
private var count = CommandLine.argc
private var arguments = CommandLine.unsafeArgv
exit(
  runDriver(&count, &arguments) { bytes, count in
    FuzzTarget.chosen.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })
