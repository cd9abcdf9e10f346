#include "cli/help.h"

#include "base/text.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/message.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* What several commands share, in a screen; the page has all of it. */
struct topic {
	const char *name, *page, *text;
};

static const struct topic topics[] = {
	{"methods", "tare-methods",
     "How tare decides, and which method to choose\n"
     "\n"
     "  One command   the mean of its runs with a 95 % interval; the run (a process),\n"
     "                not the iteration, is the unit.\n"
     "  Two commands  measured in pairs, in turns. 'typical' is the median ratio of\n"
     "                pairs, 'total' the ratio of means; intervals at 99 % that allow\n"
     "                for looking while measuring.\n"
     "  faster/slower the interval of the ratio lies on one side of 0 %.\n"
     "  same          it lies within the margin (--margin, 1 %).\n"
     "  undecided     neither; the output says what would decide it.\n"
     "\n"
     "For files of other tools 'tare compare --method' chooses: bootstrap, welch,\n"
     "mann-whitney and others. 'tare analyze --method' does so for one sample.\n"
     "\n"
     "'tare help methods --all' has every formula with its source and its limits.\n"},
	{"formats", "tare-analyze",
     "Files that tare reads and writes\n"
     "\n"
     "  read   recognised by content, never by the file's name: tare, hyperfine,\n"
     "         Google Benchmark, JMH, pyperf, go test, criterion, pytest-benchmark,\n"
     "         Catch2, nanobench, mitata, tinybench, BenchmarkDotNet, ReBench,\n"
     "         perf stat, CSV, plain numbers; .gz is unpacked, '-' is standard input\n"
     "           tare analyze FILE          tare compare OLD NEW\n"
     "  write  --json     everything, for 'tare report', 'compare', 'run --append'\n"
     "         --csv      every sample        --markdown  a table for a pull request\n"
     "         --html     a page with plots   --junit     for CI\n"
     "  convert  tare export RESULT --format hyperfine|gbench|jmh|pyperf|go|bmf|csv\n"
     "\n"
     "A CSV table has a header; --columns says what its columns are.\n"
     "\n"
     "'tare help formats --all' shows the page of 'tare analyze'.\n"},
	{"gate", "tare-compare",
     "A gate: the exit code says whether something became slower\n"
     "\n"
     "  tare run --gate 2% './old input' './new input'\n"
     "  tare bench --git main --build 'make' --gate 2% ./suite\n"
     "  tare compare --gate 2% old.json new.json\n"
     "\n"
     "  exit 0   nothing is slower by more than 2 %\n"
     "  exit 3   something is; the last line says what, and by how much\n"
     "  exit 4   open: measure longer (--max-time), or allow more\n"
     "  exit 5   nothing to judge: a program failed or is missing\n"
     "\n"
     "Measure old and new side by side in one job: numbers of another day or another\n"
     "machine carry their difference into the answer. --junit FILE and --markdown FILE\n"
     "write the answer for CI.\n"
     "\n"
     "'tare help gate --all' shows the page of 'tare compare'.\n"},
	{"designs", "tare-run",
     "Designs: in which order, and on which CPUs, commands are measured\n"
     "\n"
     "  auto      tries the designs that suit and takes the one that narrows the\n"
     "            interval fastest; the result says which, and why\n"
     "  turns     on one CPU, one run each, in pairs of random order\n"
     "  duet      two at once, a CPU each; sides swapped at random. Best where the\n"
     "            disturbance comes from outside and hits both\n"
     "  shared    two at once on one CPU, judged by CPU time\n"
     "  shuffled  one after the other, in random order, on any CPU\n"
     "  solo      all runs of one, then all of the next: no pairs, for one command\n"
     "\n"
     "Choose with --design NAME; 'tare calibrate' says which is best on this machine.\n"
     "\n"
     "'tare help designs --all' shows the page of 'tare run'.\n"},
};
enum { TOPICS = sizeof(topics) / sizeof(topics[0]) };

