/* A libFuzzer target for the answers of a measured program. The first byte says how the rest arrives: in the shared
 * mapping as it is, in the mapping with sums that are right (so that what is behind them is reached), or as lines. What
 * is believed must be what the contract of measure/answer.h says. */
#include "measure/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void must_hold(const struct tare_reply *reply)
{
	const struct tare_answer *a = &reply->answer;
	if (a->status < TARE_STATUS_OK || a->status > TARE_STATUS_FAILED || !memchr(a->reason, '\0', sizeof(a->reason)))
		abort();
	if (a->status != TARE_STATUS_OK)
		return;
	if (a->thread_count == 0 || a->thread_count > TARE_THREADS_MAX || a->metric_count > TARE_METRICS_MAX ||
	    a->unit_count > TARE_UNITS_MAX || !(a->items >= 0) || !(a->bytes >= 0))
		abort();
	for (uint32_t i = 0; i < a->unit_count; i++)
		if (!isfinite(reply->units[i]))
			abort();
	for (uint32_t i = 0; i < a->metric_count; i++)
		if (!isfinite(reply->metrics[i].value) || !reply->metrics[i].name[0])
			abort();
}

static void through_map(const uint8_t *bytes, size_t length, const struct tare_grant *grant, int mend)
{
	struct tare_map *map = calloc(1, sizeof(*map));
	struct tare_reply *reply = calloc(1, sizeof(*reply));
	struct tare_map_head head = {.magic = TARE_MAP_MAGIC, .version = TARE_PROTOCOL_VERSION, .size = sizeof(*map)};
	struct error err;
	if (map && reply) {
		memcpy(mend ? (void *)&map->reply : (void *)map, bytes,
		       length < sizeof(map->reply) ? length : sizeof(map->reply));
		if (mend) {
			struct tare_answer *a = &map->reply.answer;
			map->head = head;
			map->grant = *grant;
			a->sequence = grant->sequence;
			a->invocations = grant->invocations;
			a->thread_count %= TARE_THREADS_MAX + 2;
			a->metric_count %= TARE_METRICS_MAX + 2;
			a->unit_count %= TARE_UNITS_MAX + 2;
			if (a->thread_count <= TARE_THREADS_MAX && a->metric_count <= TARE_METRICS_MAX &&
			    a->unit_count <= TARE_UNITS_MAX)
				a->checksum = tare_answer_checksum(&map->reply);
		}
		if (answer_from_map(map, &head, grant, reply, &err) == 0)
			must_hold(reply);
		else if (!err.what[0])
			abort();
	}
	free(map);
	free(reply);
}

static void through_lines(const uint8_t *bytes, size_t length, const struct tare_grant *grant)
{
	struct tare_reply *reply = calloc(1, sizeof(*reply));
	char *text = malloc(length + 1), *rest = text, *line;
	struct error err = {0};
	enum answer_line status = ANSWER_MORE;
	if (reply && text) {
		memcpy(text, bytes, length);
		text[length] = '\0';
		answer_begin(reply, grant);
		while (status == ANSWER_MORE && (line = strsep(&rest, "\n")) != NULL)
			status = answer_take_line(reply, line, &err);
		if (status == ANSWER_DONE)
			must_hold(reply);
		if (status == ANSWER_BAD && !err.what[0])
			abort();
	}
	free(text);
	free(reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct tare_grant grant = {.sequence = 3, .invocations = 100, .metrics = TARE_HAS_CPU};
	grant.checksum = tare_grant_checksum(&grant);
	if (length == 0)
		return 0;
	if (bytes[0] % 3 == 2)
		through_lines(bytes + 1, length - 1, &grant);
	else
		through_map(bytes + 1, length - 1, &grant, bytes[0] % 3);
	return 0;
}
