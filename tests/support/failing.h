/* A table of system calls of which any can be made to fail. Whoever includes this has defined
 *
 *	FAILING_REAL                           the table whose calls are made where they do not fail
 *	static int must_fail(enum call call)   is asked before each call: 0, or the errno of its failure
 *
 * and gets FAILING_TABLE, the initial value of a struct syscalls. Included once a program. */
#include "support/calls.h"

#include <errno.h>

#define X(type, value, name, parameters, arguments) \
	static type failing_##name parameters \
	{ \
		int problem = must_fail(CALL_##name); \
		/* Closed is closed, even where close() says that it failed. */ \
		if (problem && CALL_##name != CALL_close && CALL_##name != CALL_closedir) { \
			errno = problem; \
			return value; \
		} \
		type result = FAILING_REAL.name arguments; \
		if (!problem) \
			return result; \
		errno = problem; \
		return value; \
	}
SYSCALLS(X)
#undef X

#define FAILING_ENTRY(type, failure, name, parameters, arguments) .name = failing_##name,
#define FAILING_TABLE \
	{ \
		SYSCALLS(FAILING_ENTRY) \
	}
