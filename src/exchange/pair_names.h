/* The numbers that pair keys, and the runs, builds and machines of pairs, have while tables are read. Tables that
 * are read with the same names give equal keys equal numbers. */
#ifndef TARE_EXCHANGE_PAIR_NAMES_H
#define TARE_EXCHANGE_PAIR_NAMES_H

#include "base/map.h"

struct pair_names {
	struct map machines, builds, runs, pairs;
	struct map places; /* machine, build and run together */
};

/* A zeroed struct is empty and valid. */
void pair_names_release(struct pair_names *names);

/* A small number for the key of a run or pair: a count is its own number, other text gets one past 2^31. MAP_NONE
 * when out of memory. */
uint32_t pair_names_number(struct map *names, const char *text, size_t length);

/* The text of a pair's number, in `buffer` where it is a count. */
const char *pair_names_text(const struct pair_names *names, uint32_t pair, char *buffer, size_t size);

/* The number of a run with its build and machine; MAP_NONE when out of memory. */
uint32_t pair_names_place(struct pair_names *names, uint32_t machine, uint32_t build, uint32_t run);

#endif
