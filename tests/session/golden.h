/* Golden sessions: what is played, and what comes of it. */
#ifndef TARE_TESTS_SESSION_GOLDEN_H
#define TARE_TESTS_SESSION_GOLDEN_H

#include "model/experiment.h"
#include "model/plan.h"
#include "session/script.h"

enum golden_kind {
	GOLDEN_COMMANDS,
	GOLDEN_PROGRAMS,
	GOLDEN_BUILDS,             /* of commands */
	GOLDEN_BUILDS_OF_PROGRAMS, /* of programs with benchmarks */
	GOLDEN_DRY_RUN,
	GOLDEN_DRY_RUN_OF_PROGRAMS,
	GOLDEN_LIST,
	GOLDEN_CALIBRATION,
	GOLDEN_LIBRARY,
};

enum { GOLDEN_SUBJECTS = 4 };

struct golden {
	enum golden_kind kind;
	struct experiment experiment;
	struct experiment_subject subjects[GOLDEN_SUBJECTS];
	struct performance_index pis[2];
	struct repeat_plan plan;
	struct plan_subject planned;
	struct script script;
	const char *before; /* the golden session whose result comes first (--append), or takes part (rank) */
	size_t builds;      /* asked for; 0: as many as it takes */
	double seconds;     /* of a calibration */
	size_t pairs;       /* of a calibration */
	void (*library)(struct buffer *out);
};

struct golden_case {
	const char *name;
	void (*set_up)(struct golden *golden);
};

extern const struct golden_case golden_cases[];
extern const size_t golden_case_count;

/* golden_library.c */
void library_readings(struct buffer *out);
void library_units(struct buffer *out);
void library_work(struct buffer *out);
void library_work_of_units(struct buffer *out);
void library_limit(struct buffer *out);
void library_failure(struct buffer *out);
void library_by_hand(struct buffer *out);
void library_overhead(struct buffer *out);

#endif
