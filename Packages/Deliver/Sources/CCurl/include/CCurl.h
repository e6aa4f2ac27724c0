#ifndef SETTLE_CCURL_H
#define SETTLE_CCURL_H

// Their checks want options that are literals.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#pragma clang assume_nonnull begin

// Swift cannot call functions that take a variable number of arguments.

static inline CURLcode settle_curl_set_number(CURL *transfer, CURLoption option, long value) {
  return curl_easy_setopt(transfer, option, value);
}

/// libcurl keeps a copy of the text.
static inline CURLcode settle_curl_set_text(CURL *transfer, CURLoption option, const char *value) {
  return curl_easy_setopt(transfer, option, value);
}

/// What the pointer points to must live as long as the transfer.
static inline CURLcode settle_curl_set_pointer(CURL *transfer, CURLoption option, void *value) {
  return curl_easy_setopt(transfer, option, value);
}

/// Sets the functions that libcurl calls, and the object that it gives them.
///
/// - open: opens the socket of a connection.
/// - read: gives a part of the body to send.
/// - write: takes a part of the answer's head or body.
static inline void settle_curl_set_callbacks(
    CURL *transfer, void *object, curl_opensocket_callback open, curl_read_callback read, curl_write_callback write) {
  curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, open);
  curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, object);
  curl_easy_setopt(transfer, CURLOPT_READFUNCTION, read);
  curl_easy_setopt(transfer, CURLOPT_READDATA, object);
  curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, write);
  curl_easy_setopt(transfer, CURLOPT_HEADERDATA, object);
  curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, write);
  curl_easy_setopt(transfer, CURLOPT_WRITEDATA, object);
}

/// A number that libcurl knows about a transfer; 0 if it does not know it.
static inline long settle_curl_number(CURL *transfer, CURLINFO what) {
  long value = 0;
  curl_easy_getinfo(transfer, what, &value);
  return value;
}

/// The microseconds from the start of a transfer to an event; 0 if it did not happen.
static inline curl_off_t settle_curl_microseconds(CURL *transfer, CURLINFO event) {
  curl_off_t value = 0;
  curl_easy_getinfo(transfer, event, &value);
  return value;
}

#pragma clang assume_nonnull end

#endif
