print("addressbook")
