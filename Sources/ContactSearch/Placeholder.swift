// ContactSearch
