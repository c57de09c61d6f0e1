// AddressBookModel
