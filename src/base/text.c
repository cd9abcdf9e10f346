#include "base/text.h"

#include <string.h>

size_t text_distance(const char *a, const char *b)
{
	enum { LONGEST = 32 };
	size_t n = strlen(a), m = strlen(b), row[LONGEST + 1];
	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[m];
}

bool text_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), wanted = strlen(end);
	return length > wanted && strcmp(text + length - wanted, end) == 0;
}

bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool text_same_lists(const char *const *a, const char *const *b)
{
	size_t i = 0;
	while (a && b && a[i] && b[i] && strcmp(a[i], b[i]) == 0)
		i++;
	return a == b || (a && b && !a[i] && !b[i]);
}

bool text_sets_variable(const char *text)
{
	size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
	return name > 0 && text[name] == '=' && (text[0] < '0' || text[0] > '9');
}
