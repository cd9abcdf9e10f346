#include "store/query.h"

#include "store/alive.h"
#include "store/sql.h"

#include <string.h>

static const char reading[] = "cannot read the store";

/* Conditions on experiment e, host h and, with `subjects`, subject s. Parameters are numbered so that each is bound
 * once however often it stands. */
enum { SUBJECT = 1, METRIC, HOST, NAME, SINCE, UNTIL, LIMIT, FIRST_TAG };

static void add_conditions(struct buffer *text, const struct store_filter *filter, bool by_subject)
{
	if (filter->has_since)
		buffer_printf(text, " AND e.started >= ?%d", SINCE);
	if (filter->has_until)
		buffer_printf(text, " AND e.started <= ?%d", UNTIL);
	if (filter->host)
		buffer_printf(text, filter->exact ? " AND h.stratum = ?%d" : " AND instr(h.stratum, ?%d) > 0", HOST);
	if (filter->name)
		buffer_printf(text, " AND (instr(ifnull(e.name, ''), ?%d) > 0 OR ifnull(e.name, '') GLOB ?%d)", NAME, NAME);
	for (size_t i = 0; i < filter->tag_count; i++)
		buffer_printf(text, " AND EXISTS(SELECT 1 FROM tag WHERE experiment = e.id AND tag = ?%d)", FIRST_TAG + (int)i);
	if (!filter->subject)
		return;
	buffer_text_add(text,
	                by_subject ? " AND (" : " AND EXISTS(SELECT 1 FROM subject s WHERE s.experiment = e.id AND (");
	if (filter->exact)
		buffer_printf(text, "s.name = ?%d", SUBJECT);
	else
		buffer_printf(text, "instr(s.name, ?%d) > 0 OR s.name GLOB ?%d", SUBJECT, SUBJECT);
	buffer_text_add(text, by_subject ? ")" : "))");
}

static sqlite3_stmt *prepare(struct store *store, struct buffer *text, const struct store_filter *filter,
                             struct error *err)
{
	sqlite3_stmt *s = buffer_error(text, err) == 0 ? sql_prepare(store, buffer_text(text), err) : NULL;
	buffer_release(text);
	if (!s)
		return NULL;
	/* Numbers that the text does not have are refused by SQLite, which is harmless. */
	sql_text(s, SUBJECT, filter->subject);
	sql_text(s, METRIC, filter->metric);
	sql_text(s, HOST, filter->host);
	sql_text(s, NAME, filter->name);
	sqlite3_bind_int64(s, SINCE, filter->since);
	sqlite3_bind_int64(s, UNTIL, filter->until);
	sqlite3_bind_int64(s, LIMIT, filter->limit > 0 ? filter->limit : -1);
	for (size_t i = 0; i < filter->tag_count; i++)
		sql_text(s, FIRST_TAG + (int)i, filter->tags[i]);
	return s;
}

int store_list(struct store *store, const struct store_filter *filter,
               int (*take)(void *context, const struct store_row *row, struct error *err), void *context,
               struct error *err)
{
	struct buffer text = {0};
	buffer_text_add(
		&text,
		"SELECT e.id, e.started, e.name, e.state, e.design, e.metric, e.git_commit,"
		" (SELECT group_concat(tag, ', ') FROM tag WHERE experiment = e.id), h.stratum,"
		" (SELECT name FROM subject WHERE experiment = e.id AND position = 0),"
		" (SELECT count(*) FROM subject WHERE experiment = e.id),"
		" CASE e.state WHEN 'running' THEN (SELECT count(*) FROM round WHERE experiment = e.id) ELSE e.rounds END"
		" FROM experiment e JOIN host h ON h.id = e.host WHERE 1");
	add_conditions(&text, filter, false);
	buffer_printf(&text, " ORDER BY e.started DESC, e.id DESC LIMIT ?%d", LIMIT);
	sqlite3_stmt *s = prepare(store, &text, filter, err);
	int row = s ? 0 : -1;
	while (s && (row = sql_row(store, s, reading, err)) == 1) {
		struct store_row found = {.id = sqlite3_column_int64(s, 0),
		                          .started = sqlite3_column_int64(s, 1),
		                          .name = sql_get_text(s, 2),
		                          .state = sql_get_text(s, 3),
		                          .design = sql_get_text(s, 4),
		                          .metric = sql_get_text(s, 5),
		                          .commit = sql_get_text(s, 6),
		                          .tags = sql_get_text(s, 7),
		                          .stratum = sql_get_text(s, 8),
		                          .subject = sql_get_text(s, 9),
		                          .subjects = sqlite3_column_int64(s, 10),
		                          .rounds = sqlite3_column_int64(s, 11)};
		found.orphaned = strcmp(found.state, "running") == 0 && !alive_is(store, found.id);
		if (take(context, &found, err) != 0) {
			row = -1;
			break;
		}
	}
	sqlite3_finalize(s);
	return row < 0 ? -1 : 0;
}

int store_points(struct store *store, const struct store_filter *filter,
                 int (*take)(void *context, const struct store_point *point, struct error *err), void *context,
                 struct error *err)
{
	struct buffer text = {0};
	buffer_printf(
		&text,
		"SELECT e.id, e.started, s.name, m.metric, m.unit, m.better, h.stratum, e.git_commit, m.mean, m.low, m.high,"
		" m.level, m.n FROM subject s JOIN experiment e ON e.id = s.experiment JOIN host h ON h.id = e.host"
		" JOIN series m ON m.subject = s.id WHERE e.state = 'done' AND m.mean IS NOT NULL AND m.metric = ifnull(?%d, s.metric)",
		METRIC);
	add_conditions(&text, filter, true);
	buffer_text_add(&text, " ORDER BY s.name, m.metric, m.unit, h.stratum, e.started, e.id");
	sqlite3_stmt *s = prepare(store, &text, filter, err);
	int row = s ? 0 : -1;
	while (s && (row = sql_row(store, s, reading, err)) == 1) {
		struct store_point found = {.id = sqlite3_column_int64(s, 0),
		                            .started = sqlite3_column_int64(s, 1),
		                            .subject = sql_get_text(s, 2),
		                            .metric = sql_get_text(s, 3),
		                            .unit = sql_get_text(s, 4),
		                            .better = sql_get_text(s, 5),
		                            .stratum = sql_get_text(s, 6),
		                            .commit = sql_get_text(s, 7),
		                            .mean = sql_get_number(s, 8),
		                            .low = sql_get_number(s, 9),
		                            .high = sql_get_number(s, 10),
		                            .level = sql_get_number(s, 11),
		                            .n = sqlite3_column_int64(s, 12)};
		if (take(context, &found, err) != 0) {
			row = -1;
			break;
		}
	}
	sqlite3_finalize(s);
	return row < 0 ? -1 : 0;
}