int help_overview(void)
{
	puts("tare - weigh the code, not the machine\n"
	     "\n"
	     "usage: tare COMMAND [options] …\n"
	     "\n"
	     "commands:");
	for (size_t i = 0; commands[i]; i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	puts("  help       on a command, methods, formats, gate or designs (--all: its page)\n"
	     "\n"
	     "options:\n"
	     "      --help       show this text\n"
	     "      --version    show the version");
	return 0;
}

static const char *nearest_command(const char *name)
{
	enum { FARTHEST = 2 };
	const char *nearest = NULL;
	size_t best = FARTHEST + 1;
	for (size_t i = 0; commands[i]; i++) {
		/* As Pilot names them: run_program. */
		size_t length = strlen(commands[i]->name);
		if (strncmp(name, commands[i]->name, length) == 0 && name[length] == '_')
			return commands[i]->name;
		size_t d = text_distance(name, commands[i]->name);
		if (d < best && d < strlen(name)) {
			best = d;
			nearest = commands[i]->name;
		}
	}
	return nearest;
}

/* What people who come from Pilot, pyperf and others type, and what does it here. */
static const char *known_elsewhere(const char *name)
{
	static const struct {
		const char *name, *here;
	} words[] = {
		{"baseline", "tare history baseline set NAME @ID"},
		{"criterion", "tare help formats"},
		{"detect_changepoint_edm", "tare analyze --changes FILE"},
		{"diff", "tare compare OLD NEW"},
		{"hyperfine", "tare help run"},
		{"list", "tare history list"},
		{"plot", "tare report RESULT --plot NAME -o FILE.svg"},
		{"pyperf", "tare help formats"},
		{"show", "tare history show @ID"},
		{"stats", "tare analyze FILE"},
		{"system", "tare doctor"},
		{"timeit", "tare run COMMAND"},
		{"trend", "tare history trend SUBJECT"},
		{"version", "tare --version"},
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(name, words[i].name) == 0)
			return words[i].here;
	return NULL;
}

int help_no_command(const char *name)
{
	struct error err;
	const char *nearest = nearest_command(name), *here = known_elsewhere(name);
	error_set(&err, ERROR_USAGE, "there is no command '%.60s'", name);
	if (here)
		error_next(&err, "did you mean '%s'? 'tare --help' lists the commands", here);
	else if (nearest)
		error_next(&err, "did you mean 'tare %s'? 'tare --help' lists the commands", nearest);
	else if (strpbrk(name, "/ "))
		error_next(&err, "to measure a program: tare run '%.150s'", name);
	else
		error_next(&err, "'tare --help' lists the commands");
	return message_error(&err);
}

static int show(const char *text)
{
	struct buffer out = {0};
	struct error err;
	buffer_text_add(&out, text);
	int failed = message_print(&out, &err);
	buffer_release(&out);
	return failed ? message_error(&err) : 0;
}

static int show_page(const char *name)
{
	struct error err;
	for (const struct manual_page *page = manual_pages; page->name; page++)
		if (strcmp(page->name, name) == 0)
			return show((const char *)page->text);
	error_set(&err, ERROR_INTERNAL, "there is no page '%.60s'", name);
	return message_error(&err);
}

/* For tests and the build: --options [COMMAND] lists a table, --completion SHELL prints a script. */
static int help_for_programs(const char *what, const char *of)
{
	struct buffer text = {0};
	struct error err;
	int failed = 0;
	if (strcmp(what, "--completion") == 0)
		failed = completion_script(of ? of : "", &text, &err);
	else if (of && !command_find(of))
		return help_no_command(of);
	else
		completion_options(of ? command_find(of) : NULL, &text);
	if (!failed)
		failed = message_print(&text, &err);
	buffer_release(&text);
	return failed ? message_error(&err) : 0;
}

/* The word may stand before --all or behind it. */
int help_main(int argc, char **argv)
{
	char name[80];
	bool all = false;
	const char *word = NULL;
	if (argc > 1 && (strcmp(argv[1], "--options") == 0 || strcmp(argv[1], "--completion") == 0))
		return help_for_programs(argv[1], argc > 2 ? argv[2] : NULL);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--all") == 0)
			all = true;
		else if (!word && strcmp(argv[i], "--help") != 0)
			word = argv[i];
	}
	if (!word)
		return all ? show_page("tare") : help_overview();
	for (size_t i = 0; i < TOPICS; i++)
		if (strcmp(topics[i].name, word) == 0)
			return all ? show_page(topics[i].page) : show(topics[i].text);
	if (strcmp(word, "tare.yaml") == 0 || strcmp(word, "yaml") == 0)
		return show_page("tare.yaml");
	const struct command *command = command_find(word);
	if (!command)
		return help_no_command(word);
	snprintf(name, sizeof(name), "tare-%s", command->name);
	return all ? show_page(name) : message_help(command);
}
