/* The system calls of host/syscalls.h, numbered and named. */
#ifndef TARE_TESTS_SUPPORT_CALLS_H
#define TARE_TESTS_SUPPORT_CALLS_H

#include "host/syscalls.h"

enum call {
#define X(type, failure, name, parameters, arguments) CALL_##name,
	SYSCALLS(X)
#undef X
		CALL_COUNT
};

static const char *const call_names[] = {
#define X(type, failure, name, parameters, arguments) #name,
	SYSCALLS(X)
#undef X
};

#endif
