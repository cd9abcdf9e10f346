#include "support/fake.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void give_up(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

char *fake_root(void)
{
	const char *tmp = getenv("TMPDIR");
	char *name = malloc(PATH_MAX);
	if (!name)
		give_up("memory");
	snprintf(name, PATH_MAX, "%s/tare-test-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
	if (!mkdtemp(name))
		give_up(name);
	return name;
}

void fake_file(const char *root, const char *path, const char *text)
{
	char full[PATH_MAX];
	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(full, 0777) != 0 && errno != EEXIST)
			give_up(full);
		*slash = '/';
	}
	FILE *file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		give_up(full);
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *place)
{
	(void)stat;
	(void)type;
	(void)place;
	return remove(path);
}

void fake_remove(const char *root)
{
	if (nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0)
		give_up(root);
}
