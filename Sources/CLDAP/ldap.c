#define _GNU_SOURCE
#include "CLDAP.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// A test compiles this file with CHECK_PROTOTYPES against the library's own headers; an ordinary build needs none.
#ifdef CHECK_PROTOTYPES
#include <ldap.h>
#else
typedef struct ldap LDAP;
typedef struct ldapmsg LDAPMessage;
typedef struct ldapcontrol LDAPControl;
typedef struct berelement BerElement;
typedef struct sockbuf Sockbuf;
typedef unsigned long ber_len_t;
struct berval {
  ber_len_t bv_len;
  char *bv_val;
};
enum {
  LDAP_OPT_RESULT_CODE = 0x0031,
  LDAP_OPT_REFERRALS = 0x0008,
  LDAP_OPT_RESTART = 0x0009,
  LDAP_OPT_PROTOCOL_VERSION = 0x0011,
  LDAP_OPT_DIAGNOSTIC_MESSAGE = 0x0032,
  LDAP_OPT_TIMEOUT = 0x5002,
  LDAP_OPT_NETWORK_TIMEOUT = 0x5005,
  LDAP_OPT_SOCKBUF = 0x5008,
  LDAP_OPT_X_TLS_CACERTFILE = 0x6002,
  LDAP_OPT_X_TLS_CACERTDIR = 0x6003,
  LDAP_OPT_X_TLS_REQUIRE_CERT = 0x6006,
  LDAP_OPT_X_TLS_REQUIRE_SAN = 0x601a,
  LDAP_OPT_X_TLS_HARD = 1,
  LDAP_OPT_X_TLS_DEMAND = 2,
  LDAP_OPT_X_TLS_TRY = 4,
  LDAP_VERSION3 = 3,
  LDAP_MSG_ONE = 0,
  LDAP_RES_SEARCH_ENTRY = 0x64,
  LDAP_RES_SEARCH_REFERENCE = 0x73,
  LBER_SB_OPT_SET_MAX_INCOMING = 14
};
#define LDAP_OPT_ON ((void *)1)
#define LDAP_OPT_OFF ((void *)0)
#endif

#define FUNCTIONS(F) \
  F(int, ldap_initialize, (LDAP **, const char *)) \
  F(int, ldap_set_option, (LDAP *, int, const void *)) \
  F(int, ldap_get_option, (LDAP *, int, void *)) \
  F(int, ldap_start_tls_s, (LDAP *, LDAPControl **, LDAPControl **)) \
  F(int, ldap_sasl_bind, \
    (LDAP *, const char *, const char *, struct berval *, LDAPControl **, LDAPControl **, int *)) \
  F(int, ldap_search_ext, \
    (LDAP *, const char *, int, const char *, char **, int, LDAPControl **, LDAPControl **, struct timeval *, int, \
     int *)) \
  F(int, ldap_abandon_ext, (LDAP *, int, LDAPControl **, LDAPControl **)) \
  F(int, ldap_unbind_ext, (LDAP *, LDAPControl **, LDAPControl **)) \
  F(int, ldap_result, (LDAP *, int, int, struct timeval *, LDAPMessage **)) \
  F(int, ldap_msgfree, (LDAPMessage *)) \
  F(int, ldap_parse_result, (LDAP *, LDAPMessage *, int *, char **, char **, char ***, LDAPControl ***, int)) \
  F(char *, ldap_get_dn, (LDAP *, LDAPMessage *)) \
  F(char *, ldap_first_attribute, (LDAP *, LDAPMessage *, BerElement **)) \
  F(char *, ldap_next_attribute, (LDAP *, LDAPMessage *, BerElement *)) \
  F(struct berval **, ldap_get_values_len, (LDAP *, LDAPMessage *, const char *)) \
  F(void, ldap_value_free_len, (struct berval **)) \
  F(void, ldap_memfree, (void *)) \
  F(char *, ldap_err2string, (int)) \
  F(void, ber_free, (BerElement *, int)) \
  F(int, ber_sockbuf_ctrl, (Sockbuf *, int, void *))

#define DECLARE(result, name, parameters) static result(*p_##name) parameters;
FUNCTIONS(DECLARE)

_Static_assert(sizeof(struct cldap_value) == sizeof(struct berval), "a value is passed on as it is");

static const char *const without_configuration = "LDAPNOINIT";
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open;

