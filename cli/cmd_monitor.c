/* tare monitor: a live view of what limits the machine, or a stream of its gauges for another program. */
#include "cli/commands.h"
#include "host/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "host/clock.h"
#include "monitor/monitor.h"
#include "monitor/protocol.h"
#include "report/monitor_text.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct monitor_command {
	bool stream, ascii, all;
	double rate, limit;
	int64_t interval, count;
	const char *color, *root;
	struct text_list plugins, remotes;
};

#define OFFSET(field) offsetof(struct monitor_command, field)

static const struct option monitor_command_options[] = {
	OPTION(0, "stream", NULL, OPTION_FLAG, OFFSET(stream), "print the gauges line by line, for programs"),
	OPTION_WITHIN(0, "rate", "HZ", OPTION_NUMBER, OFFSET(rate), 0.01, 1000, "samples per second (10)"),
	OPTION(0, "interval", "TIME", OPTION_DURATION, OFFSET(interval),
           "between two views (1s); of a stream: between samples"),
	OPTION_WITHIN(0, "count", "N", OPTION_INTEGER, OFFSET(count), 1, 1e12, "end after N views or samples"),
	OPTION_WITHIN(0, "limit", "PCT", OPTION_PERCENT, OFFSET(limit), 1, 100,
                  "above it a component is near its limit (80%)"),
	OPTION(0, "all", NULL, OPTION_FLAG, OFFSET(all), "every component, also more than fit the screen"),
	OPTION(0, "plugin", "CMD", OPTION_LIST, OFFSET(plugins), "a program that knows more gauges or capacities"),
	OPTION(0, "remote", "HOST", OPTION_LIST, OFFSET(remotes), "watch another machine too, by ssh"),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto|always|never", "auto, always or never"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), "ASCII only, no Unicode"),
	OPTION(0, "root", "DIR", OPTION_TEXT, OFFSET(root), NULL),
	{0},
};

