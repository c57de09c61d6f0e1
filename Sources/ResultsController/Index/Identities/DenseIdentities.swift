/// The serials of the chunks of ids that are close together, in pages by id. Covers a window of adjacent pages, which
/// is chosen to contain as many ids as possible, and grows with them.
struct DenseIdentities: Sendable {
  /// The serials of adjacent ids. Written only while no second map shares the page.
  private final class Page: @unchecked Sendable {
    /// The serial of each id plus one; zero if there is no such row.
    let serials: UnsafeMutablePointer<UInt32>

    init() {
      serials = .allocate(capacity: idsPerPage)
      serials.initialize(repeating: 0, count: idsPerPage)
    }

    init(copying other: Page) {
      serials = .allocate(capacity: idsPerPage)
      serials.initialize(from: other.serials, count: idsPerPage)
    }

    deinit { serials.deallocate() }
  }

  private static let idsPerPage = 512
  /// The page of an id is the id without its lowest bits.
  private static let pageBits: Int64 = 9
  private static let groupBits: Int64 = 6
  private static let pagesPerGroup = 64
  /// The maximum size of the window, in ids per row. A row then takes no more memory than in `ScatteredIdentities`.
  private static let idsPerRow = 3
  private static let sampleCount = 1024

  /// The numbers of the window's pages.
  private var window: Range<Int64> = 0..<0
  /// The pages, in groups of adjacent ones; nil for a page without rows.
  private var groups: [[Page?]] = []
  private var firstGroup: Int64 = 0
  private(set) var count = 0

  /// Fills the window; the serial of a chunk is its index.
  /// - Parameter count: the number of all rows.
  init(_ chunks: [IndexChunk], count: Int) {
    guard let window = Self.window(chunks, count: count) else { return }
    extend(to: window)
    var pages = [Page?](repeating: nil, count: window.count)
    var tables = [UnsafeMutablePointer<UInt32>?](repeating: nil, count: window.count)
    var found = 0
    for (serial, chunk) in chunks.enumerated() {
      chunk.forEachID(in: 0..<chunk.count) { id in
        let page = id >> Self.pageBits
        guard window.contains(page) else { return }
        let index = Int(page - window.lowerBound)
        let table: UnsafeMutablePointer<UInt32>
        if let known = tables[index] {
          table = known
        } else {
          let made = Page()
          pages[index] = made
          tables[index] = made.serials
          table = made.serials
        }
        table[Self.slot(id)] = UInt32(serial) + 1
        found += 1
      }
    }
    self.count = found
    for (index, page) in pages.enumerated() {
      let (group, slot) = location(window.lowerBound + Int64(index))
      groups[group][slot] = page
    }
  }

  func covers(_ id: Int64) -> Bool { window.contains(id >> Self.pageBits) }

  func serial(of id: Int64) -> UInt32? {
    guard covers(id) else { return nil }
    let (group, slot) = location(id >> Self.pageBits)
    guard let number = groups[group][slot]?.serials[Self.slot(id)], number > 0 else { return nil }
    return number - 1
  }

  /// Adds an id or replaces its serial. False if it is too far from the others.
  /// - Parameter rowCount: the number of all rows.
  mutating func set(_ id: Int64, _ serial: UInt32, rowCount: Int) -> Bool {
    let page = id >> Self.pageBits
    if !window.contains(page) {
      let wider =
        window.isEmpty ? page..<page + 1 : min(window.lowerBound, page)..<max(window.upperBound, page + 1)
      guard wider.count <= Self.maximumPages(rowCount) else { return false }
      extend(to: wider)
    }
    let (group, slot) = location(page)
    if groups[group][slot] == nil {
      groups[group][slot] = Page()
    } else {
      makeUnique(group, slot)
    }
    guard let serials = groups[group][slot]?.serials else { return false }
    if serials[Self.slot(id)] == 0 { count += 1 }
    serials[Self.slot(id)] = serial + 1
    return true
  }

  /// False if the id is not here.
  mutating func remove(_ id: Int64) -> Bool {
    guard serial(of: id) != nil else { return false }
    let (group, slot) = location(id >> Self.pageBits)
    makeUnique(group, slot)
    groups[group][slot]?.serials[Self.slot(id)] = 0
    count -= 1
    return true
  }

  // MARK: Pages

  private static func slot(_ id: Int64) -> Int { Int(id & Int64(idsPerPage - 1)) }

  private func location(_ page: Int64) -> (group: Int, slot: Int) {
    (Int((page >> Self.groupBits) - firstGroup), Int(page & Int64(Self.pagesPerGroup - 1)))
  }

  private mutating func makeUnique(_ group: Int, _ slot: Int) {
    guard !isKnownUniquelyReferenced(&groups[group][slot]), let shared = groups[group][slot] else { return }
    groups[group][slot] = Page(copying: shared)
  }

  // MARK: Window

  private static func maximumPages(_ rowCount: Int) -> Int { 1 + rowCount * idsPerRow / idsPerPage }

  private mutating func extend(to wider: Range<Int64>) {
    let first = wider.lowerBound >> Self.groupBits
    let last = (wider.upperBound - 1) >> Self.groupBits
    let group = [Page?](repeating: nil, count: Self.pagesPerGroup)
    if groups.isEmpty { firstGroup = first }
    if first < firstGroup {
      groups.insert(contentsOf: repeatElement(group, count: Int(firstGroup - first)), at: 0)
      firstGroup = first
    }
    let missing = Int(last - firstGroup) + 1 - groups.count
    if missing > 0 { groups.append(contentsOf: repeatElement(group, count: missing)) }
    window = wider
  }

  /// The window with the most rows of a sample; nil if no window has half of the sample.
  private static func window(_ chunks: [IndexChunk], count: Int) -> Range<Int64>? {
    guard count > 0 else { return nil }
    let samples = min(count, sampleCount)
    var pages: [Int64] = []
    var start = 0
    for chunk in chunks {
      while pages.count < samples, count * pages.count / samples < start + chunk.count {
        pages.append(chunk.id(count * pages.count / samples - start) >> pageBits)
      }
      start += chunk.count
    }
    pages.sort()
    let limit = Int64(maximumPages(count))
    var (first, best) = (0, 0..<0)
    for end in pages.indices {
      while pages[end] - pages[first] >= limit { first += 1 }
      if end + 1 - first > best.count { best = first..<end + 1 }
    }
    guard best.count * 2 >= pages.count else { return nil }
    let (low, high) = (pages[best.lowerBound], pages[best.upperBound - 1])
    // Rows that are not in the sample may be a little before and after.
    let slack = min(limit / 8 + 1, (limit - (high - low + 1) + 1) / 2)
    return low - slack..<high + 1 + slack
  }
}
