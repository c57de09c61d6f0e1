import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts
import Glibc

/// `addressbook birthdays`: lists birthdays, the next one first. Without `--days`, a table covers 30 days, and JSON
/// and iCalendar have all birthdays.
struct BirthdaysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "birthdays", abstract: strings("Help/birthdays"))

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, tsv, json, jsonl, ical

    /// Nil for a calendar.
    var list: ListFormat? { ListFormat(rawValue: rawValue) }
  }

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("birthdayDays", valueName: "days"))
  var days: Int?

  @Option(name: .long, help: help("birthdaysFormat"))
  var format = Format.table

  /// The number of days that a table covers without `--days`.
  private static let usualDays = 30

  func validate() throws {
    if let days, days < 0 { throw ValidationError(strings("Misuse/days")) }
  }

  func run() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let found = try coming(in: book)
    if let format = format.list {
      return try Self.listing.print(format, found, empty: strings("Found/noBirthdays"), check: book.reportDamage)
    }
    let output = StandardOutput()
    let calendar = BirthdayCalendar()
    output.write(calendar.header)
    for (contact, _) in found {
      output.write(calendar.event(of: contact, summary: strings("Birthdays/event", contact.displayName)))
    }
    output.write(calendar.footer)
    try output.flush()
    try book.reportDamage()
    if found.isEmpty { throw CommandFailure(.nothingFound, strings("Found/noBirthdays")) }
  }

  /// The contacts with a birthday in the requested days, including today, the next one first.
  private func coming(in book: AddressBook) throws -> [(contact: Contact, next: Anniversary)] {
    let today = CalendarDay(at: time(nil))
    let limit = days ?? (format == .table || format == .tsv ? Self.usualDays : Int.max)
    var found: [(contact: Contact, next: Anniversary)] = []
    try book.forEachContact(ids: book.contactIDsWithBirthday()) { contact in
      guard let birthday = contact.birthday else { return true }
      let next = Anniversary(of: birthday, on: today)
      if next.daysUntilNext <= limit { found.append((contact, next)) }
      return true
    }
    // Contacts with the same number of days stay in section order.
    return found.enumerated().sorted {
      ($0.element.next.daysUntilNext, $0.offset) < ($1.element.next.daysUntilNext, $1.offset)
    }
    .map(\.element)
  }

  private static var listing: Listing<(contact: Contact, next: Anniversary)> {
    Listing(
      columns: [Column("id", 20), Column("name", 40), Column("birthday", 20), Column("days", 10), Column("age", 10)],
      rows: { contact, next in
        [
          [
            String(contact.id), contact.displayName, contact.birthday?.iso ?? "", String(next.daysUntilNext),
            next.ageAtNext.map(String.init) ?? "",
          ]
        ]
      },
      json: { contact, next in
        let day = PartialDate(year: next.next.year, month: next.next.month, day: next.next.day)?.iso ?? ""
        return .object([
          ("id", .number(Int(contact.id))), ("uid", .text(contact.uid)), ("name", .text(contact.displayName)),
          ("birthday", .text(contact.birthday?.iso ?? "")), ("next", .text(day)),
          ("days", .number(next.daysUntilNext)), ("age", next.ageAtNext.map(JSON.number) ?? .null),
        ])
      })
  }
}
