/// SHA-256 (FIPS 180-4), to compare pictures with the sums that an index holds.
func sha256(_ message: [UInt8]) -> String {
  let k: [UInt32] = (0..<64).map { primeRootFraction(primes[$0], root: 3) }
  var h: [UInt32] = (0..<8).map { primeRootFraction(primes[$0], root: 2) }
  var data = message + [0x80]
  while data.count % 64 != 56 { data.append(0) }
  let bits = UInt64(message.count) * 8
  data += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
  func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }
  for block in stride(from: 0, to: data.count, by: 64) {
    var w = (0..<16).map { i in (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(data[block + i * 4 + $1]) } }
    for i in 16..<64 {
      let s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3
      let s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10
      w.append(w[i - 16] &+ s0 &+ w[i - 7] &+ s1)
    }
    var v = h
    for i in 0..<64 {
      let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
      let t1 = v[7] &+ s1 &+ (v[4] & v[5] ^ ~v[4] & v[6]) &+ k[i] &+ w[i]
      let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
      let t2 = s0 &+ (v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2])
      v = [t1 &+ t2, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
    }
    for i in 0..<8 { h[i] = h[i] &+ v[i] }
  }
  return h.map { word in
    let text = String(word, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
  }.joined()
}

private let primes: [UInt64] = {
  var found: [UInt64] = []
  var candidate: UInt64 = 2
  while found.count < 64 {
    if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
    candidate += 1
  }
  return found
}()

/// The first 32 bits of the fraction of a root, by bisection in integers.
private func primeRootFraction(_ prime: UInt64, root: Int) -> UInt32 {
  var low: UInt64 = 0
  var high: UInt64 = 32 << 32
  func isTooBig(_ x: UInt64) -> Bool {
    // x is a fixed-point number with 32 bits after the point.
    let wide = UInt128(x)
    return root == 2 ? wide * wide > UInt128(prime) << 64 : wide * wide * wide > UInt128(prime) << 96
  }
  while high - low > 1 {
    let middle = (low + high) / 2
    if isTooBig(middle) { high = middle } else { low = middle }
  }
  return UInt32(truncatingIfNeeded: low)
}
