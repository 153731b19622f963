/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/geometry.h"

/* Text of limited length, ended by zero: there is no snprintf here. */
struct writer {
  char* at;
  char* end; /* room for the final zero included */
};

static void put(struct writer* out, const char* text, size_t length) {
  while (length-- > 0 && out->at + 1 < out->end) *out->at++ = *text++;
  if (out->at < out->end) *out->at = 0;
}

static void put_text(struct writer* out, const char* text) {
  size_t length = 0;
  while (text[length]) ++length;
  put(out, text, length);
}

static void put_number(struct writer* out, uint64_t number) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  put(out, digits + first, sizeof digits - first);
}

/* Bytes in the largest unit that divides them. */
static void put_size(struct writer* out, uint64_t bytes) {
  static const char units[] = "\0KMG";
  int unit = 0;
  while (unit < 3 && bytes && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  put_number(out, bytes);
  if (unit) put(out, &units[unit], 1);
}

static void put_level(struct writer* out, uint32_t level) {
  put_text(out, "L");
  put_number(out, level + 1);
}

/* "L2 size: '...', expected ...". Quotes at most 40 characters of the field. */
static int refuse(struct writer* out, uint32_t level, const char* field, const char* text,
                  size_t length, const char* expected) {
  put_level(out, level);
  put_text(out, field);
  put_text(out, ": '");
  put(out, text, length < 40 ? length : 40);
  put_text(out, "', expected ");
  put_text(out, expected);
  return 0;
}

static int check_sets(const struct roof_geometry* geometry, uint32_t level, struct writer* out) {
  const uint64_t unit = (uint64_t)geometry->ways[level] * ROOF_CACHE_LINE_BYTES;
  if (geometry->size_bytes[level] % unit == 0) return 1;
  put_level(out, level);
  put_text(out, " size: ");
  put_size(out, geometry->size_bytes[level]);
  put_text(out, " is not a whole number of sets, expected a multiple of ");
  put_number(out, geometry->ways[level]);
  put_text(out, " ways x 64 bytes = ");
  put_number(out, unit);
  return 0;
}

static int check_growth(const struct roof_geometry* geometry, uint32_t level, struct writer* out) {
  if (level == 0 || geometry->size_bytes[level] > geometry->size_bytes[level - 1]) return 1;
  put_level(out, level);
  put_text(out, " size: ");
  put_size(out, geometry->size_bytes[level]);
  put_text(out, ", expected more than the ");
  put_size(out, geometry->size_bytes[level - 1]);
  put_text(out, " of ");
  put_level(out, level - 1);
  return 0;
}

static int check_range(struct writer* out, uint32_t level, const char* field, uint64_t value,
                       uint64_t limit, const char* expected) {
  if (value >= 1 && value <= limit) return 1;
  put_level(out, level);
  put_text(out, field);
  put_number(out, value);
  put_text(out, expected);
  return 0;
}

static int check(const struct roof_geometry* geometry, struct writer* out) {
  if (geometry->levels < 1 || geometry->levels > ROOF_CACHE_LEVELS) {
    put_number(out, geometry->levels);
    put_text(out, " levels, expected 1..3");
    return 0;
  }
  for (uint32_t level = 0; level < geometry->levels; ++level) {
    if (!check_range(out, level, " ways: ", geometry->ways[level], ROOF_CACHE_MAX_WAYS,
                     ", expected 1..1024") ||
        !check_range(out, level, " size: ", geometry->size_bytes[level], ROOF_CACHE_MAX_BYTES,
                     " bytes, expected 64..64G") ||
        !check_sets(geometry, level, out) || !check_growth(geometry, level, out)) {
      return 0;
    }
  }
  return 1;
}

int roof_geometry_check(const struct roof_geometry* geometry, char* error, size_t capacity) {
  struct writer out = {error, error + capacity};
  return check(geometry, &out);
}

/* Length of the field that starts at text and ends before a delimiter or the end. */
static size_t field_length(const char* text, const char* delimiters) {
  size_t length = 0;
  for (; text[length]; ++length) {
    for (const char* d = delimiters; *d; ++d) {
      if (text[length] == *d) return length;
    }
  }
  return length;
}

/* Decimal digits in front of text; 0 digits read: not a number. Saturates far above any limit. */
static size_t read_digits(const char* text, size_t length, uint64_t* value) {
  size_t i = 0;
  *value = 0;
  for (; i < length && text[i] >= '0' && text[i] <= '9'; ++i) {
    if (*value < UINT64_C(1) << 40) *value = *value * 10 + (uint64_t)(text[i] - '0');
  }
  return i;
}

static int read_size(const char* text, size_t length, uint64_t* bytes) {
  const size_t digits = read_digits(text, length, bytes);
  if (digits == 0 || length > digits + 1) return 0;
  if (length == digits) return *bytes >= 1 && *bytes <= ROOF_CACHE_MAX_BYTES;
  const char unit = text[digits];
  const int shift = unit == 'K' || unit == 'k'   ? 10
                    : unit == 'M' || unit == 'm' ? 20
                    : unit == 'G' || unit == 'g' ? 30
                                                 : 0;
  if (!shift || *bytes < 1 || *bytes > ROOF_CACHE_MAX_BYTES >> shift) return 0;
  *bytes <<= shift;
  return 1;
}

/* Reads one "L2:2M:16" in front of text into geometry; returns its length, or 0 with a message. */
static size_t read_level(const char* text, uint32_t level, struct roof_geometry* geometry,
                         struct writer* out) {
  static const char* const names[] = {"'L1'", "'L2'", "'L3'"};
  const char* at = text;
  size_t length = field_length(at, ":,");
  if (length != 2 || at[0] != 'L' || at[1] != (char)('1' + level)) {
    return (size_t)refuse(out, level, " name", at, length, names[level]);
  }
  at += length;
  at += *at == ':';
  length = field_length(at, ":,");
  if (!read_size(at, length, &geometry->size_bytes[level])) {
    return (size_t)refuse(out, level, " size", at, length,
                          "a whole number up to 64G, with K, M or G for powers of 1024");
  }
  at += length;
  at += *at == ':';
  length = field_length(at, ",");
  uint64_t ways = 0;
  if (read_digits(at, length, &ways) != length || ways < 1 || ways > ROOF_CACHE_MAX_WAYS) {
    return (size_t)refuse(out, level, " ways", at, length, "a whole number 1..1024");
  }
  geometry->ways[level] = (uint32_t)ways;
  return (size_t)(at + length - text);
}

int roof_geometry_parse(const char* text, struct roof_geometry* geometry, char* error,
                        size_t capacity) {
  struct writer out = {error, error + capacity};
  struct roof_geometry read = {0};
  for (const char* at = text;; ++at) {
    if (read.levels == ROOF_CACHE_LEVELS) {
      put_text(&out, "text after L3: '");
      put(&out, at, field_length(at, ""));
      put_text(&out, "', expected at most 3 levels");
      return 0;
    }
    const size_t length = read_level(at, read.levels, &read, &out);
    if (!length) return 0;
    at += length;
    ++read.levels;
    if (!*at) break;
  }
  if (!check(&read, &out)) return 0;
  *geometry = read;
  return 1;
}
