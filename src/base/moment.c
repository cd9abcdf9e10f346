#include "base/moment.h"

#include "base/parse.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A number of one to `most` digits; -1: none. */
static long number(const char **at, int most)
{
	long value = 0;
	int digits = 0;
	while (digits < most && isdigit((unsigned char)**at)) {
		value = value * 10 + (*(*at)++ - '0');
		digits++;
	}
	return digits ? value : -1;
}

static int bad(const char *text, struct error *err)
{
	return error_full(err, ERROR_INPUT, NULL, "write it like 2026-02-03 or 2026-02-03T14:05:06Z",
	                  "'%.60s' is not a time", text);
}

/* Days since 1970 in the Gregorian calendar (H. Hinnant's days_from_civil). */
static int64_t days(long year, long month, long day)
{
	year -= month <= 2;
	long era = year / 400, of_era = year - era * 400;
	long of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
	return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* "14:05:06.25", "080000", or nothing; in ms. */
static bool clock_time(const char **at, int64_t *milliseconds)
{
	bool colon = (*at)[0] && (*at)[1] && ((*at)[1] == ':' || (*at)[2] == ':');
	long hour = number(at, 2), minute, second = 0;
	int64_t fraction = 0, unit = 100;
	if (hour < 0 || hour > 24 || (colon && *(*at)++ != ':') || (minute = number(at, 2)) < 0 || minute > 59)
		return false;
	if (colon ? **at == ':' : isdigit((unsigned char)**at)) {
		*at += colon;
		if ((second = number(at, 2)) < 0 || second > 60)
			return false;
	}
	if (**at == '.')
		for (++*at; isdigit((unsigned char)**at); ++*at, unit /= 10)
			fraction += unit * (**at - '0');
	*milliseconds = ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
	return true;
}

/* "Z", "UTC", "+01:00", "-0530", or nothing; minutes east. */
static bool zone(const char **at, long *minutes)
{
	*minutes = 0;
	if (**at == 'Z' || **at == 'z') {
		++*at;
	} else if (strncmp(*at, "UTC", 3) == 0 || strncmp(*at, "GMT", 3) == 0) {
		*at += 3;
	} else if (**at == '+' || **at == '-') {
		int sign = *(*at)++ == '-' ? -1 : 1;
		long hours = number(at, 2), rest = 0;
		*at += **at == ':';
		if (**at)
			rest = number(at, 2);
		if (hours < 0 || rest < 0)
			return false;
		*minutes = sign * (hours * 60 + rest);
	}
	return true;
}

static const char *spaces(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

/* Seconds, or milliseconds where they would be past the year 5138. */
static bool since_1970(const char *text, int64_t *milliseconds)
{
	double value;
	size_t digits = strspn(text, "0123456789"), used = parse_number_prefix(text, strlen(text), &value);
	if (digits < 9 || *spaces(text + used) || !(value >= 0 && value < 1e15))
		return false;
	*milliseconds = (int64_t)(value < 1e11 ? value * 1000 : value);
	return true;
}

int moment_parse(const char *text, int64_t *milliseconds, struct error *err)
{
	const char *at = spaces(text);
	int64_t in_day = 0;
	long east = 0, year, month, day;
	if (since_1970(at, milliseconds))
		return 0;
	year = number(&at, 4);
	at += *at == '-' || *at == '.' || *at == '/';
	month = number(&at, 2);
	at += *at == '-' || *at == '.' || *at == '/';
	day = number(&at, 2);
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31)
		return bad(text, err);
	if (days(year, month, day) >= days(year + month / 12, month % 12 + 1, 1))
		return error_full(err, ERROR_INPUT, NULL, "give another day of that month",
		                  "'%.60s' is a date that does not exist", text);
	if ((*at == 'T' || *at == ' ' || *at == '-' || *at == 't') && isdigit((unsigned char)*spaces(at + 1))) {
		at = spaces(at + 1);
		if (!clock_time(&at, &in_day))
			return bad(text, err);
	}
	at = spaces(at);
	if (!zone(&at, &east) || *spaces(at))
		return bad(text, err);
	*milliseconds = days(year, month, day) * 86400000 + in_day - (int64_t)east * 60000;
	return 0;
}

/* The parts of a time in UTC; false beyond the calendar. */
static bool parts(int64_t milliseconds, struct tm *utc)
{
	time_t seconds = (time_t)(milliseconds / 1000);
	return gmtime_r(&seconds, utc) && utc->tm_year < 8100;
}

char *moment_short(int64_t milliseconds, char text[MOMENT_TEXT])
{
	struct tm utc;
	if (!parts(milliseconds, &utc) || strftime(text, MOMENT_TEXT, "%Y-%m-%d %H:%M", &utc) == 0)
		snprintf(text, MOMENT_TEXT, "-");
	return text;
}

char *moment_text(int64_t milliseconds, char text[MOMENT_TEXT])
{
	struct tm utc;
	if (!parts(milliseconds, &utc) || strftime(text, MOMENT_TEXT, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
		snprintf(text, MOMENT_TEXT, "-");
	return text;
}
