#ifndef QRENCODE_LIBRARY_H
#define QRENCODE_LIBRARY_H
// The part of libqrencode that encodes bytes. The library is opened on first use, not linked (see pixbuf_library.h).
#include <stddef.h>
#include <stdint.h>

enum cqrencode_result { CQRENCODE_DONE = 0, CQRENCODE_NO_LIBRARY, CQRENCODE_FAILED };

// The side of version 40, the largest.
enum { CQRENCODE_MOST = 177 };

// Encodes bytes in the smallest version that holds them, at level L. Writes side x side modules row by row, 1 for a dark
// one; the buffer has room for CQRENCODE_MOST x CQRENCODE_MOST.
enum cqrencode_result cqrencode_encode(const uint8_t *bytes, int count, uint8_t *modules, int *side);

#endif