// Sets the defaults of all connections: certificates are verified, whatever the user's configuration of the library
// says. The authorities are those in that configuration, or else the system's, which the library does not find by
// itself on every system. A server's name is compared with the names in the certificate; with that of its subject, only
// if it has no others (RFC 6125, 6.4.4).
static int configure(void) {
  static const char *const system_file = "/etc/ssl/certs/ca-certificates.crt";
  const int demand = LDAP_OPT_X_TLS_DEMAND, try = LDAP_OPT_X_TLS_TRY;
  int names = 0;
  char *file = NULL, *folder = NULL;
  p_ldap_get_option(NULL, LDAP_OPT_X_TLS_CACERTFILE, &file);
  p_ldap_get_option(NULL, LDAP_OPT_X_TLS_CACERTDIR, &folder);
  if (!file && !folder && access(system_file, R_OK) == 0) {
    p_ldap_set_option(NULL, LDAP_OPT_X_TLS_CACERTFILE, system_file);
  }
  if (file) p_ldap_memfree(file);
  if (folder) p_ldap_memfree(folder);
  p_ldap_get_option(NULL, LDAP_OPT_X_TLS_REQUIRE_SAN, &names);
  if (names != LDAP_OPT_X_TLS_DEMAND && names != LDAP_OPT_X_TLS_HARD &&
      p_ldap_set_option(NULL, LDAP_OPT_X_TLS_REQUIRE_SAN, &try) != CLDAP_SUCCESS) {
    return 0;
  }
  return p_ldap_set_option(NULL, LDAP_OPT_X_TLS_REQUIRE_CERT, &demand) == CLDAP_SUCCESS;
}

// The library reads its configuration when it is first used, and `ldaprc` in the current folder is part of it, whoever
// that folder belongs to. So it is first used by a thread with a current folder of its own. Where the system refuses
// that, as some containers do, the library reads no configuration.
static void *configure_elsewhere(void *result) {
  if (unshare(CLONE_FS) != 0 || chdir("/") != 0) setenv(without_configuration, "1", 1);
  *(int *)result = configure();
  return NULL;
}

