/* About 2 ns of dependent work, in an object file of its own that every contender links. */
#include "harness_chain.h"

uint64_t harness_chain(uint64_t x)
{
	x = x * UINT64_C(0x9e3779b97f4a7c15) + 1;
	return x * UINT64_C(0xbf58476d1ce4e5b9) + 1;
}
