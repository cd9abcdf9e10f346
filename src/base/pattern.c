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
	return error_set(err, ERROR_USAGE, "'%.100s' is no regular expression: %s", text, why);
}

int pattern_matches(const regex_t *pattern, const char *text)
{
	int code = regexec(pattern, text, 0, NULL, 0);
	return code == REG_ESPACE ? -1 : code == 0;
}
