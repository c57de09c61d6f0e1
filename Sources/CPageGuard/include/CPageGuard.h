#ifndef C_PAGE_GUARD_H
#define C_PAGE_GUARD_H

#include <stddef.h>

/* Memory that is mapped from files that somebody may cut short, or whose disk may fail, while they are mapped: reading a
   page that is gone raises SIGBUS. In a guarded range such a page becomes one of zeros and the range is marked as failed:
   whoever read there asks afterwards, and discards what was read. All other SIGBUS go to the handler that was there
   before, whichever of the two was installed first. */

/* Guards a range of whole pages. Returns its number, or -1 when there are too many ranges. */
int page_guard_add(const void *start, size_t size);

/* Ends it, before the range is unmapped. */
void page_guard_remove(int number);

/* Whether a page of the range was gone. */
int page_guard_has_failed(int number);

/* Makes the guard the first to hear of SIGBUS, also after another handler was installed. To be called before a range is
   read; costs a system call. */
void page_guard_renew(void);

#endif
