/* The members of the result's structs and their keys in the document, as tables.
 *
 * One table both writes and reads a struct, so that what is written reads back. A number
 * that is not known is written as null, with a key of the same name and "_why". */
#ifndef TARE_EXCHANGE_FIELDS_H
#define TARE_EXCHANGE_FIELDS_H

#include "exchange/json_read.h"
#include "exchange/json_write.h"
#include "model/result.h"

enum field_kind {
	FIELD_TEXT,        /* const char *; NULL is null */
	FIELD_NUMBER,      /* double; NaN is not known */
	FIELD_POSITIVE,    /* double; 0 is not known */
	FIELD_COUNT,       /* size_t */
	FIELD_SHORT_COUNT, /* uint32_t */
	FIELD_KNOWN_COUNT, /* size_t; 0 is not known */
	FIELD_LONG,        /* long */
	FIELD_KNOWN_LONG,  /* long; 0 is not known */
	FIELD_EDITION,     /* uint16_t; 0 is not known */
	FIELD_FLAG,        /* bool */
	FIELD_SIDE,        /* size_t, written as a letter; NO_SIDE is null */
	FIELD_CONFIDENCE,  /* struct confidence */
};

struct field {
	const char *key; /* NULL ends a table */
	enum field_kind kind;
	size_t offset;
	size_t why;  /* offset of the reason, or FIELD_NO_WHY */
	size_t part; /* offset of the pointer to the struct that has both; 0, where no struct has one: the record itself */
};
#define FIELD_NO_WHY ((size_t)-1)

extern const struct field measurement_fields[];
extern const struct field lost_fields[]; /* of a measurement whose source had values that are no numbers */
extern const struct field pair_fields[]; /* of a measurement that is not paired with every other */
extern const struct field stated_fields[];
extern const struct field index_fields[];
extern const struct field work_fields[];
extern const struct field overhead_fields[];
extern const struct field level_fields[];
extern const struct field evidence_fields[];  /* of a steady state */
extern const struct field steps_fields[];     /* of a steady state that is reached in several steps */
extern const struct field iteration_fields[]; /* of a measurement that uses one iteration of each run */
extern const struct field comparison_fields[];
extern const struct field comparison_gate_fields[]; /* of a comparison with a gate */
extern const struct field total_fields[];           /* of struct ratio_estimate */
extern const struct field share_fields[];
extern const struct field shuffle_fields[];
extern const struct field subject_fields[];
extern const struct field benchmark_fields[]; /* of a subject that was measured inside a program */
extern const struct field loop_fields[];      /* of struct benchmark_loop */
extern const struct field host_fields[];
extern const struct field machine_info_fields[];    /* of design.machines */
extern const struct field machine_ratio_fields[];   /* of one machine in a comparison */
extern const struct field machine_stratum_fields[]; /* of machines with the same CPU */
extern const struct field machines_fields[];        /* of all machines in a comparison */
extern const struct field disturbance_fields[];
extern const struct field calibration_fields[];
extern const struct field stopped_fields[];
extern const struct field gate_fields[];

/* The keys and values of one struct into the open object. */
void fields_write(struct json_writer *writer, const struct field *fields, const void *record);

/* Fills the struct, and its parts, which must be its own, from the object; a key that is absent leaves its member as it
 * is.
 * Text is copied into the arena. -1 and err when out of memory. */
int fields_read(const struct node *object, const struct field *fields, void *record, struct arena *arena,
                struct error *err);

#endif