/* Waits until `deadline`; true when the user has interrupted, or nobody reads any more. */
static bool wait_until(const struct host *host, int cancel, int64_t deadline)
{
	struct pollfd watched[] = {{cancel, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
	for (;;) {
		int64_t now = clock_now(host);
		struct timespec left = clock_left(now, deadline);
		int ready = ppoll(watched, 2, &left, NULL);
		if (ready > 0)
			return true;
		if (ready == 0 && clock_now(host) >= deadline)
			return false;
	}
}

/* The instant after `last`; those that have passed meanwhile, as when tare was stopped (Ctrl-Z), are left out. */
static int64_t after(const struct host *host, int64_t last, int64_t period)
{
	int64_t now = clock_now(host);
	return (last + period > now ? last : now) + period;
}

static size_t screen_rows(void)
{
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 6 ? size.ws_row - 4u : 20;
}

static size_t recent_of(const void *context, size_t index, double *out, size_t most)
{
	return monitor_recent(context, index, out, most);
}

static int show_view(struct monitor *monitor, const struct monitor_command *options, bool live, struct buffer *text,
                     struct error *err)
{
	char head[128], now[64];
	struct host host = host_real();
	struct look look = output_look(options->color, options->ascii, false);
	struct monitor_view view = {.recent = recent_of,
	                            .context = monitor,
	                            .limit = options->limit,
	                            .rows = live && !options->all ? screen_rows() : 0,
	                            .head = head};
	clock_timestamp(&host, now, sizeof(now));
	snprintf(head, sizeof(head), "tare monitor  %.19s  %g Hz%s", now, options->rate, live ? "  (Ctrl-C ends it)" : "");
	view.count = monitor_readings(monitor, &view.readings);
	buffer_clear(text);
	if (live)
		buffer_text_add(text, "\x1b[H\x1b[J");
	if (monitor_text(&view, &look, text, err) != 0)
		return -1;
	return message_print(text, err);
}

/* Samples at the rate, shows at the interval. */
static int show_views(struct monitor *monitor, const struct monitor_command *options, int cancel, struct error *err)
{
	struct host host = host_real();
	bool live = isatty(STDOUT_FILENO) && options->count == 0;
	int64_t period = (int64_t)(1e9 / options->rate), views = options->count ? options->count : live ? INT64_MAX : 1;
	int64_t next = clock_now(&host) + period, interval = options->interval ? options->interval : 1000000000,
			show = clock_now(&host) + interval;
	SCOPED(buffer) struct buffer text = {0};
	int status = 0;
	if (live)
		fputs("\x1b[?1049h", stdout);
	while (views > 0 && status == 0 && !wait_until(&host, cancel, next)) {
		monitor_sample(monitor, false);
		next = after(&host, next, period);
		if (clock_now(&host) + period / 2 < show)
			continue;
		show = after(&host, show, interval);
		status = show_view(monitor, options, live, &text, err);
		views--;
		if (views > 0 && !live)
			fputc('\n', stdout);
	}
	if (live)
		fputs("\x1b[?1049l", stdout);
	return status;
}

static int stream(struct monitor *monitor, const struct monitor_command *options, int cancel, struct error *err)
{
	struct host host = host_real();
	int64_t period = options->interval ? options->interval : (int64_t)(1e9 / options->rate);
	int64_t start = clock_now(&host), samples = options->count ? options->count : INT64_MAX, next = start + period;
	SCOPED(buffer) struct buffer text = {0};
	protocol_head(&text);
	for (size_t i = 0; monitor_unseen(monitor, i); i++)
		protocol_unseen(&text, monitor_unseen(monitor, i));
	if (message_print(&text, err) != 0)
		return -1;
	while (samples-- > 0) {
		const struct gauge_reading *readings;
		if (wait_until(&host, cancel, next))
			break;
		next = after(&host, next, period);
		monitor_sample(monitor, false);
		size_t count = monitor_readings(monitor, &readings);
		buffer_clear(&text);
		for (size_t i = 0; i < count; i++)
			protocol_reading(&text, &readings[i]);
		protocol_sample(&text, (double)(clock_now(&host) - start) / 1e9);
		if (message_print(&text, err) != 0)
			return -1;
	}
	return 0;
}

static int add_helpers(struct monitor *monitor, const struct monitor_command *options, struct error *err)
{
	for (size_t i = 0; i < options->plugins.count; i++)
		if (monitor_add_plugin(monitor, options->plugins.items[i], err) != 0)
			return -1;
	for (size_t i = 0; i < options->remotes.count; i++)
		if (monitor_add_remote(monitor, options->remotes.items[i], err) != 0)
			return -1;
	return 0;
}

static int watch(const void *given, const struct text_list *arguments, struct error *err)
{
	const struct monitor_command *options = given;
	struct monitor_options how = monitor_defaults();
	struct host host = host_real();
	struct stat stat;
	int cancel, status;
	if (arguments->count > 0)
		return error_full(err, ERROR_USAGE, arguments->items[0],
		                  "to watch the machine while a command runs: tare run --monitor COMMAND",
		                  "tare monitor takes no arguments");
	how.limit = options->limit;
	if (options->root) {
		if (host.sys->stat(options->root, &stat) != 0 || !S_ISDIR(stat.st_mode))
			return error_full(err, ERROR_INPUT, options->root, NULL, "is not a folder with a snapshot of a machine");
		host = (struct host){.sys = host.sys, .root = options->root};
	}
	if (interrupt_open(&cancel, err) != 0)
		return -1;
	struct monitor *monitor = monitor_open(&host, &how, err);
	status = monitor ? add_helpers(monitor, options, err) : -1;
	if (status == 0) {
		monitor_begin(monitor, (int64_t)(1e9 / options->rate));
		if (!options->stream)
			for (size_t i = 0; monitor_unseen(monitor, i); i++)
				message_note("not watched: %s", monitor_unseen(monitor, i));
		status = options->stream ? stream(monitor, options, cancel, err) : show_views(monitor, options, cancel, err);
	}
	monitor_close(monitor);
	interrupt_close();
	return status;
}

static int monitor_main(const struct command *command, int argc, char **argv)
{
	struct monitor_command options = {.rate = 10, .limit = 0.8};
	return act(command, argc, argv, &options, watch);
}

const struct command command_monitor = {
	.name = "monitor",
	.summary = "watch what limits this machine",
	.usage = "tare monitor [options]",
	.about = "Shows how busy CPUs, memory, disks, network and control groups are, the\n"
			 "busiest first. With --stream it prints the same for another program, as in\n"
			 "ssh HOST tare monitor --stream. It changes nothing and needs no root.",
	.options = monitor_command_options,
	.main = monitor_main,
};
