#ifndef ADDRESSBOOK_ARGUMENTS_H
#define ADDRESSBOOK_ARGUMENTS_H

/// The number of arguments that the process was started with, with its name.
int addressbook_argument_count(void);

/// An argument, from 0; NULL where there is none.
const char *addressbook_argument(int number);

#endif
