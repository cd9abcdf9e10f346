/* A result as text for a terminal of 80 columns. */
#ifndef TARE_REPORT_TEXT_H
#define TARE_REPORT_TEXT_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/look.h"

/* Everything that is known of one metric of one subject: estimate, spread, levels, warm-up, modes … */
void text_measurement(const struct result *result, const struct subject *subject, const struct measurement *m,
                      struct buffer *out);

/* Every metric of one subject: those of one value on a line each, the others in full. */
void text_subject(const struct result *result, const struct subject *subject, struct buffer *out);

/* The same of one metric, and one line with the means of the others. False, and nothing is told: the subject has few
 * metrics, one value of each, or not that one. */
bool text_subject_in_brief(const struct result *result, const struct subject *subject, const char *metric,
                           struct buffer *out);

/* After an empty line: what each level adds to the spread of this metric, for results of few subjects with levels. */
void text_levels(const struct result *result, const char *metric, struct buffer *out);

/* The verdict of a comparison: the sentence, bold and coloured where the look has colours, the reason where it is
 * undecided, and what it rests on. */
void text_answer(const struct result *result, const struct comparison *comparison, const struct look *look,
                 struct buffer *out);

/* The sentence, then the reason and what it rests on where they fit into `room` lines with it. Whether both did. Not for
 * results over machines. */
bool text_answer_within(const struct result *result, const struct comparison *comparison, const struct look *look,
                        size_t room, struct buffer *out);

/* What is said before every answer: that both are the same program, where they are. */
void text_twins(const struct result *result, struct buffer *out);

/* Its three numbers, and what else there is to say of them. */
void text_numbers(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* Of a duet: how much the sides slow each other down, and what the CPUs differ by. Among the numbers too. */
void text_company(const struct comparison *comparison, struct buffer *out);

/* Both. */
void text_comparison(const struct result *result, const struct comparison *comparison, const struct look *look,
                     struct buffer *out);

/* One command alone: the mean with its interval, bold, then the median, spread, range and the other times. Whether that
 * is what the result is: single values of runs. */
bool text_alone(const struct result *result, const struct look *look, struct buffer *out);

/* Warnings, wrapped; those that say the same of several subjects together, and a few of each kind. Of those that do not
 * fit into `room` lines only the number is told, but for failures. */
void text_warnings(const struct result *result, size_t room, struct buffer *out);

/* After an empty line: what disturbed the measurement, what the machine can see at all, and the warnings. Nothing when
 * there is nothing to say. Unless the look is verbose: what matters most, within `room` lines where that can be. */
void text_circumstances(const struct result *result, const struct look *look, size_t room, struct buffer *out);

/* What to type next, as a line; nothing after a comparison that has no answer at all. */
void text_hint(const struct result *result, const struct look *look, struct buffer *out);

/* `text` wrapped at spaces into columns indent … 79, the first line beginning at the cursor's `column`. */
void text_wrap(struct buffer *out, const char *text, size_t column, size_t indent);

#endif
