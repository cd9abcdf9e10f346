/* Plug-ins: programs that know what this one does not. See protocol.h for what they write.
 *
 *	PLUGIN static        prints capacities and links, and ends within two seconds
 *	PLUGIN dynamic HZ    prints samples until it is killed
 *
 * A plug-in is not trusted: its lines are read without waiting, a bounded number at a time, each of bounded length;
 * names and numbers are checked; one that writes an endless line or bytes that are not text is killed; one that is
 * silent, slow or dead is told as such and nothing waits for it. It runs in a process group of its own, which is killed
 * at the end. */
#include "monitor/internal.h"

#include "base/memory.h"
#include "host/clock.h"
#include "host/lines.h"
#include "host/program.h"
#include "monitor/protocol.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 32, LINES_AT_ONCE = 2048, STATIC_TIME = 2000, NONSENSE_MAX = 100, SILENT_AFTER = 5 };

struct plugin {
	char name[GAUGE_NAME];
	char prefix[GAUGE_NAME]; /* of its components: "HOST/"; "" for none */
	char *words[WORDS_MAX + 3];
	char *text; /* that the words lie in */
	struct program program;
	struct lines lines;
	int nowhere; /* /dev/null */
	int gauges[PLUGIN_GAUGES];
	int gauge_count;
	size_t samples, nonsense;
	int64_t heard;          /* instant of its last line */
	bool over;              /* nothing more is read */
	char why[MONITOR_LINE]; /* it is over, or "" */
};

static struct plugin *new_plugin(const char *command, struct error *err)
{
	struct plugin *plugin = mem_zalloc(1, sizeof(*plugin));
	char *text = plugin ? mem_strdup(command) : NULL;
	if (!text) {
		mem_free(plugin);
		error_memory(err);
		return NULL;
	}
	plugin->text = text;
	plugin->nowhere = -1;
	snprintf(plugin->name, sizeof(plugin->name), "%s", command);
	int count = 0;
	for (char *rest = text, *word; count < WORDS_MAX && (word = strsep(&rest, " \t")) != NULL;)
		if (*word)
			plugin->words[count++] = word;
	return plugin;
}

static int word_count(const struct plugin *plugin)
{
	int count = 0;
	while (plugin->words[count])
		count++;
	return count;
}

static void stop_plugin(const struct host *host, struct plugin *plugin)
{
	program_release(host, &plugin->program);
	lines_release(host, &plugin->lines);
	if (plugin->nowhere >= 0)
		host->sys->close(plugin->nowhere);
	plugin->nowhere = -1;
	memset(&plugin->program, 0, sizeof(plugin->program));
}

static void give_up(struct plugin *plugin, const char *why)
{
	plugin->over = true;
	snprintf(plugin->why, sizeof(plugin->why), "plug-in %.80s: %.100s", plugin->name, why);
}

static int start_plugin(const struct host *host, struct plugin *plugin, char *first, char *second, struct error *err)
{
	int count = word_count(plugin);
	struct error own;
	(void)err;
	plugin->words[count] = first;
	plugin->words[count + 1] = first ? second : NULL;
	plugin->over = false;
	plugin->nowhere = host->sys->open("/dev/null", O_WRONLY | O_CLOEXEC, 0);
	if (lines_init(host, &plugin->lines, &own) != 0) {
		give_up(plugin, own.what);
		plugin->words[count] = NULL;
		return 0;
	}
	struct program_request request = {
		.argv = (const char *const *)plugin->words, .out = plugin->lines.other_to, .err = plugin->nowhere};
	if (count == 0 || program_start(host, &request, &plugin->program, &own) != 0)
		give_up(plugin, count ? own.what : "no command");
	else
		lines_passed(host, &plugin->lines);
	plugin->words[count] = NULL;
	plugin->heard = clock_now(host);
	return 0;
}

/* Components of another machine are other ones, with capacities of their own. */
static void add_prefix(const struct plugin *plugin, struct protocol_line *line)
{
	char component[2 * GAUGE_NAME];
	snprintf(component, sizeof(component), "%s%s", plugin->prefix, line->component);
	snprintf(line->component, sizeof(line->component), "%.*s", GAUGE_NAME - 1, component);
}

