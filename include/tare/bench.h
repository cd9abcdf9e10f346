/* SPDX-License-Identifier: MIT */
/* tare/bench.h: benchmarks in C11 and C++11.
 *
 *	#include <tare/bench.h>
 *
 *	TARE_BENCH(checksum)
 *	{
 *		char *text = load();             // not timed
 *		TARE_LOOP(t)                     // timed: the loop and two clock reads
 *			tare_keep(checksum(text));
 *		free(text);                      // not timed
 *	}
 *
 *	TARE_MAIN()
 *
 * `./suite` prints a plain table; `tare bench ./suite` measures with intervals, `tare bench ./old ./new` compares.
 * One call of the function is one iteration: its TARE_LOOP runs as many invocations as tare asks for. The argument is
 * called `t`. Link with -ltare-bench -pthread (pkg-config tare-bench), or copy the single header <tare/bench_single.h>.
 *
 * Call these functions only from the thread that runs the benchmark, unless stated otherwise.
 * All times are nanoseconds, all sizes bytes. Strings that are passed in are copied. */
#ifndef TARE_BENCH_H
#define TARE_BENCH_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__GNUC__)
#error "tare/bench.h needs gcc or clang"
#endif

#define TARE_API __attribute__((visibility("default")))

#ifdef __cplusplus
#include <exception>
#include <type_traits>
extern "C" {
#endif

struct tare;         /* one iteration of one benchmark in one thread; given to the benchmark as `t` */
struct tare_options; /* parameters and options of a benchmark; given to TARE_CONFIGURE as `o` */

typedef void (*tare_function)(struct tare *t);
typedef void (*tare_configure)(struct tare_options *o);

enum tare_better { TARE_LOWER, TARE_HIGHER }; /* which direction of a metric is better */

/* Parameters and options: inside TARE_CONFIGURE(name) { … } after TARE_BENCH(name).
 *
 * Each parameter multiplies the benchmark: two parameters with 3 and 4 values make 12 benchmarks, named like
 * "sort/n=1024/order=random" in the order of the calls. A wrong call (no values, a step of 0, a name twice) is
 * reported when the program starts, with the name of the benchmark. */

/* "random,sorted,reversed": the values as text, white space around them dropped. */
TARE_API void tare_values(struct tare_options *o, const char *name, const char *comma_separated);

/* first, first + step, … up to last, which is included only if a step reaches it. step > 0. */
TARE_API void tare_range(struct tare_options *o, const char *name, int64_t first, int64_t last, int64_t step);

/* first, first * factor, … and always last. 0 < first <= last, factor >= 2. */
TARE_API void tare_powers(struct tare_options *o, const char *name, int64_t first, int64_t last, int64_t factor);

/* "1,2,4": run in this many threads, started together; a parameter named "threads". */
TARE_API void tare_threads(struct tare_options *o, const char *comma_separated);

/* What happens outside the timed region; either function may be NULL. Set-up that is done in the benchmark itself
 * before TARE_LOOP belongs to the iteration.
 *  - each run: once in a process, before the first and after the last iteration of the benchmark;
 *  - each iteration: around every call of the benchmark, in the first thread;
 *  - each invocation: before and after every `batch` invocations (1 for each), in every thread. The clock is stopped
 *    in between, which costs two clock reads per batch. tare measures and subtracts that cost, but choose a batch that
 *    takes more than a microsecond. Run-queue delay is not known then.
 * The tear-down of a set-up that skips or fails is not called: it must free what it allocated. */
TARE_API void tare_each_run(struct tare_options *o, tare_function set_up, tare_function tear_down);
TARE_API void tare_each_iteration(struct tare_options *o, tare_function set_up, tare_function tear_down);
TARE_API void tare_each_invocation(struct tare_options *o, uint64_t batch, tare_function set_up,
                                   tare_function tear_down);

/* A default for this benchmark of an option of `tare bench`, by its long name: ("iterations", "20"). */
TARE_API void tare_default(struct tare_options *o, const char *option, const char *value);

/* The metric that tare_unit() fills: name, unit ("s", "bytes", "MB/s", …) and direction. */
TARE_API void tare_unit_metric(struct tare_options *o, const char *name, const char *unit, enum tare_better better);

/* Inside a benchmark and its set-up functions. */

/* A parameter's value. Numbers are read from the text: a value that is not a whole number (or not a number), or a name that
 * does not exist, fails the benchmark and gives 0 ("" for text). */
TARE_API int64_t tare_int(struct tare *t, const char *name);
TARE_API double tare_real(struct tare *t, const char *name);
TARE_API const char *tare_text(struct tare *t, const char *name);

/* A pointer that the functions of one benchmark share, from tare_each_run's set-up to its tear-down. */
TARE_API void tare_set_data(struct tare *t, void *data);
TARE_API void *tare_data(struct tare *t);

TARE_API uint64_t tare_invocations(struct tare *t); /* of this iteration, per thread */
TARE_API unsigned tare_thread(struct tare *t);      /* 0 … tare_thread_count − 1 */
TARE_API unsigned tare_thread_count(struct tare *t);

/* How many items or bytes one invocation handles (in this thread); tare shows the rate. */
TARE_API void tare_items(struct tare *t, double per_invocation);
TARE_API void tare_bytes(struct tare *t, double per_invocation);

/* A metric that the program reports, one value per iteration; the last call for a name counts. From the first thread only;
 * at most 16 names of up to 47 bytes without white space. */
TARE_API void tare_report(struct tare *t, const char *name, double value, const char *unit, enum tare_better better);

/* A reading of one unit of work, as many per iteration as you like (every 2nd, 4th, … is kept when there are too many).
 * Needs tare_unit_metric. A call takes a few nanoseconds, inside the loop too. */
TARE_API void tare_unit(struct tare *t, double value);

/* Leaves the benchmark out, or fails it; the reason is formatted as by printf. A loop after this runs no invocation. */
TARE_API void tare_skip(struct tare *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
TARE_API void tare_fail(struct tare *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails the benchmark unless the condition holds. Outside the loop it does not affect the time. */
#define tare_check(t, condition) \
	((condition) ? (void)0 : tare_fail((t), "%s:%d: check failed: %s", __FILE__, __LINE__, #condition))

/* Stops and starts the clock inside the loop; see tare_each_invocation for what it costs. */
TARE_API void tare_pause(struct tare *t);
TARE_API void tare_resume(struct tare *t);

/* The timed loop: `for` with a counter in a register. `continue` is fine; `break`, `return` and `goto` out of it, or
 * a second loop, fail the benchmark. The empty asm keeps the compiler from merging or dropping invocations. */
#define TARE_LOOP(t) \
	for (uint64_t tare_left_ = tare_begin(t); tare_left_ != 0 || (tare_left_ = tare_more(t)) != 0; \
	     tare_left_ = tare_count_down(tare_left_))

TARE_API uint64_t tare_begin(struct tare *t); /* used by TARE_LOOP */
TARE_API uint64_t tare_more(struct tare *t);

static inline __attribute__((always_inline)) uint64_t tare_count_down(uint64_t left)
{
	left--;
	__asm__ volatile("" : "+r"(left));
	return left;
}

/* Keep the optimiser from removing what is measured.
 * tare_keep(x): x is needed, and what it points to has been written.
 * tare_hide(x): x, a variable, may have changed: the compiler cannot use its value ahead of time.
 * tare_clobber(): all memory may have been read and written. */
#define tare_clobber() __asm__ volatile("" : : : "memory")
#define tare_hide(x)   __asm__ volatile("" : "+r"(x) : : "memory")

#if defined(__clang__)
#define TARE_ANY_PLACE "X"
#elif defined(__x86_64__) || defined(__i386__)
#define TARE_ANY_PLACE "rmx"
#elif defined(__aarch64__)
#define TARE_ANY_PLACE "rmw"
#else
#define TARE_ANY_PLACE "g"
#endif

#ifndef __cplusplus
#define tare_keep(x) \
	do { \
		__asm__ volatile("" : : TARE_ANY_PLACE(x) : "memory"); \
	} while (0)
#endif

/* Registration: what the macros create for a benchmark. Static storage, owned by the program. */
struct tare_registration {
	const char *name;
	tare_function function;
	tare_configure configure; /* or NULL */
	const char *file;
	int line;
	struct tare_registration *next; /* filled by tare_register */
};

/* Adds a benchmark by hand; before tare_main. */
TARE_API void tare_register(struct tare_registration *registration);

/* Loops compiled like those of the program, to measure what a loop costs. */
struct tare_loops {
	tare_function empty, chain, chain_twice;
};

TARE_API int tare_main_with(int argc, char **argv, const struct tare_loops *loops);

#ifdef __cplusplus
}

template <class T>
inline __attribute__((always_inline)) typename std::enable_if<std::is_scalar<T>::value>::type tare_keep(const T &x)
{
	__asm__ volatile("" : : TARE_ANY_PLACE(x) : "memory");
}

template <class T>
inline __attribute__((always_inline)) typename std::enable_if<!std::is_scalar<T>::value>::type tare_keep(const T &x)
{
	__asm__ volatile("" : : "m"(x) : "memory");
}
#endif

#define TARE_UNUSED __attribute__((unused))

#define TARE_REGISTER_(id, text, function) \
	static struct tare_registration tare_registration_##id = {text, function, NULL, __FILE__, __LINE__, NULL}; \
	static __attribute__((constructor)) void tare_register_##id(void) \
	{ \
		tare_register(&tare_registration_##id); \
	}

/* A benchmark of that name. In C++, a benchmark that throws has failed, and the suite continues. */
#define TARE_BENCH(id) TARE_BENCH_NAMED(id, #id)

/* The same with another text as its name: no white space, no control characters. */
#if defined(__cplusplus) && defined(__EXCEPTIONS)
#define TARE_BENCH_NAMED(id, text) \
	static void tare_body_##id(struct tare *t); \
	static void tare_bench_##id(struct tare *t) \
	{ \
		try { \
			tare_body_##id(t); \
		} catch (const std::exception &thrown) { \
			tare_fail(t, "threw an exception: %s", thrown.what()); \
		} catch (...) { \
			tare_fail(t, "threw something other than a std::exception"); \
		} \
	} \
	TARE_REGISTER_(id, text, tare_bench_##id) \
	static void tare_body_##id(TARE_UNUSED struct tare *t)
#else
#define TARE_BENCH_NAMED(id, text) \
	static void tare_bench_##id(struct tare *t); \
	TARE_REGISTER_(id, text, tare_bench_##id) \
	static void tare_bench_##id(TARE_UNUSED struct tare *t)
#endif

#define TARE_CONFIGURE(id) \
	static void tare_configure_##id(struct tare_options *o); \
	static __attribute__((constructor)) void tare_configured_##id(void) \
	{ \
		tare_registration_##id.configure = tare_configure_##id; \
	} \
	static void tare_configure_##id(TARE_UNUSED struct tare_options *o)

static inline __attribute__((always_inline)) uint64_t tare_chain_step(uint64_t x)
{
	x = x * 3 + 1;
	__asm__ volatile("" : "+r"(x));
	x = x * 3 + 1;
	__asm__ volatile("" : "+r"(x));
	x = x * 3 + 1;
	__asm__ volatile("" : "+r"(x));
	return x;
}

TARE_UNUSED static void tare_loop_empty(struct tare *t)
{
	TARE_LOOP(t) {
	}
}

TARE_UNUSED static void tare_loop_chain(struct tare *t)
{
	uint64_t x = 1;
	TARE_LOOP(t)
		x = tare_chain_step(x);
	tare_keep(x);
}

TARE_UNUSED static void tare_loop_chain_twice(struct tare *t)
{
	uint64_t x = 1;
	TARE_LOOP(t)
		x = tare_chain_step(tare_chain_step(x));
	tare_keep(x);
}

/* For your own main: runs the suite and returns the exit code (0 done, 1 a benchmark failed, 2 usage). */
TARE_UNUSED static int tare_main(int argc, char **argv)
{
	struct tare_loops loops;
	loops.empty = tare_loop_empty;
	loops.chain = tare_loop_chain;
	loops.chain_twice = tare_loop_chain_twice;
	return tare_main_with(argc, argv, &loops);
}

#define TARE_MAIN() \
	int main(int argc, char **argv) \
	{ \
		return tare_main(argc, argv); \
	}

#endif
