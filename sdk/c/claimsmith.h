/* Helpers for Claimsmith plugins in C: members of JSON objects, and answers written as JSON. Everything lives as long as
 * the call, after which the whole instance is thrown away: nothing need be freed. What is answered is freed by the
 * bindings, so it must be allocated: `cs_copy`, `cs_object`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/plugin.h"

/* What the bindings ask for; `claimsmith plugin build` adds the contract itself. */
__attribute__((weak)) void __component_type_object_force_link_plugin(void) {}

/* A piece of a text; `at` is NULL where there is none. */
typedef struct {
  const char *at;
  size_t size;
} cs_text;

static inline cs_text cs_of(plugin_string_t text) { return (cs_text){(const char *)text.ptr, text.len}; }

static inline cs_text cs_chars(const char *text) { return (cs_text){text, strlen(text)}; }

static inline plugin_string_t cs_string(cs_text text) { return (plugin_string_t){(uint8_t *)text.at, text.size}; }

static inline void *cs_allocate(size_t size) {
  void *at = calloc(1, size + 1);
  if (!at) abort();
  return at;
}

/* A copy, to be answered. */
static inline plugin_string_t cs_copy(cs_text text) {
  plugin_string_t copy = {cs_allocate(text.size), text.size};
  if (text.size) memcpy(copy.ptr, text.at, text.size);
  return copy;
}

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
  const cs_text nothing = {NULL, 0};
  const char *at = object.at, *end = object.at + object.size;
  if (!at || object.size == 0 || *at != '{') return nothing;
  at++;
  while (at < end) {
    while (at < end && *at != '"' && *at != '}') at++;
    if (at >= end || *at == '}') break;
    const char *key = at + 1, *after = cs_after_string(at, end);
    const cs_text found = {key, (size_t)(after - 1 - key)};
    for (at = after; at < end && (*at == ':' || *at == ' ' || *at == '\n' || *at == '\t' || *at == '\r');) at++;
    const char *value = at;
    at = cs_after_value(at, end);
    if (cs_is(found, name)) return (cs_text){value, (size_t)(at - value)};
  }
  return nothing;
}

/* What stands between the quotes of a JSON string that has no escapes; nothing for every other value. */
static inline cs_text cs_unquoted(cs_text json) {
  if (!json.at || json.size < 2 || json.at[0] != '"' || memchr(json.at, '\\', json.size)) return (cs_text){NULL, 0};
  return (cs_text){json.at + 1, json.size - 2};
}

/* One of the plugin's variables; an empty text where it is not set. */
static inline cs_text cs_variable(plugin_list_tuple2_string_string_t variables, const char *name) {
  for (size_t i = 0; i < variables.len; i++)
    if (cs_is(cs_of(variables.ptr[i].f0), name)) return cs_of(variables.ptr[i].f1);
  return cs_chars("");
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
  if (text.size) memcpy(writer->at + writer->size, text.at, text.size);
  writer->size += text.size;
}

static inline cs_text cs_written(const cs_writer *writer) { return (cs_text){writer->at, writer->size}; }

/* Adds a member to an object, whose name is `prefix` and `name` and needs no escapes, and whose value is JSON text. */
static inline void cs_add(cs_writer *writer, cs_text prefix, const char *name, cs_text json) {
  cs_write(writer, cs_chars(writer->size == 0 ? "{\"" : ",\""));
  cs_write(writer, prefix);
  cs_write(writer, cs_chars(name));
  cs_write(writer, cs_chars("\":"));
  cs_write(writer, json);
}

/* Writes a text as a JSON string, with the escapes that it needs. */
static inline void cs_write_string(cs_writer *writer, cs_text text) {
  static const char digits[] = "0123456789abcdef";
  cs_write(writer, cs_chars("\""));
  for (size_t i = 0; i < text.size; i++) {
    const unsigned char c = (unsigned char)text.at[i];
    const char control[] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]}, escaped[] = {'\\', (char)c};
    if (c < 0x20) cs_write(writer, (cs_text){control, sizeof control});
    else if (c == '"' || c == '\\') cs_write(writer, (cs_text){escaped, sizeof escaped});
    else cs_write(writer, (cs_text){text.at + i, 1});
  }
  cs_write(writer, cs_chars("\""));
}

/* Adds a member to an object, whose value is a text. */
static inline void cs_add_string(cs_writer *writer, const char *name, cs_text text) {
  cs_writer value = {0};
  cs_write_string(&value, text);
  cs_add(writer, cs_chars(""), name, cs_written(&value));
}

/* The object of the members that were added. */
static inline plugin_string_t cs_object(cs_writer *writer) {
  cs_write(writer, cs_chars(writer->size == 0 ? "{}" : "}"));
  return cs_string(cs_written(writer));
}

/* The plugin could not do its work; the text goes to its log. */
static inline bool cs_fail(cs_text text, plugin_failure_t *failure) {
  failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_FAILED;
  failure->val.failed = cs_copy(text);
  return false;
}

/* The token must not be issued, and the text is shown to the application; or the message is not to be sent. */
static inline bool cs_deny(const char *text, plugin_failure_t *failure) {
  failure->tag = CLAIMSMITH_PLUGIN_TYPES_FAILURE_DENIED;
  failure->val.denied = cs_copy(cs_chars(text));
  return false;
}

#ifdef CLAIMSMITH_PLUGIN_CACHE_OWNER_USER

/* Claims plugins: reads what was stored under a key, as JSON text; `at` is NULL where there is no such entry. Without a
 * grant it fails. */
static inline bool cs_cache_get(claimsmith_plugin_cache_owner_t owner, const char *key, cs_text *found,
                                plugin_failure_t *failure) {
  plugin_string_t name = cs_string(cs_chars(key)), error;
  plugin_option_list_u8_t entry;
  if (!claimsmith_plugin_cache_get(owner, &name, &entry, &error)) return cs_fail(cs_of(error), failure);
  *found = entry.is_some ? (cs_text){(const char *)entry.val.ptr, entry.val.len} : (cs_text){NULL, 0};
  return true;
}

/* Claims plugins: stores JSON text for this many seconds, from 1 to 3600, in the place of what was there. */
static inline bool cs_cache_set(claimsmith_plugin_cache_owner_t owner, const char *key, cs_text json, uint32_t seconds,
                                plugin_failure_t *failure) {
  plugin_string_t name = cs_string(cs_chars(key)), error;
  plugin_list_u8_t value = {(uint8_t *)json.at, json.size};
  return claimsmith_plugin_cache_set(owner, &name, &value, seconds, &error) || cs_fail(cs_of(error), failure);
}

#endif

/* Writes to the plugin's log. */
static inline void cs_log(claimsmith_plugin_log_level_t level, cs_text text) {
  plugin_string_t line = cs_string(text);
  claimsmith_plugin_log_write(level, &line);
}