static int known_gauge(struct monitor *monitor, struct plugin *plugin, const struct protocol_line *line)
{
	int gauge = gauges_find(&monitor->gauges, line->component, line->quantity);
	if (gauge != GAUGES_NONE)
		return gauge;
	/* No plug-in takes the room of others. */
	if (plugin->gauge_count == PLUGIN_GAUGES)
		return GAUGES_NONE;
	gauge = gauges_add(&monitor->gauges, line->component, line->quantity, line->unit, line->gauge);
	if (gauge != GAUGES_NONE)
		plugin->gauges[plugin->gauge_count++] = gauge;
	return gauge;
}

static bool is_own(const struct plugin *plugin, int gauge)
{
	for (int i = 0; i < plugin->gauge_count; i++)
		if (plugin->gauges[i] == gauge)
			return true;
	return false;
}

static void take_reading(struct monitor *monitor, struct plugin *plugin, const struct protocol_line *line)
{
	int gauge = known_gauge(monitor, plugin, line);
	/* It may not speak for what this program sees by itself. */
	if (gauge != GAUGES_NONE && is_own(plugin, gauge))
		gauges_set(&monitor->gauges, gauge, line->value);
	double capacity = line->gauge == GAUGE_RATE ? monitor_capacity(monitor, line->component, line->quantity) : NAN;
	if (isnan(capacity))
		return;
	struct protocol_line use = *line;
	snprintf(use.quantity, sizeof(use.quantity), "%.18s-use", line->quantity);
	use.unit[0] = '\0';
	use.gauge = GAUGE_USE;
	gauge = known_gauge(monitor, plugin, &use);
	if (gauge != GAUGES_NONE && is_own(plugin, gauge))
		gauges_set(&monitor->gauges, gauge, line->value / capacity);
}

static void take_line(struct monitor *monitor, struct plugin *plugin, const char *text)
{
	struct protocol_line line;
	protocol_parse(text, &line);
	add_prefix(plugin, &line);
	switch (line.kind) {
	case PROTOCOL_READING: take_reading(monitor, plugin, &line); break;
	case PROTOCOL_CAPACITY:
		monitor_set_capacity(monitor, line.component, line.quantity, line.value, plugin->name);
		break;
	case PROTOCOL_UNSEEN: monitor_say_unseen(monitor, "%.60s: %.120s", plugin->name, line.text); break;
	case PROTOCOL_SAMPLE: plugin->samples++; break;
	case PROTOCOL_NONSENSE:
		if (++plugin->nonsense == NONSENSE_MAX)
			give_up(plugin, "wrote more than 100 lines that are malformed");
		break;
	default: break;
	}
}

/* Takes what is there until `deadline`; at most LINES_AT_ONCE lines. */
static void hear(struct monitor *monitor, struct plugin *plugin, int64_t deadline)
{
	for (int i = 0; i < LINES_AT_ONCE && !plugin->over; i++) {
		char *line;
		switch (lines_receive(monitor->host, &plugin->lines, plugin->program.pidfd, -1, deadline, &line)) {
		case LINES_OK:
			plugin->heard = clock_now(monitor->host);
			take_line(monitor, plugin, line);
			break;
		case LINES_LATE: return;
		case LINES_ENDED: give_up(plugin, "has ended"); break;
		case LINES_TOO_LONG: give_up(plugin, "wrote a line without end, or bytes that are not text"); break;
		default: give_up(plugin, "cannot be read"); break;
		}
	}
	/* Nobody listens any more: it shall not take the CPU from others either. */
	if (plugin->over)
		program_kill(monitor->host, &plugin->program);
}

static int ask_static(struct monitor *monitor, struct plugin *plugin, struct error *err)
{
	char word[] = "static";
	if (start_plugin(monitor->host, plugin, word, NULL, err) != 0)
		return -1;
	bool started = !plugin->over;
	int64_t deadline = clock_now(monitor->host) + (int64_t)STATIC_TIME * 1000000;
	while (!plugin->over && clock_now(monitor->host) < deadline)
		hear(monitor, plugin, deadline);
	bool ended = started && strstr(plugin->why, "has ended");
	stop_plugin(monitor->host, plugin);
	if (!started || (plugin->over && !ended))
		return 0; /* it is told at the end */
	if (!ended)
		monitor_say_unseen(monitor, "plug-in %.80s: did not end within 2 s when asked for capacities", plugin->name);
	plugin->over = false;
	plugin->why[0] = '\0';
	plugin->nonsense = 0;
	return 1;
}

