/* Numbers are read without the locale: the common case by exact integer
 * arithmetic (at most 19 digits, at most 22 decimal places: both factors are
 * exact doubles, so one rounding is the right one), the rest by strtod_l. */
#include "base/parse.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 800 }; /* 767 decide any double; of the rest only whether it is 0 */

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static locale_t c_locale(void)
{
	static locale_t locale; /* made once; a lost race leaks one small object */
	locale_t now = __atomic_load_n(&locale, __ATOMIC_ACQUIRE);
	if (!now) {
		now = newlocale(LC_ALL_MASK, "C", (locale_t)0);
		__atomic_store_n(&locale, now, __ATOMIC_RELEASE);
	}
	return now;
}

/* digits[0..length) with at most one point, times 10^power where the point counts as none. However long the text
 * is, MAX_DIGITS of it are read, and a 1 in place of a tail that is not 0. */
static double slow_number(const char *digits, size_t length, long long power)
{
	char copy[MAX_DIGITS + 32];
	size_t used = 0;
	bool tail = false;
	for (size_t i = 0; i < length; i++) {
		if (digits[i] == '.' || (used == 0 && digits[i] == '0'))
			continue;
		if (used < MAX_DIGITS) {
			copy[used++] = digits[i];
			continue;
		}
		tail |= digits[i] != '0';
		power++;
	}
	if (tail) {
		copy[used++] = '1';
		power--;
	}
	if (used == 0)
		return 0;
	copy[used++] = 'e';
	if (power < 0)
		copy[used++] = '-';
	long long size = power < 0 ? -power : power;
	if (size > 99999)
		size = 99999;
	for (long long place = 10000; place > 0; place /= 10)
		copy[used++] = (char)('0' + size / place % 10);
	copy[used] = '\0';
	locale_t locale = c_locale();
	return locale ? strtod_l(copy, NULL, locale) : strtod(copy, NULL);
}

/* inf, infinity, nan in any case; the length of the word or 0. */
static size_t special_word(const char *text, size_t length, double *out)
{
	static const struct {
		const char *word;
		double value;
	} words[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan", NAN}};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i].word);
		size_t same = 0;
		while (same < n && same < length && (text[same] | 0x20) == words[i].word[same])
			same++;
		if (same == n) {
			*out = words[i].value;
			return n;
		}
	}
	return 0;
}