static void open_library(void) {
#ifdef CHECK_PROTOTYPES
#define BIND(result, name, parameters) p_##name = name;
#else
  // 2.6 in Debian 13, 2.5 in Debian 12.
  void *library = dlopen("libldap.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libldap-2.5.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  // dlsym finds the functions of liblber too, on which libldap depends.
#define BIND(result, name, parameters) \
  *(void **)&p_##name = dlsym(library, #name); \
  if (!p_##name) return;
#endif
  FUNCTIONS(BIND)
  pthread_t thread;
  if (pthread_create(&thread, NULL, configure_elsewhere, &is_open) == 0) {
    pthread_join(thread, NULL);
  } else {
    setenv(without_configuration, "1", 1);
    is_open = configure();
  }
}

static LDAP *ldap_of(cldap_connection *connection) { return (LDAP *)connection; }
static LDAPMessage *message_of(cldap_message *message) { return (LDAPMessage *)message; }

int cldap_open(const char *uri, int seconds, size_t longest_message, cldap_connection **connection) {
  pthread_once(&once, open_library);
  if (!is_open) return CLDAP_NO_LIBRARY;
  LDAP *ldap = NULL;
  int code = p_ldap_initialize(&ldap, uri);
  if (code != CLDAP_SUCCESS) return code;
  const int version = LDAP_VERSION3;
  const struct timeval timeout = {.tv_sec = seconds};
  p_ldap_set_option(ldap, LDAP_OPT_PROTOCOL_VERSION, &version);
  p_ldap_set_option(ldap, LDAP_OPT_REFERRALS, LDAP_OPT_OFF);
  p_ldap_set_option(ldap, LDAP_OPT_RESTART, LDAP_OPT_ON);
  p_ldap_set_option(ldap, LDAP_OPT_TIMEOUT, &timeout);
  p_ldap_set_option(ldap, LDAP_OPT_NETWORK_TIMEOUT, &timeout);
  Sockbuf *buffer = NULL;
  ber_len_t longest = longest_message;
  if (p_ldap_get_option(ldap, LDAP_OPT_SOCKBUF, &buffer) == 0 && buffer) {
    p_ber_sockbuf_ctrl(buffer, LBER_SB_OPT_SET_MAX_INCOMING, &longest);
  }
  *connection = (cldap_connection *)ldap;
  return CLDAP_SUCCESS;
}

void cldap_close(cldap_connection *connection) { p_ldap_unbind_ext(ldap_of(connection), NULL, NULL); }

int cldap_start_tls(cldap_connection *connection) { return p_ldap_start_tls_s(ldap_of(connection), NULL, NULL); }

int cldap_bind(cldap_connection *connection, const char *dn, const char *password, size_t count, int *request) {
  struct berval credentials = {.bv_len = count, .bv_val = (char *)password};
  return p_ldap_sasl_bind(ldap_of(connection), dn, NULL, &credentials, NULL, NULL, request);
}

int cldap_search(
    cldap_connection *connection, const char *base, int scope, const char *filter, const char *const *attributes,
    int size_limit, int seconds, int *request) {
  struct timeval timeout = {.tv_sec = seconds};
  return p_ldap_search_ext(
      ldap_of(connection), base, scope, filter, (char **)attributes, 0, NULL, NULL, &timeout, size_limit, request);
}

void cldap_abandon(cldap_connection *connection, int request) {
  p_ldap_abandon_ext(ldap_of(connection), request, NULL, NULL);
}

enum cldap_kind cldap_next(
    cldap_connection *connection, int request, int milliseconds, cldap_message **message, int *code, char **detail) {
  LDAP *ldap = ldap_of(connection);
  LDAPMessage *result = NULL;
  struct timeval timeout = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  *message = NULL;
  *detail = NULL;
  *code = CLDAP_SUCCESS;
  int kind = p_ldap_result(ldap, request, LDAP_MSG_ONE, &timeout, &result);
  if (kind == 0) return CLDAP_NOTHING;
  if (kind < 0 || !result) {
    int reason = CLDAP_SERVER_DOWN;
    p_ldap_get_option(ldap, LDAP_OPT_RESULT_CODE, &reason);
    *code = reason == CLDAP_SUCCESS ? CLDAP_SERVER_DOWN : reason;
    *detail = cldap_diagnostic(connection);
    return CLDAP_FAILED;
  }
  if (kind == LDAP_RES_SEARCH_ENTRY) {
    *message = (cldap_message *)result;
    return CLDAP_ENTRY;
  }
  if (kind == LDAP_RES_SEARCH_REFERENCE) {
    p_ldap_msgfree(result);
    return CLDAP_OTHER;
  }
  int parsed = p_ldap_parse_result(ldap, result, code, NULL, detail, NULL, NULL, 1);
  if (parsed == CLDAP_SUCCESS) return CLDAP_END;
  *code = parsed;
  return CLDAP_FAILED;
}

void cldap_message_free(cldap_message *message) { p_ldap_msgfree(message_of(message)); }

char *cldap_name(cldap_connection *connection, cldap_message *entry) {
  return p_ldap_get_dn(ldap_of(connection), message_of(entry));
}

char *cldap_first_attribute(cldap_connection *connection, cldap_message *entry, cldap_attributes **attributes) {
  BerElement *element = NULL;
  char *name = p_ldap_first_attribute(ldap_of(connection), message_of(entry), &element);
  *attributes = (cldap_attributes *)element;
  return name;
}

char *cldap_next_attribute(cldap_connection *connection, cldap_message *entry, cldap_attributes *attributes) {
  return p_ldap_next_attribute(ldap_of(connection), message_of(entry), (BerElement *)attributes);
}

void cldap_attributes_free(cldap_attributes *attributes) { p_ber_free((BerElement *)attributes, 0); }

struct cldap_value **cldap_values(cldap_connection *connection, cldap_message *entry, const char *attribute) {
  return (struct cldap_value **)p_ldap_get_values_len(ldap_of(connection), message_of(entry), attribute);
}

void cldap_values_free(struct cldap_value **values) { p_ldap_value_free_len((struct berval **)values); }

void cldap_free(void *pointer) { p_ldap_memfree(pointer); }

const char *cldap_text(int code) { return is_open ? p_ldap_err2string(code) : ""; }

char *cldap_diagnostic(cldap_connection *connection) {
  char *text = NULL;
  p_ldap_get_option(ldap_of(connection), LDAP_OPT_DIAGNOSTIC_MESSAGE, &text);
  return text;
}
