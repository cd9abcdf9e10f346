#include "cli/gate.h"

#include "cli/measure_options.h"
#include "cli/message.h"
#include "report/text.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>

int gate_settle(struct result *result, const struct whole_options *options, const struct error *err)
{
	struct error own;
	char why[800];
	if (isnan(options->limit))
		return 0;
	if (!err && whole_settle(result, options, &own) == 0)
		return 0;
	const struct error *cause = err ? err : &own;
	snprintf(why, sizeof(why), "%s%s%s", cause->on, cause->on[0] ? ": " : "", cause->what);
	whole_give_up(result, options->limit, cause->kind == ERROR_INTERRUPTED, why);
	return err ? 0 : message_error(&own);
}

void gate_agree(struct result *result, int code)
{
	if (code != 0 && result->gate.state == GATE_HELD)
		whole_give_up(result, result->gate.limit, false, "an output could not be written");
}

/* Order: 130, 5, 3, 4, 0; what else went wrong comes after an interrupt and a failure. */
static int exit_code(const struct gate_result *gate, int code)
{
	if (gate->interrupted)
		return 130;
	if (code != 0)
		return code;
	return gate->state == GATE_HELD ? 0 : gate->state == GATE_BROKEN ? 3 : gate->state == GATE_FAILED ? 5 : 4;
}

int gate_finish(const struct result *result, const char *confidence, int code, bool to_stderr)
{
	struct error err;
	SCOPED(buffer) struct buffer text = {0}, sentence = {0};
	double level = 0.99;
	if (isnan(result->gate.limit))
		return code;
	if (confidence && measure_parse_confidence(confidence, &level, &err) != 0)
		level = 0.99;
	words_gate(result, &sentence);
	text_wrap(&text, buffer_text(&sentence), 0, 2);
	words_gate_line(result, level, &text);
	message_print_to(to_stderr, &text, &err);
	return exit_code(&result->gate, code);
}

int gate_failed(double gate, const char *confidence, int code, const struct error *err, bool to_stderr)
{
	SCOPED(result) struct result nothing = result_empty();
	if (isnan(gate))
		return code;
	gate_settle(&nothing, &(struct whole_options){.limit = gate}, err);
	return gate_finish(&nothing, confidence, code, to_stderr);
}
