/* One number out of JSON text, by its path. */
#ifndef TARE_MEASURE_JSON_PATH_H
#define TARE_MEASURE_JSON_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a path can be read: keys and places, as in jq: results[0].rate, .a.b, a["key with . in it"][-1] (from the
 * end), results[].rate (all places; json_path_number() takes the first). */
bool json_path_valid(const char *path);

/* The number at `path` in the first JSON object or array of the text that has one there; other text around it is passed
 * over. A number in quotes counts. False when there is none. */
bool json_path_number(const char *text, size_t length, const char *path, double *out);

/* Every number at `path`, of every JSON object or array in the text, in order; an array there gives all of its
 * numbers. */
void json_path_each(const char *text, size_t length, const char *path, void (*visit)(void *context, double value),
                    void *context);

#endif
