import AddressBookModel
import AddressBookTUI
import ArgumentParser
import AvatarImage
import Contacts
import Foundation
import PictureFormat

/// `addressbook photo`: manages the photo of one contact.
struct PhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo", abstract: strings("Help/photo"),
    subcommands: [Set.self, Show.self, Clear.self, Save.self])

  /// `photo set`: stores the largest centered square of an image as a small PNG. Prints the contact's id once it is
  /// stored.
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: strings("Help/photo.set"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("reference", valueName: "id"))
    var reference: String

    @Argument(help: help("photoFile", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
      let book = try book.openToEdit()
      defer { book.closeAfterWriting() }
      let id = try ContactReference.one(reference, in: book).id
      // Finish the photo before changing anything.
      let picture = try PhotoCommand.picture(of: file)
      try PhotoCommand.change(
        reference, id, in: book, to: Photo(mediaType: ImageFormat.png.mediaType, data: Data(picture.png)))
    }
  }

  /// `photo show`: prints the photo as characters, with colors only if a terminal shows them.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: strings("Help/photo.show"))

    @OptionGroup var book: BookOptions

    @Option(name: .long, help: help("photoColumns", valueName: "number"))
    var columns = 40

    @Argument(help: help("reference", valueName: "id"))
    var reference: String

    func validate() throws {
      guard (1...500).contains(columns) else { throw ValidationError(strings("Misuse/columns", columns)) }
    }

    func run() throws {
      let book = try book.openToRead()
      defer { book.close() }
      let photo = try PhotoCommand.photo(of: reference, in: book)
      let image: RasterImage
      do {
        image = try ImageDecoder.decode([UInt8](photo.data), in: .ofProgram())
      } catch {
        throw CommandFailure(
          .failed, strings("Failed/showPhoto", reference, PictureMessage.text(of: error, in: .shared)))
      }
      let renderer = AvatarRenderer(colors: CellPictureText.colors())
      guard let picture = renderer.render(image, columns: columns, rows: columns) else {
        throw CommandFailure(
          .failed, strings("Failed/showPhoto", reference, PictureMessage.missingRenderer(in: .shared)))
      }
      let output = StandardOutput()
      // The only escape sequences in the lines are the program's own colors.
      for line in CellPictureText.lines(picture) { output.write(Array((line + "\n").utf8)) }
      try output.flush()
      try book.reportDamage()
    }
  }

  /// `photo clear`: removes the photo. Prints the contact's id once the change is stored.
  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: strings("Help/photo.clear"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("reference", valueName: "id"))
    var reference: String

    func run() throws {
      let book = try book.openToEdit()
      defer { book.closeAfterWriting() }
      let contact = try ContactReference.one(reference, in: book)
      guard contact.photo != nil else { throw PhotoCommand.noPhoto(reference) }
      try PhotoCommand.change(reference, contact.id, in: book, to: nil)
    }
  }

  /// `photo save`: writes the stored photo to standard output or to a file that is replaced atomically.
  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "save", abstract: strings("Help/photo.save"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("reference", valueName: "id"))
    var reference: String

    @Argument(help: help("photoOutput", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
      let book = try book.openToRead()
      defer { book.close() }
      let id = try ContactReference.one(reference, in: book).id
      guard let photo = try book.photoForExport(of: id) else { throw PhotoCommand.noPhoto(reference) }
      let output = try OutputFile(file)
      guard !output.isTerminal else { throw CommandFailure(.misuse, strings("Misuse/photoToTerminal")) }
      try output.write([UInt8](photo.data))
      try output.commit()
      try book.reportDamage()
    }
  }
}

extension PhotoCommand {
  fileprivate static func photo(of reference: String, in book: AddressBook) throws -> Photo {
    guard let photo = try book.photo(of: ContactReference.one(reference, in: book).id) else { throw noPhoto(reference) }
    return photo
  }

  fileprivate static func noPhoto(_ reference: String) -> CommandFailure {
    CommandFailure(.nothingFound, strings("Found/noPhoto", reference))
  }

  /// The photo made from a file, or from standard input for `-`.
  fileprivate static func picture(of file: String) throws -> AvatarPhoto {
    func refusal(_ reason: String) -> CommandFailure {
      let name = file == "-" ? strings("Import/standardInput") : PlainColumns.clean(file)
      return CommandFailure(.failed, strings("Failed/photo", name, reason))
    }
    if AddressBook.isOpen(path: file) { throw refusal(strings("Failed/isBook")) }
    let bytes: [UInt8]
    do {
      bytes = try file == "-" ? ImageFile.read(descriptor: STDIN_FILENO) : ImageFile.read(path: file)
    } catch {
      throw refusal(PictureMessage.text(of: error, in: .shared))
    }
    do {
      return try AvatarPhoto(bytes: bytes, in: .ofProgram())
    } catch {
      throw refusal(PictureMessage.text(of: error, in: .shared))
    }
  }

  fileprivate static func change(_ reference: String, _ id: Int64, in book: AddressBook, to photo: Photo?) throws {
    let context = book.newContext()
    guard let person = try context.person(id) else { throw CommandFailure.noContact(reference) }
    try person.setPhoto(photo)
    try context.save()
    try StandardOutput.printStored([id])
  }
}
