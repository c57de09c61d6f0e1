#ifndef CLDAP_H
#define CLDAP_H
// The part of OpenLDAP's client library that searches a directory. The library is opened on first use, not linked: most
// users have no directory.
#include <stddef.h>

// Results are those of libldap, 0 for success, and this one.
enum { CLDAP_NO_LIBRARY = -1000 };

// Result codes: RFC 4511, 4.1.9, and below zero those of the library.
enum {
  CLDAP_SUCCESS = 0,
  CLDAP_TIME_LIMIT_EXCEEDED = 3,
  CLDAP_SIZE_LIMIT_EXCEEDED = 4,
  CLDAP_STRONGER_AUTH_REQUIRED = 8,
  CLDAP_REFERRAL = 10,
  CLDAP_ADMIN_LIMIT_EXCEEDED = 11,
  CLDAP_CONFIDENTIALITY_REQUIRED = 13,
  CLDAP_NO_SUCH_OBJECT = 32,
  CLDAP_INVALID_DN = 34,
  CLDAP_INAPPROPRIATE_AUTH = 48,
  CLDAP_INVALID_CREDENTIALS = 49,
  CLDAP_INSUFFICIENT_ACCESS = 50,
  CLDAP_SERVER_DOWN = -1,
  CLDAP_TIMEOUT = -5,
  CLDAP_FILTER_ERROR = -7,
  CLDAP_CONNECT_ERROR = -11
};

enum cldap_kind { CLDAP_FAILED = -1, CLDAP_NOTHING = 0, CLDAP_ENTRY, CLDAP_OTHER, CLDAP_END };

struct cldap_value {
  size_t count;
  const unsigned char *bytes;
};

typedef struct cldap_connection cldap_connection;
typedef struct cldap_message cldap_message;
typedef struct cldap_attributes cldap_attributes;

// Prepares a connection; nothing is sent. `seconds` limits connecting and each wait for the network. Certificates are
// verified, and referrals are not followed.
int cldap_open(const char *uri, int seconds, size_t longest_message, cldap_connection **connection);
void cldap_close(cldap_connection *connection);
int cldap_start_tls(cldap_connection *connection);

// Both begin a request; cldap_next gets its answer. An empty dn binds anonymously.
int cldap_bind(cldap_connection *connection, const char *dn, const char *password, size_t count, int *request);
int cldap_search(
    cldap_connection *connection, const char *base, int scope, const char *filter, const char *const *attributes,
    int size_limit, int seconds, int *request);
void cldap_abandon(cldap_connection *connection, int request);

// Waits at most this long for the next message of a request. `code` is the result at the end, or why it failed;
// `detail`, to be freed with cldap_free, is what the server or the library says about it, or NULL.
enum cldap_kind cldap_next(
    cldap_connection *connection, int request, int milliseconds, cldap_message **message, int *code, char **detail);
void cldap_message_free(cldap_message *message);

// The parts of an entry. Its name and each attribute's name are to be freed with cldap_free; they may be NULL.
char *cldap_name(cldap_connection *connection, cldap_message *entry);
char *cldap_first_attribute(cldap_connection *connection, cldap_message *entry, cldap_attributes **attributes);
char *cldap_next_attribute(cldap_connection *connection, cldap_message *entry, cldap_attributes *attributes);
void cldap_attributes_free(cldap_attributes *attributes);
// Returns an array that ends with NULL, to be freed with cldap_values_free; NULL for none.
struct cldap_value **cldap_values(cldap_connection *connection, cldap_message *entry, const char *attribute);
void cldap_values_free(struct cldap_value **values);
void cldap_free(void *pointer);

// Returns the meaning of a result code, in English.
const char *cldap_text(int code);
// Returns the library's message about the last error of a connection, to be freed with cldap_free; NULL for none.
char *cldap_diagnostic(cldap_connection *connection);

#endif
