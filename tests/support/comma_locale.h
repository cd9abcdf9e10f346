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
	return setlocale(LC_ALL, name) && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Switches the process to it: an installed one, or one compiled into a folder of its own where localedef and its
 * sources are installed. False when there is none; then the locale is "C". */
static inline bool comma_locale_set(void)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8", "pt_BR.UTF-8", "de_DE"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (comma_locale_try(names[i]))
			return true;
	char folder[] = "/tmp/tare-locale-XXXXXX", command[256];
	if (mkdtemp(folder)) {
		snprintf(command, sizeof(command), "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
		bool made = system(command) == 0;
		setenv("LOCPATH", folder, 1);
		made = made && comma_locale_try("de_DE.UTF-8");
		snprintf(command, sizeof(command), "rm -rf %s", folder);
		if (system(command) == 0 && made)
			return true;
	}
	setlocale(LC_ALL, "C");
	return false;
}

#endif
