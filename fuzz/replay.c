/* Runs a fuzz target over the files of a folder, as a test: each as it is, cut off, and with bytes changed by a fixed
 * seed.
 * usage: replay FOLDER; prints TAP. What goes wrong ends the program. */
#include "base/random.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED_MAX = 1 << 17, CHANGES = 60, CUTS = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* In memory of that size, so that a read past the end is seen. */
static void one(const uint8_t *bytes, size_t length)
{
	uint8_t *copy = malloc(length ? length : 1);
	if (!copy)
		exit(1);
	memcpy(copy, bytes, length);
	LLVMFuzzerTestOneInput(copy, length);
	free(copy);
}

static void vary(const uint8_t *bytes, size_t length, struct random *random)
{
	static uint8_t changed[SEED_MAX];
	one(bytes, length);
	for (size_t cut = 0; cut < length; cut += length / CUTS + 1)
		one(bytes, cut);
	for (int i = 0; i < CHANGES && length > 0; i++) {
		memcpy(changed, bytes, length);
		for (uint64_t k = 1 + random_below(random, 4); k > 0; k--)
			changed[random_below(random, length)] = (uint8_t)random_below(random, 256);
		one(changed, length);
	}
}

int main(int argc, char **argv)
{
	static uint8_t bytes[SEED_MAX];
	struct random random;
	struct dirent *entry;
	DIR *folder = argc > 1 ? opendir(argv[1]) : NULL;
	int count = 0;
	random_seed(&random, 1);
	while (folder && (entry = readdir(folder)) != NULL) {
		char path[4096];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
		FILE *file = fopen(path, "rb");
		if (!file)
			break;
		size_t length = fread(bytes, 1, sizeof(bytes), file);
		fclose(file);
		printf("# %s\n", entry->d_name);
		fflush(stdout);
		vary(bytes, length, &random);
		count++;
	}
	if (folder)
		closedir(folder);
	printf("1..1\n%sok 1 %d inputs\n", count > 0 ? "" : "not ", count);
	return 0;
}
