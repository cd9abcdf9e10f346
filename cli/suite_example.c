#include "cli/suite_example.h"

#include "host/file.h"

#include <stdio.h>
#include <string.h>

static const char example[] =
	"# What tare measures here, and how: 'tare run tare.yaml' for commands, 'tare bench tare.yaml' for programs with\n"
	"# benchmarks inside. Options of the command line win over this file; 'man tare.yaml' lists all keys.\n"
	"\n"
	"name: example\n"
	"\n"
	"# What is measured. The first command, and the first program, is what the others are compared with. Folders and files\n"
	"# are seen from the folder of this file.\n"
	"subjects:\n"
	"  - name: expression\n"
	"    command: grep -c {word} tare.yaml\n"
	"    environment: [LC_ALL=C]\n"
	"  - name: fixed\n"
	"    command: grep -c -F {word} tare.yaml\n"
	"    environment: [LC_ALL=C]\n"
	"    # directory: build            # where it runs\n"
	"    # prepare: sync               # before each run, not timed; 'conclude' after it\n"
	"  # - name: old\n"
	"  #   program: build/suite-old    # a program with <tare/bench.h>, for tare bench\n"
	"  # - name: new\n"
	"  #   program: build/suite-new\n"
	"\n"
	"# Each {name} above is replaced by each of its values. In tare bench: only benchmarks with these values.\n"
	"parameters:\n"
	"  - name: word\n"
	"    values: [tare]\n"
	"  # - name: size\n"
	"  #   from: 1\n"
	"  #   to: 8\n"
	"  #   step: 1\n"
	"\n"
	"# How: auto, solo, shuffled, duet, turns or shared.\n"
	"design: auto\n"
	"\n"
	"# What is judged by the first of: cpu, wall, net, delay, rss, …; left out, it is chosen.\n"
	"# metrics: [cpu, wall]\n"
	"# indices: ['rate:MB/s:higher:regex=([0-9.]+) MB/s']   # numbers that the command prints\n"
	"\n"
	"# How often, at each level. Left out: as often as the answer needs.\n"
	"levels:\n"
	"  run:\n"
	"    min: 10\n"
	"    # max: 1000\n"
	"    # exactly: 30\n"
	"  # iteration:                    # inside a program of tare bench\n"
	"  #   time: 1ms\n"
	"  #   count: 20\n"
	"\n"
	"# Inside a program: when some benchmarks are stopped, and how long they are.\n"
	"# benchmarks:\n"
	"#   - name: ^parse                # those whose name matches\n"
	"#     stop: rciw+kld\n"
	"#     max-warmup: 100\n"
	"\n"
	"# How long at most.\n"
	"budget:\n"
	"  max-time: 20s\n"
	"  timeout: 10s                    # for one run\n"
	"\n"
	"# When an answer is good enough.\n"
	"confidence: 99                    # per cent\n"
	"margin: 2%                        # a difference within it is 'same'\n"
	"\n"
	"# In CI: exit 3 if something is slower than the first by more, 4 if that is open when the time is over.\n"
	"# gate: 5%\n";

int suite_example_write(const char *folder, bool *written, struct error *err)
{
	char path[4096];
	int length = snprintf(path, sizeof(path), "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
	                      "tare.yaml");
	if (length < 0 || (size_t)length >= sizeof(path))
		return error_set(err, ERROR_USAGE, "the name of the folder is too long");
	enum file_kind kind = file_kind(&syscalls_libc, path);
	if (kind == FILE_UNKNOWN)
		return file_unknown(path, err);
	*written = kind == FILE_MISSING;
	return *written ? file_write_whole(&syscalls_libc, path, example, sizeof(example) - 1, err) : 0;
}
