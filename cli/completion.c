/* Completion scripts, made from the option tables.
 *
 * All three do the same: a command first, then its options, the values of an option that has choices, and files
 * elsewhere (bash also where a number is wanted: it has no simple way to offer nothing). Words that come from the
 * tables are put between single quotes, and what the quotes do not protect is escaped for the shell at hand. */
#include "cli/help.h"

#include <string.h>

/* `text` inside single quotes of bash or zsh; `special` are characters that get a backslash as well. */
static void quoted(struct buffer *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'') {
			buffer_text_add(out, "'\\''");
			continue;
		}
		if (strchr(special, *text))
			buffer_char(out, '\\');
		buffer_char(out, *text);
	}
}

/* "a|b|c" as "a b c". */
static void words(struct buffer *out, const char *choices)
{
	for (; *choices; choices++)
		buffer_char(out, *choices == '|' ? ' ' : *choices);
}

/* A command begins with a program, which may be a file here. */
static bool may_be_file(const struct option *option)
{
	static const char *const files[] = {"FILE", "DIR", "FOLDER", "PATH", "RESULT", "WHERE", "CMD", "SHELL"};
	for (size_t i = 0; option->argument && !option->choices && i < sizeof(files) / sizeof(files[0]); i++)
		if (strstr(option->argument, files[i]))
			return true;
	return false;
}

static bool may_lack_value(const struct option *option)
{
	return option->kind == OPTION_OPTIONAL || option->kind == OPTION_DOCUMENT;
}

/* How many words after the option may belong to it. */
static int values_of(const struct option *option)
{
	return !option_takes_word(option) ? 0 : option->values > 1 ? option->values : 1;
}

static void command_names(struct buffer *out)
{
	for (size_t i = 0; commands[i]; i++)
		buffer_printf(out, "%s ", commands[i]->name);
	buffer_text_add(out, "help");
}

/* What 'tare help' knows besides the commands. */
static const char help_topics[] = "methods formats gate designs yaml";

/* Saved results, as "@17": the first column of the newest. */
#define SAVED_RESULTS "tare history list --ascii --color never 2>/dev/null | sed -n 's/^ *\\(@[0-9]*\\) .*/\\1/p'"

/* ---- bash ---- */

static void bash_patterns(struct buffer *out, const struct command *command, const struct option *option)
{
	buffer_printf(out, "\t'%s --%s'", command->name, option->name);
	if (option->letter)
		buffer_printf(out, " | '%s -%c'", command->name, option->letter);
}

static void bash_tables(struct buffer *out)
{
	buffer_text_add(out, "_tare_options()\n{\n\tcase $1 in\n");
	for (size_t i = 0; commands[i]; i++) {
		buffer_printf(out, "\t%s) echo '", commands[i]->name);
		for (const struct option *option = commands[i]->options; option->name; option++)
			buffer_printf(out, "--%s ", option->name);
		buffer_text_add(out, "--help' ;;\n");
	}
	buffer_text_add(out, "\tesac\n}\n\n_tare_subcommands()\n{\n\tcase $1 in\n");
	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->subcommands)
			continue;
		buffer_printf(out, "\t%s) echo '", commands[i]->name);
		words(out, commands[i]->subcommands);
		buffer_text_add(out, "' ;;\n");
	}
	buffer_text_add(out, "\tesac\n}\n\n"
	                     "# The values of an option, or \"file\" for one that takes something else; fails for a flag.\n"
	                     "_tare_values()\n{\n\tcase \"$1 $2\" in\n");
	for (size_t i = 0; commands[i]; i++) {
		for (const struct option *option = commands[i]->options; option->name; option++) {
			if (!option_takes_word(option))
				continue;
			bash_patterns(out, commands[i], option);
			buffer_text_add(out, ") echo '");
			words(out, option->choices ? option->choices : "file");
			buffer_text_add(out, "' ;;\n");
		}
	}
	buffer_text_add(out, "\t*) return 1 ;;\n\tesac\n}\n\n");
}

