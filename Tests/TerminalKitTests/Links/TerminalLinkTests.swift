import Testing

@testable import TerminalKit

struct TerminalLinkTests {
  @Test(arguments: [
    ("https://example.com/a?b=c&d#e", "https://example.com/a?b=c&d#e"), ("HTTP://example.com", "http://example.com"),
    ("https://例子.cn/李", "https://%E4%BE%8B%E5%AD%90.cn/%E6%9D%8E"), ("https://a.com/50%25", "https://a.com/50%25"),
    ("https://a.com/a b\"<>\\^`{|}", "https://a.com/a%20b%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ("mailto:ann@example.com", "mailto:ann@example.com"), ("tel:+8613800001111;ext=5", "tel:+8613800001111;ext=5"),
    ("https://a.com/\u{202E}x\u{200B}", "https://a.com/%E2%80%AEx%E2%80%8B"),
  ])
  func safeLinksAreAccepted(address: String, expected: String) throws {
    let link = try #require(TerminalLink(address))
    #expect(link.address == expected)
    #expect(link.address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(TerminalLink(address) == link)
  }

  @Test(arguments: [
    "", "example.com", "ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "https:", "https:///x",
    "https://?q", "https:example.com", "mailto:", "tel:", "ssh://host", " https://example.com", "x-https://example.com",
    "https://a.com/\u{1B}]8;;", "https://a.com/\u{7}", "https://a.com/\n", "https://a.com/\u{9C}x",
    "https://a.com/\u{7F}",
    "tel:1\0", "https\n://a.com", "https://" + String(repeating: "a", count: 2076),
    "https://" + String(repeating: "李", count: 300),
  ])
  func unsafeLinksAreRefused(address: String) {
    #expect(TerminalLink(address) == nil)
  }

  @Test func theLongestAddressIsAccepted() {
    let address = "https://" + String(repeating: "a", count: TerminalLink.longest - 8)
    #expect(TerminalLink(address)?.address == address)
  }

  @Test func cellsKnowTheirLink() throws {
    let link = try #require(TerminalLink("https://example.com/cells"))
    let other = try #require(TerminalLink("https://example.com/other"))
    #expect(link.number != other.number)
    var canvas = Canvas(size: Size(rows: 2, columns: 12))
    let style = Style(foreground: .palette(4), attributes: .underline)
    let used = canvas.put("e\u{301}\u{302}\u{303}\u{304}李x", at: Point(row: 0, column: 1), limit: 9, style: style)
    let plain = canvas
    canvas.link(Rect(row: 0, column: 1, rows: 1, columns: used), to: link)
    #expect((0..<6).map { canvas[0, $0].link } == [nil, link, link, link, link, nil])
    #expect(
      (0..<12).allSatisfy { canvas[0, $0].text == plain[0, $0].text && canvas[0, $0].width == plain[0, $0].width })
    #expect(canvas[0, 4].ascii == UInt8(ascii: "x") && canvas[0, 1].style == style)
    #expect(canvas.changedLines(since: plain) == [0])
    #expect(canvas.changedColumns(ofLine: 0, since: plain, limit: 12) == 1..<5)
    let linked = canvas

    canvas.restyle(Rect(canvas.size)) { $0.adding(.bold) }
    #expect(canvas[0, 2].link == link, "a style does not change the link")
    canvas.link(Rect(row: -1, column: 4, rows: 9, columns: 99), to: other)
    #expect(canvas[0, 3].link == link && canvas[0, 4].link == other && canvas[1, 11].link == other)
    canvas = linked
    canvas.put("!", at: Point(row: 0, column: 2), limit: 1, style: style)
    #expect((1..<5).map { canvas[0, $0].link } == [link, nil, nil, link], "what is drawn over it is not linked")
    canvas = linked
    canvas.fill(Rect(row: 0, column: 0, rows: 1, columns: 12), style: .plain)
    #expect((0..<12).allSatisfy { canvas[0, $0].link == nil })
    canvas = linked
    canvas.link(Rect(canvas.size), to: nil)
    #expect(canvas == plain)
  }

  @Test func halfAWideClusterIncludesAllOfIt() throws {
    let link = try #require(TerminalLink("https://example.com/wide"))
    var canvas = Canvas(size: Size(rows: 1, columns: 6))
    canvas.put("李小龙", at: Point(row: 0, column: 0), limit: 6, style: .plain)
    canvas.link(Rect(row: 0, column: 3, rows: 1, columns: 2), to: link)
    #expect((0..<6).map { canvas[0, $0].link == link } == [false, false, true, true, true, true])
  }

  @Test func oneAddressHasOneNumberOnAllThreads() async {
    let numbers = await withTaskGroup(of: [UInt16?].self) { group in
      for _ in 0..<8 { group.addTask { (0..<200).map { TerminalLink("https://example.com/n\($0)")?.number } } }
      return await group.reduce(into: Set<[UInt16?]>()) { $0.insert($1) }
    }
    #expect(numbers.count == 1)
    #expect(Set(numbers.first ?? []).count == 200)
  }
}
