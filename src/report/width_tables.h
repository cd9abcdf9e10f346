/* Code points that take no or two columns of a terminal, in ascending ranges (generated data). */
#ifndef TARE_REPORT_WIDTH_TABLES_H
#define TARE_REPORT_WIDTH_TABLES_H

#include <stddef.h>
#include <stdint.h>

struct code_range {
	uint32_t first, last;
};

extern const struct code_range width_zero[];
extern const size_t width_zero_count;
extern const struct code_range width_wide[];
extern const size_t width_wide_count;

#endif
