#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>

uint64_t kernels(uint64_t k);

#endif
