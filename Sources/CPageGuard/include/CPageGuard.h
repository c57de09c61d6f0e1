#ifndef C_PAGE_GUARD_H
#define C_PAGE_GUARD_H

#include <stddef.h>

/* For memory mapped from files that may be truncated, or whose disk may fail, while they are mapped: reading a page
   that is gone raises SIGBUS. In a guarded range such a page is replaced with zeros and the range is marked as failed;
   a reader checks for that afterwards and discards the data. Any other SIGBUS is passed to the program's other
   handler, whichever of the two was installed first. */

/* Guards a range of whole pages. Returns its number, or -1 if there are too many ranges. */
int page_guard_add(const void *start, size_t size);

/* Stops guarding a range; must be called before the range is unmapped. */
void page_guard_remove(int number);

/* Returns whether a page of the range was gone. */
int page_guard_has_failed(int number);

/* Puts the guard's SIGBUS handler first again, in case another one was installed. Call it before reading a range; it
   costs a system call. */
void page_guard_renew(void);

#endif
