#ifndef ADDRESSBOOK_ARGUMENTS_H
#define ADDRESSBOOK_ARGUMENTS_H

/// Returns the number of arguments that the process was started with, including its name.
int addressbook_argument_count(void);

/// Returns the argument with this index, from 0; NULL if there is none.
const char *addressbook_argument(int number);

/// Returns the path by which the program was started, also without /proc; NULL if the system does not tell.
const char *addressbook_program_path(void);

#endif
