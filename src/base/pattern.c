#include "base/pattern.h"

int pattern_compile(regex_t *pattern, const char *text, struct error *err)
{
	int code = regcomp(pattern, text, REG_EXTENDED | REG_NOSUB);
	if (code == 0)
		return 0;
	if (code == REG_ESPACE)
		return error_memory(err);
	char why[128];
	regerror(code, pattern, why, sizeof(why));
	return error_set(err, ERROR_USAGE, "'%.100s' is not a regular expression: %s", text, why);
}

int pattern_matches(const regex_t *pattern, const char *text)
{
	int code = regexec(pattern, text, 0, NULL, 0);
	return code == REG_ESPACE ? -1 : code == 0;
}

int name_filter_init(struct name_filter *filter, const char *text, struct error *err)
{
	*filter = (struct name_filter){.given = false};
	if (!text)
		return 0;
	filter->without = text[0] == '-';
	text += filter->without;
	if (text[0] == '*' || text[0] == '?') { /* of a shell; the C library would look for the sign itself */
		error_set(err, ERROR_USAGE, "'%.100s' is not a regular expression", text);
		error_on(err, "--filter");
		return error_next(err, "sort matches every name with sort in it, ^sort those that begin so, .* anything");
	}
	if (pattern_compile(&filter->regex, text, err) != 0)
		return error_on(err, "--filter");
	filter->given = true;
	return 0;
}

void name_filter_release(struct name_filter *filter)
{
	if (filter->given)
		regfree(&filter->regex);
	filter->given = false;
}

int name_filter_keeps(const struct name_filter *filter, const char *name)
{
	int matches = filter->given ? pattern_matches(&filter->regex, name) : 1;
	return matches < 0 ? -1 : matches == !filter->without;
}
