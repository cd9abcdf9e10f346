/* Eight loops that differ in a constant alone. Each is a few instructions; where these lie in memory decides whether
 * the CPU fetches them in one piece or in two, which on many CPUs makes such a loop nearly twice as slow. */
#include "kernels.h"

enum { SIZE = 512 };
uint64_t from[SIZE + 8], to[SIZE + 8];

/* The empty asm keeps the compiler from turning the loop into one that works on several elements at once. */
#define KERNEL(name, number) \
	__attribute__((noinline)) uint64_t name(uint64_t k) \
	{ \
		k ^= number; \
		for (int i = 0; i < SIZE; i++) { \
			to[i + 1] = from[i] + k; \
			__asm__ volatile("" ::: "memory"); \
		} \
		return to[5]; \
	}

KERNEL(kernel_a, 1)
KERNEL(kernel_b, 2)
KERNEL(kernel_c, 3)
KERNEL(kernel_d, 4)
KERNEL(kernel_e, 5)
KERNEL(kernel_f, 6)
KERNEL(kernel_g, 7)
KERNEL(kernel_h, 8)

uint64_t kernels(uint64_t k)
{
	return kernel_a(k) + kernel_b(k) + kernel_c(k) + kernel_d(k) + kernel_e(k) + kernel_f(k) + kernel_g(k) +
	       kernel_h(k);
}
