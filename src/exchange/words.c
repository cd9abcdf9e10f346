#include "exchange/words.h"

#include "exchange/fields.h"

#include <string.h>

static const int counts[WORD_KINDS] = {
	[WORD_DESIGN] = DESIGN_WORDS,     [WORD_LEVEL] = LEVEL_COUNT,       [WORD_BETTER] = BETTER_HIGHER + 1,
	[WORD_STEADY] = STEADY_NEVER + 1, [WORD_MEAN] = MEAN_GEOMETRIC + 1, [WORD_VERDICT] = VERDICT_SAME + 1,
	[WORD_SCOPE] = SCOPE_TOTAL + 1,   [WORD_GATE] = GATE_FAILED + 1,    [WORD_MONITOR] = MONITOR_VERDICTS,
	[WORD_REASON] = STOP_REASONS,
};

static const char *const meanings[WORD_KINDS] = {
	[WORD_DESIGN] = "design",         [WORD_LEVEL] = "level",          [WORD_BETTER] = "direction of a metric",
	[WORD_STEADY] = "steady state",   [WORD_MEAN] = "kind of mean",    [WORD_VERDICT] = "verdict",
	[WORD_SCOPE] = "scope",           [WORD_GATE] = "state of a gate", [WORD_MONITOR] = "verdict of the monitoring",
	[WORD_REASON] = "reason to stop",
};

/* NULL for what is never written. */
static const char *word(enum word_kind kind, int number)
{
	switch (kind) {
	case WORD_DESIGN: return design_words[number];
	case WORD_LEVEL: return level_name((enum level)number);
	case WORD_BETTER: return number == BETTER_HIGHER ? "higher" : "lower";
	case WORD_STEADY: return steady_name((enum steady_state)number);
	case WORD_MEAN: return mean_kind_name((enum mean_kind)number);
	case WORD_VERDICT: return verdict_name((enum verdict)number);
	case WORD_SCOPE: return scope_name((enum scope)number);
	case WORD_GATE: return gate_name((enum gate)number);
	case WORD_MONITOR: return monitor_verdict_name((enum monitor_verdict)number);
	case WORD_REASON: return stop_reasons[number];
	default: return NULL;
	}
}

int words_read(const struct node *object, const char *key, enum word_kind kind, int *out, struct error *err)
{
	struct node value = node_get(object, key);
	const char *text = node_text(&value);
	if (value.type == NODE_ABSENT || value.type == NODE_NULL)
		return 0;
	for (int i = 0; text && i < counts[kind]; i++)
		if (word(kind, i) && strcmp(word(kind, i), text) == 0) {
			*out = i;
			return 0;
		}
	if (text)
		error_set(err, ERROR_INPUT, "a %s that this tare does not know: '%.40s'", meanings[kind], text);
	else
		error_set(err, ERROR_INPUT, "a %s that is not a text", meanings[kind]);
	return error_next(err, "a newer tare wrote it, or the document was changed by hand or is damaged");
}