static void bash_script(struct buffer *out)
{
	buffer_text_add(out, "# bash completion for tare, made by 'tare help --completion bash'.\n\n_tare_commands='");
	command_names(out);
	buffer_printf(out, "'\n_tare_topics='%s'\n\n", help_topics);
	bash_tables(out);
	buffer_text_add(out, "_tare_saved()\n{\n\t" SAVED_RESULTS "\n}\n\n");
	buffer_text_add(out, help_text("completion")); /* bash splits --method=x into three words at the '=' */
}

/* ---- zsh ---- */

/* One entry of _arguments: '*--name=[help]:ARGUMENT:what', with {-n+,--name=} where there is a letter. */
static void zsh_option(struct buffer *out, const struct option *option)
{
	const char *assign = values_of(option) == 1 ? "=" : "";
	const char *star = option->kind == OPTION_LIST ? "*" : "";
	buffer_text_add(out, " \\\n\t\t\t");
	if (option->letter) {
		if (option->kind == OPTION_LIST)
			buffer_text_add(out, "'*'");
		else
			buffer_printf(out, "'(-%c --%s)'", option->letter, option->name);
		buffer_printf(out, "{-%c%s,--%s%s}'", option->letter, values_of(option) == 1 ? "+" : "", option->name, assign);
	} else {
		buffer_printf(out, "'%s--%s%s", star, option->name, assign);
	}
	buffer_char(out, '[');
	quoted(out, option->help ? option->help : "", "[]\\");
	buffer_char(out, ']');
	for (int i = 0; i < values_of(option); i++) {
		buffer_text_add(out, may_lack_value(option) ? "::" : ":");
		quoted(out, option->argument, ":\\");
		buffer_char(out, ':');
		if (option->choices) {
			buffer_char(out, '(');
			words(out, option->choices);
			buffer_char(out, ')');
		} else {
			buffer_text_add(out, may_be_file(option) ? "_tare_results" : " ");
		}
	}
	buffer_char(out, '\'');
}

static void zsh_script(struct buffer *out)
{
	buffer_text_add(out, "#compdef tare\n"
	                     "# zsh completion for tare, made by 'tare help --completion zsh'.\n\n"
	                     "_tare_results() {\n"
	                     "\tif [[ $PREFIX == @* ]]; then\n"
	                     "\t\tcompadd -- ${(f)\"$(" SAVED_RESULTS ")\"}\n"
	                     "\telse\n"
	                     "\t\t_files\n"
	                     "\tfi\n"
	                     "}\n\n"
	                     "_tare() {\n"
	                     "\tlocal curcontext=$curcontext state line\n"
	                     "\tlocal -a subcommands\n"
	                     "\tsubcommands=(\n");
	for (size_t i = 0; commands[i]; i++) {
		buffer_printf(out, "\t\t'%s:", commands[i]->name);
		quoted(out, commands[i]->summary, ":\\");
		buffer_text_add(out, "'\n");
	}
	buffer_text_add(out, "\t\t'help:what a command does, with its options'\n"
	                     "\t)\n"
	                     "\t_arguments -C '(- *)--help[what tare does]' '(- *)--version[the version of tare]' \\\n"
	                     "\t\t'1: :->command' '*:: :->rest' && return\n"
	                     "\tcase $state in\n"
	                     "\tcommand)\n"
	                     "\t\t_describe -t commands command subcommands\n"
	                     "\t\t;;\n"
	                     "\trest)\n"
	                     "\t\tcase $words[1] in\n"
	                     "\t\thelp)\n"
	                     "\t\t\t_describe -t commands command subcommands\n"
	                     "\t\t\tcompadd -- ");
	buffer_text_add(out, help_topics);
	buffer_text_add(out, " --all\n\t\t\t;;\n");
	for (size_t i = 0; commands[i]; i++) {
		buffer_printf(out, "\t\t%s)\n\t\t\t_arguments -s -S", commands[i]->name);
		for (const struct option *option = commands[i]->options; option->name; option++)
			zsh_option(out, option);
		if (commands[i]->subcommands) {
			buffer_text_add(out, " \\\n\t\t\t'1:subcommand:(");
			words(out, commands[i]->subcommands);
			buffer_text_add(out, ")'");
		}
		buffer_text_add(out,
		                " \\\n\t\t\t'(- *)'{-h,--help}'[what the command does]' '*:result:_tare_results'\n\t\t\t;;\n");
	}
	buffer_text_add(out, "\t\tesac\n\t\t;;\n\tesac\n}\n\n_tare \"$@\"\n");
}

