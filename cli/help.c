#include "cli/help.h"

#include "base/text.h"
#include "cli/manual.h"
#include "cli/message.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* What several commands share, in a screen (cli/texts); the page has all of it. */
static const struct {
	const char *name, *page;
} topics[] = {
	{"methods", "tare-methods"}, {"formats", "tare-analyze"}, {"gate", "tare-compare"}, {"designs", "tare-run"}};
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
	puts("  help       explain a command, or methods, formats, gate, designs, yaml;\n"
	     "             with --all: the whole manual page\n"
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
		{"benchmark", "tare bench PROGRAM"},
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
	else if (name[0] == '@')
		error_next(&err, "did you mean 'tare report --text %.60s'?", name);
	else if (text_ends_with(name, ".json") || text_ends_with(name, ".csv") || text_ends_with(name, ".txt"))
		error_next(&err, "did you mean 'tare analyze %.150s'?", name);
	else if (text_ends_with(name, ".yaml") || text_ends_with(name, ".yml"))
		error_next(&err, "did you mean 'tare run %.150s'?", name);
	else if (strpbrk(name, "/ "))
		error_next(&err, "to measure a program: tare run '%.150s'", name);
	else
		error_next(&err, "'tare --help' lists the commands");
	return message_error(&err);
}

const char *help_text(const char *name)
{
	for (const struct manual_page *page = manual_pages; page->name; page++)
		if (strcmp(page->name, name) == 0)
			return (const char *)page->text;
	return "";
}

static int show(const char *name)
{
	struct buffer out = {0};
	struct error err;
	buffer_text_add(&out, help_text(name));
	return message_finish(0, false, &out, &err) == 0 ? 0 : message_error(&err);
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
	return message_finish(failed, false, &text, &err) == 0 ? 0 : message_error(&err);
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
		return all ? show("tare") : help_overview();
	for (size_t i = 0; i < TOPICS; i++)
		if (strcmp(topics[i].name, word) == 0)
			return show(all ? topics[i].page : topics[i].name);
	if (strcmp(word, "tare.yaml") == 0 || strcmp(word, "yaml") == 0)
		return show("tare.yaml");
	const struct command *command = command_find(word);
	if (!command)
		return help_no_command(word);
	snprintf(name, sizeof(name), "tare-%s", command->name);
	return all ? show(name) : message_help(command);
}
