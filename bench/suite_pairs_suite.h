/* The table of steps that the suite of bench/suite_pairs reads. */
#ifndef TARE_BENCH_SUITE_PAIRS_SUITE_H
#define TARE_BENCH_SUITE_PAIRS_SUITE_H

#include <stdint.h>

extern const uint32_t suite_steps[30];

#endif