/* Digits with at most one point. */
struct digits {
	uint64_t value; /* as a whole number, right up to 19 significant ones */
	long long significant, decimals, seen;
	size_t length;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Eight digits at a time, as Lemire (2021) does: neighbouring digits, then pairs of digits and fours are joined. */
static inline bool eight_digits(const char *text, uint64_t *value)
{
	uint64_t word;
	memcpy(&word, text, sizeof(word));
	word = le64toh(word);
	if (((word & 0xf0f0f0f0f0f0f0f0u) | ((word + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4) !=
	    0x3333333333333333u)
		return false;
	word -= 0x3030303030303030u;
	word = word * 10 + (word >> 8);
	word = ((word & 0x000000ff000000ffu) * (100 + (1000000ull << 32)) +
	        (word >> 16 & 0x000000ff000000ffu) * (1 + (10000ull << 32))) >>
	       32;
	*value = *value * 100000000 + (uint32_t)word;
	return true;
}

static inline size_t skip_digits(const char *text, size_t length, uint64_t *value)
{
	size_t at = 0;
	while (length - at >= 8 && eight_digits(text + at, value))
		at += 8;
	for (; at < length && is_digit(text[at]); at++)
		*value = *value * 10 + (uint64_t)(text[at] - '0');
	return at;
}

/* Right where 19 digits or fewer are seen; counts right in any case. */
static struct digits read_digits(const char *text, size_t length)
{
	struct digits d = {0};
	size_t at = skip_digits(text, length, &d.value), point;
	d.seen = (long long)at;
	if (at < length && text[at] == '.') {
		point = at++;
		at += skip_digits(text + at, length - at, &d.value);
		d.decimals = (long long)(at - point - 1);
		d.seen += d.decimals;
	}
	d.significant = d.seen;
	d.length = at;
	return d;
}

/* Leading zeros do not count. */
static struct digits read_many_digits(const char *text, size_t length)
{
	struct digits d = {0};
	bool point = false;
	for (; d.length < length; d.length++) {
		char c = text[d.length];
		if (is_digit(c)) {
			d.seen++;
			if (d.significant < 19) {
				d.value = d.value * 10 + (uint64_t)(c - '0');
				d.significant += d.value != 0;
			} else {
				d.significant++;
			}
			d.decimals += point;
		} else if (c == '.' && !point) {
			point = true;
		} else {
			break;
		}
	}
	return d;
}

size_t parse_number_prefix(const char *text, size_t length, double *out)
{
	size_t at = 0;
	bool negative = false;
	if (at < length && (text[at] == '-' || text[at] == '+'))
		negative = text[at++] == '-';

	size_t start = at;
	struct digits d = read_digits(text + at, length - at);
	if (d.seen > 19)
		d = read_many_digits(text + at, length - at);
	at += d.length;
	if (d.seen == 0) {
		double value;
		size_t used = special_word(text + start, length - start, &value);
		if (used > 0)
			*out = negative ? -value : value;
		return used > 0 ? start + used : 0;
	}
	size_t end = at;
	long long exponent = 0;
	if (at < length && (text[at] == 'e' || text[at] == 'E')) {
		size_t p = at + 1;
		bool minus = false;
		if (p < length && (text[p] == '-' || text[p] == '+'))
			minus = text[p++] == '-';
		if (p < length && text[p] >= '0' && text[p] <= '9') {
			for (; p < length && text[p] >= '0' && text[p] <= '9'; p++)
				if (exponent < 1000000000000000)
					exponent = exponent * 10 + (text[p] - '0');
			exponent = minus ? -exponent : exponent;
			at = p;
		}
	}
	long long power = exponent - d.decimals;
	if (d.significant <= 19 && d.value <= (1ull << 53) && power >= -22 && power <= 22) {
		double value = (double)d.value;
		value = power < 0 ? value / powers_of_ten[-power] : value * powers_of_ten[power];
		*out = negative ? -value : value;
	} else {
		double value = slow_number(text + start, end - start, power);
		*out = negative ? -value : value;
	}
	return at;
}

int parse_double(const char *text, double *out, struct error *err)
{
	double value;
	size_t length = strlen(text);
	size_t used = parse_number_prefix(text, length, &value);
	if (used == 0 || used != length || !isfinite(value))
		return error_set(err, ERROR_USAGE, "'%.80s' is not a finite number", text);
	*out = value;
	return 0;
}

int parse_integer(const char *text, int64_t low, int64_t high, int64_t *out, struct error *err)
{
	char *end = NULL;
	errno = 0;
	bool starts_well = isdigit((unsigned char)text[0]) ||
	                   ((text[0] == '-' || text[0] == '+') && isdigit((unsigned char)text[1]));
	long long value = starts_well ? strtoll(text, &end, 10) : 0;
	if (!starts_well || *end != '\0')
		return error_set(err, ERROR_USAGE, "'%.80s' is not a whole number", text);
	if (errno == ERANGE || value < low || value > high)
		return error_set(err, ERROR_USAGE, "must be between %lld and %lld", (long long)low, (long long)high);
	*out = value;
	return 0;
}

struct named_unit {
	const char *name;
	double scale;
};

/* The unit that `text` begins with (longest name first in the table), or NULL. */
static const struct named_unit *unit_at(const char *text, const struct named_unit *units, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(text, units[i].name, strlen(units[i].name)) == 0)
			return &units[i];
	return NULL;
}

int parse_duration(const char *text, int64_t *nanoseconds, struct error *err)
{
	static const struct named_unit units[] = {{"ns", 1},          {"us", 1e3}, {"\xc2\xb5s", 1e3},
	                                          {"\xce\xbcs", 1e3}, {"ms", 1e6}, {"min", 60e9},
	                                          {"m", 60e9},        {"s", 1e9},  {"h", 3600e9}};
	double total = 0;
	const char *at = text;
	bool bare = false;
	do {
		double value = NAN;
		size_t used = isdigit((unsigned char)*at) || *at == '.' ? parse_number_prefix(at, strlen(at), &value) : 0;
		if (used == 0 || !isfinite(value))
			goto bad;
		at += used;
		while (*at == ' ')
			at++;
		const struct named_unit *unit = unit_at(at, units, sizeof(units) / sizeof(units[0]));
		if (unit)
			at += strlen(unit->name);
		else if (*at != '\0' || at != text + used)
			goto bad;
		else
			bare = true;
		total += value * (unit ? unit->scale : 1e9);
	} while (*at != '\0' && !bare);
	if (total >= 9.2e18)
		return error_set(err, ERROR_USAGE, "'%.80s' is too long a time", text);
	*nanoseconds = (int64_t)llround(total);
	return 0;
bad:
	return error_full(err, ERROR_USAGE, NULL, "write it like 250ms, 1.5s, 2m or 1m30s", "'%.80s' is not a duration",
	                  text);
}

int parse_percent(const char *text, double *fraction, struct error *err)
{
	double value;
	size_t length = strlen(text);
	size_t used = parse_number_prefix(text, length, &value);
	if (used > 0) {
		size_t sign = used;
		while (text[sign] == ' ')
			sign++;
		if (text[sign] == '%')
			used = sign + 1;
	}
	if (used == 0 || used != length || !isfinite(value)) {
		error_set(err, ERROR_USAGE, "'%.80s' is not a percentage", text);
		return error_next(err, "write it like 1%% or 0.5%%");
	}
	*fraction = value / 100;
	return 0;
}

int parse_size(const char *text, int64_t *bytes, struct error *err)
{
	static const struct named_unit units[] = {
		{"KiB", 1024.},
		{"MiB", 1048576.},
		{"GiB", 1073741824.},
		{"TiB", 1099511627776.},
		{"kB", 1e3},
		{"KB", 1e3},
		{"MB", 1e6},
		{"GB", 1e9},
		{"TB", 1e12},
		{"k", 1024.},
		{"K", 1024.},
		{"M", 1048576.},
		{"G", 1073741824.},
		{"T", 1099511627776.},
		{"B", 1},
	};
	double value = NAN;
	size_t used = isdigit((unsigned char)text[0]) ? parse_number_prefix(text, strlen(text), &value) : 0;
	if (used == 0 || !isfinite(value))
		goto bad;
	if (strspn(text, "0123456789") == strlen(text)) { /* exact, past 2^53 too */
		if (parse_integer(text, 0, INT64_MAX, bytes, NULL) == 0)
			return 0;
		return error_set(err, ERROR_USAGE, "'%.80s' is too large a size", text);
	}
	const char *at = text + used;
	while (*at == ' ')
		at++;
	const struct named_unit *unit = unit_at(at, units, sizeof(units) / sizeof(units[0]));
	bool bare = !unit && *at == '\0' && at == text + used;
	if (!bare && (!unit || at[strlen(unit->name)] != '\0'))
		goto bad;
	value *= bare ? 1 : unit->scale;
	if (value >= 9.2e18)
		return error_set(err, ERROR_USAGE, "'%.80s' is too large a size", text);
	if (value != floor(value))
		return error_set(err, ERROR_USAGE, "'%.80s' is not a whole number of bytes", text);
	*bytes = (int64_t)value;
	return 0;
bad:
	return error_full(err, ERROR_USAGE, NULL, "write it like 4096, 64k, 1.5M or 2GB", "'%.80s' is not a size", text);
}