/* ---- fish ---- */

/* `text` inside single quotes of fish, where a backslash escapes. */
static void fish_quoted(struct buffer *out, const char *text)
{
	buffer_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buffer_char(out, '\\');
		buffer_char(out, *text);
	}
	buffer_char(out, '\'');
}

static void fish_option(struct buffer *out, const struct command *command, const struct option *option)
{
	buffer_printf(out, "complete -c tare -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
	if (option->letter)
		buffer_printf(out, " -s %c", option->letter);
	if (option->choices) {
		/* Where the value may be left out, the next word may be a file, too. */
		buffer_text_add(out, may_lack_value(option) ? " -r -F -a '" : " -x -a '");
		words(out, option->choices);
		buffer_char(out, '\'');
	} else if (option_takes_word(option)) {
		buffer_text_add(out, !may_be_file(option) ? " -x" : may_lack_value(option) ? " -F" : " -r -F");
	}
	if (option->help) {
		buffer_text_add(out, " -d ");
		fish_quoted(out, option->help);
	}
	buffer_char(out, '\n');
}

static void fish_script(struct buffer *out)
{
	buffer_text_add(out, "# fish completion for tare, made by 'tare help --completion fish'.\n\n"
	                     "complete -c tare -n __fish_use_subcommand -f\n"
	                     "complete -c tare -n __fish_use_subcommand -l help -d 'what tare does'\n"
	                     "complete -c tare -n __fish_use_subcommand -l version -d 'the version of tare'\n");
	for (size_t i = 0; commands[i]; i++) {
		buffer_printf(out, "complete -c tare -n __fish_use_subcommand -a %s -d ", commands[i]->name);
		fish_quoted(out, commands[i]->summary);
		buffer_char(out, '\n');
	}
	buffer_text_add(out,
	                "complete -c tare -n __fish_use_subcommand -a help -d 'what a command does, with its options'\n"
	                "complete -c tare -n '__fish_seen_subcommand_from help' -f -a '");
	command_names(out);
	buffer_printf(out, " %s'\n", help_topics);
	buffer_text_add(out, "complete -c tare -n 'string match -q \"@*\" -- (commandline -ct)' -f -a '(");
	buffer_text_add(out, "tare history list --ascii --color never 2>/dev/null | string match -r \"@[0-9]+\")'\n");
	for (size_t i = 0; commands[i]; i++) {
		buffer_char(out, '\n');
		for (const struct option *option = commands[i]->options; option->name; option++)
			fish_option(out, commands[i], option);
		if (commands[i]->subcommands) {
			buffer_printf(out,
			              "complete -c tare -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from ",
			              commands[i]->name);
			words(out, commands[i]->subcommands);
			buffer_text_add(out, "' -f -a '");
			words(out, commands[i]->subcommands);
			buffer_text_add(out, "'\n");
		}
		buffer_printf(out,
		              "complete -c tare -n '__fish_seen_subcommand_from %s' -s h -l help -d 'what the command does'\n",
		              commands[i]->name);
	}
}

int completion_script(const char *shell, struct buffer *out, struct error *err)
{
	if (strcmp(shell, "bash") == 0) {
		bash_script(out);
	} else if (strcmp(shell, "zsh") == 0) {
		zsh_script(out);
	} else if (strcmp(shell, "fish") == 0) {
		fish_script(out);
	} else {
		return error_full(err, ERROR_USAGE, NULL, "choose one of bash, zsh, fish",
		                  "no completion for the shell '%.60s'", shell);
	}
	return buffer_error(out, err);
}

void completion_options(const struct command *command, struct buffer *out)
{
	if (!command) {
		for (size_t i = 0; commands[i]; i++)
			buffer_printf(out, "%s\n", commands[i]->name);
		return;
	}
	for (const struct option *option = command->options; option->name; option++)
		buffer_printf(out, "%c\t%s\t%s\t%s\t%s\n", option->letter ? option->letter : '-', option->name,
		              option->argument ? option->argument : "-", option->choices ? option->choices : "-",
		              option->help ? "listed" : "hidden");
	buffer_text_add(out, "h\thelp\t-\t-\thidden\n");
}
