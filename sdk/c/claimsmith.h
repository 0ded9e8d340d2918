/* Helpers for Claimsmith plugins in C: members of JSON objects, and claims written as JSON. Everything lives as long as
 * the call, after which the whole instance is thrown away: nothing need be freed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/claims.h"

/* What the bindings ask for; `claimsmith plugin build` adds the contract itself. */
__attribute__((weak)) void __component_type_object_force_link_claims(void) {}

/* A piece of a text; `at` is NULL where there is none. */
typedef struct {
  const char *at;
  size_t size;
} cs_text;

static inline cs_text cs_of(claims_string_t text) { return (cs_text){(const char *)text.ptr, text.len}; }

static inline bool cs_is(cs_text text, const char *other) {
  return text.at && text.size == strlen(other) && memcmp(text.at, other, text.size) == 0;
}

/* Where the string that begins at `at` ends, behind its closing quote. */
static inline const char *cs_after_string(const char *at, const char *end) {
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\') at++;
  return at < end ? at + 1 : end;
}

/* Where the value that begins at `at` ends. */
static inline const char *cs_after_value(const char *at, const char *end) {
  int depth = 0;
  while (at < end) {
    if (*at == '"') {
      at = cs_after_string(at, end);
      if (depth == 0) return at;
      continue;
    }
    if (depth == 0 && (*at == ',' || *at == '}' || *at == ']')) return at;
    if (*at == '{' || *at == '[') depth++;
    if ((*at == '}' || *at == ']') && --depth == 0) return at + 1;
    at++;
  }
  return end;
}

/* The value of a member of a JSON object, as JSON text. Names are compared as they are written. */
static inline cs_text cs_member(cs_text object, const char *name) {
  const char *at = object.at, *end = object.at + object.size;
  if (!at || object.size == 0 || *at != '{') return (cs_text){NULL, 0};
  at++;
  while (at < end) {
    while (at < end && *at != '"' && *at != '}') at++;
    if (at >= end || *at == '}') break;
    const char *key = at + 1, *after = cs_after_string(at, end);
    cs_text found = {key, (size_t)(after - 1 - key)};
    for (at = after; at < end && (*at == ':' || *at == ' ' || *at == '\n' || *at == '\t' || *at == '\r');) at++;
    const char *value = at;
    at = cs_after_value(at, end);
    if (cs_is(found, name)) return (cs_text){value, (size_t)(at - value)};
  }
  return (cs_text){NULL, 0};
}

/* One of the plugin's variables; an empty text where it is not set. */
static inline cs_text cs_variable(const claims_claims_request_t *request, const char *name) {
  for (size_t i = 0; i < request->environment_variables.len; i++)
    if (cs_is(cs_of(request->environment_variables.ptr[i].f0), name)) return cs_of(request->environment_variables.ptr[i].f1);
  return (cs_text){"", 0};
}

/* What the backend said with the subject token: a JSON object, or nothing. */
static inline cs_text cs_said(const claims_claims_request_t *request) {
  if (!request->context.grant.is_some || !request->context.grant.val.subject_token_context.is_some) return (cs_text){NULL, 0};
  return cs_of(request->context.grant.val.subject_token_context.val);
}

/* A text that is being written. */
typedef struct {
  char *at;
  size_t size, room;
} cs_writer;

static inline void cs_write(cs_writer *writer, cs_text text) {
  if (writer->size + text.size > writer->room) {
    writer->room = (writer->size + text.size) * 2 + 64;
    writer->at = realloc(writer->at, writer->room);
    if (!writer->at) abort();
  }
  memcpy(writer->at + writer->size, text.at, text.size);
  writer->size += text.size;
}

static inline void cs_write_chars(cs_writer *writer, const char *text) { cs_write(writer, (cs_text){text, strlen(text)}); }

/* Adds a claim, whose name is `prefix` and `name` and needs no escapes, and whose value is JSON text. */
static inline void cs_claim(cs_writer *writer, cs_text prefix, const char *name, cs_text json) {
  cs_write_chars(writer, writer->size == 0 ? "{\"" : ",\"");
  cs_write(writer, prefix);
  cs_write_chars(writer, name);
  cs_write_chars(writer, "\":");
  cs_write(writer, json);
}

/* The claims that were added: what the plugin answers. */
static inline bool cs_answer(cs_writer *writer, claims_json_t *claims) {
  cs_write_chars(writer, writer->size == 0 ? "{}" : "}");
  *claims = (claims_string_t){(uint8_t *)writer->at, writer->size};
  return true;
}

/* The token must not be issued; the text is shown to the application. */
static inline bool cs_deny(const char *text, claims_failure_t *failure) {
  failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_DENIED;
  claims_string_dup(&failure->val.denied, text);
  return false;
}

/* The plugin could not do its work; the text goes to its log. */
static inline bool cs_fail(const char *text, claims_failure_t *failure) {
  failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_FAILED;
  claims_string_dup(&failure->val.failed, text);
  return false;
}

/* Writes to the plugin's log. */
static inline void cs_log(claimsmith_plugin_log_level_t level, cs_text text) {
  claims_string_t line = {(uint8_t *)text.at, text.size};
  claimsmith_plugin_log_write(level, &line);
}
