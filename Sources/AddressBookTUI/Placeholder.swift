// AddressBookTUI
