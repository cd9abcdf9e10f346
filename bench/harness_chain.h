/* What the programs of harness_cost have in common. */
#ifndef TARE_BENCH_HARNESS_CHAIN_H
#define TARE_BENCH_HARNESS_CHAIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each call depends on the one before: x = harness_chain(x). */
uint64_t harness_chain(uint64_t x);

#ifdef __cplusplus
}
#endif

#endif
