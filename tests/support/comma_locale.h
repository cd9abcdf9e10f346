/* A locale whose decimal point is a comma, where one can be had. */
#ifndef TARE_TESTS_SUPPORT_COMMA_LOCALE_H
#define TARE_TESTS_SUPPORT_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool comma_locale_try(const char *name)
{
	return setlocale(LC_NUMERIC, name) && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Compiles a definition of numbers alone into a folder of its own and loads it from there. */
static inline bool comma_locale_make(void)
{
	char folder[] = "/tmp/tare-locale-XXXXXX", command[512];
	if (!mkdtemp(folder))
		return false;
	snprintf(
		command, sizeof(command),
		"cd %s && "
		"printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \".\"\\ngrouping 3;3\\nEND LC_NUMERIC\\n' >source"
		" && localedef -c -i ./source -f ANSI_X3.4-1968 ./comma >/dev/null 2>&1; test -e comma/LC_NUMERIC",
		folder);
	setenv("LOCPATH", folder, 1);
	bool made = system(command) == 0 && comma_locale_try("comma");
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) == 0 && made;
}

/* Switches the numbers of the process to it: an installed one, or one that localedef makes. False when there is none;
 * then the locale is "C". */
static inline bool comma_locale_set(void)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8", "pt_BR.UTF-8", "de_DE"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (comma_locale_try(names[i]))
			return true;
	if (comma_locale_make())
		return true;
	setlocale(LC_ALL, "C");
	return false;
}

#endif