static int add(struct monitor *monitor, struct plugin *plugin, bool remote, struct error *err)
{
	char word[] = "dynamic", rate[] = "10";
	if (monitor->plugin_count == PLUGINS_MAX) {
		monitor_say_unseen(monitor, "plug-in %.80s: only %d are watched", plugin->name, PLUGINS_MAX);
		mem_free(plugin->text);
		mem_free(plugin);
		return 0;
	}
	monitor->plugins[monitor->plugin_count++] = plugin;
	int asked = remote ? 1 : ask_static(monitor, plugin, err);
	if (asked < 0)
		return -1;
	if (asked > 0)
		return start_plugin(monitor->host, plugin, remote ? NULL : word, rate, err);
	return 0;
}

int monitor_add_plugin(struct monitor *monitor, const char *command, struct error *err)
{
	struct plugin *plugin = new_plugin(command, err);
	return plugin ? add(monitor, plugin, false, err) : -1;
}

int monitor_add_remote(struct monitor *monitor, const char *host, struct error *err)
{
	char command[256];
	/* A name that begins with a dash would be an option of ssh. */
	if (host[0] == '-' || strpbrk(host, " \t\n'\"") || strlen(host) > 100) {
		monitor_say_unseen(monitor, "'%.60s' is not the name of a machine", host);
		return 0;
	}
	snprintf(command, sizeof(command),
	         "ssh -oBatchMode=yes -oConnectTimeout=5 %.100s tare monitor --stream --interval 0.2s", host);
	struct plugin *plugin = new_plugin(command, err);
	if (!plugin)
		return -1;
	snprintf(plugin->prefix, sizeof(plugin->prefix), "%.80s/", host);
	snprintf(plugin->name, sizeof(plugin->name), "ssh %.80s", host);
	return add(monitor, plugin, true, err);
}

/* ---- as a sampler ---- */

static int open_plugin(struct monitor *monitor, struct error *err)
{
	(void)monitor;
	(void)err;
	return 0;
}

static int count_plugin_gauges(const struct monitor *monitor)
{
	(void)monitor;
	return PLUGINS_MAX * PLUGIN_GAUGES;
}

static void name_plugin_gauges(struct monitor *monitor)
{
	(void)monitor;
}

/* What was said long ago says nothing of now. */
static void forget_readings(struct monitor *monitor, const struct plugin *plugin)
{
	for (int i = 0; i < plugin->gauge_count; i++)
		gauges_set(&monitor->gauges, plugin->gauges[i], NAN);
}

static void sample_plugin(struct monitor *monitor, double seconds)
{
	(void)seconds;
	for (int i = 0; i < monitor->plugin_count; i++) {
		struct plugin *plugin = monitor->plugins[i];
		if (!plugin->over)
			hear(monitor, plugin, monitor->now);
		bool silent = monitor->now - plugin->heard > (int64_t)SILENT_AFTER * 1000000000;
		if (plugin->over || silent)
			forget_readings(monitor, plugin);
	}
}

void plugin_say_unseen(struct monitor *monitor)
{
	for (int i = 0; i < monitor->plugin_count; i++) {
		const struct plugin *plugin = monitor->plugins[i];
		if (plugin->why[0])
			monitor_say_unseen(monitor, "%s", plugin->why);
		else if (plugin->samples == 0)
			monitor_say_unseen(monitor, "plug-in %.80s: told nothing", plugin->name);
		else if (plugin->nonsense)
			monitor_say_unseen(monitor, "plug-in %.80s: %zu lines are malformed", plugin->name, plugin->nonsense);
	}
}

static void close_plugin(struct monitor *monitor)
{
	for (int i = 0; i < monitor->plugin_count; i++) {
		stop_plugin(monitor->host, monitor->plugins[i]);
		mem_free(monitor->plugins[i]->text);
		mem_free(monitor->plugins[i]);
	}
	monitor->plugin_count = 0;
}

const struct sampler sampler_plugin = {
	"plug-ins", 20 * 1000000, open_plugin, count_plugin_gauges, name_plugin_gauges, sample_plugin, close_plugin,
};
