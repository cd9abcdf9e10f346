/* pytest-benchmark. A plugin of ours, loaded for the process alone, lists the tests that use its fixture and leaves out those
 * that are not wanted: names on the command line would add to the files that the user names. It also spares what
 * pytest-benchmark tells of the machine and the commit, for which it starts a dozen programs in every process: they take
 * longer than many benchmarks, and a process that waits for others cannot be told from one whose benchmarks wait. */
#include "adapters/adapter.h"

#include <string.h>

static const char plugin[] =
	"import os\n"
	"import platform\n"
	"import pytest\n"
	"try:\n"
	"    from pytest_benchmark import utils\n"
	"    utils.get_machine_id = utils.get_tag = lambda *_: 'tare'\n"
	"    utils.get_commit_info = lambda *_: {'id': 'tare'}\n"
	"except ImportError:\n"
	"    pass\n"
	"@pytest.hookimpl(tryfirst=True, optionalhook=True)\n"
	"def pytest_benchmark_generate_machine_info(config):\n"
	"    return {'node': platform.node(), 'machine': platform.machine(), 'system': platform.system(),\n"
	"            'release': platform.release(), 'processor': '', 'cpu': {},\n"
	"            'python_version': platform.python_version(), 'python_build': platform.python_build(),\n"
	"            'python_compiler': platform.python_compiler(),\n"
	"            'python_implementation': platform.python_implementation(),\n"
	"            'python_implementation_version': platform.python_version()}\n"
	"@pytest.hookimpl(trylast=True)\n" /* after -k and -m have chosen */
	"def pytest_collection_modifyitems(config, items):\n"
	"    if not config.pluginmanager.hasplugin('benchmark'):\n"
	"        raise pytest.UsageError('this Python has no pytest-benchmark, or -p no:benchmark leaves it out')\n"
	"    mine = [i for i in items if 'benchmark' in getattr(i, 'fixturenames', ())]\n"
	"    wanted = os.environ.get('TARE_WANTED')\n"
	"    if wanted:\n"
	"        with open(wanted, encoding='utf-8') as file:\n"
	"            names = set(file.read().split('\\n'))\n"
	"        mine = [i for i in mine if i.nodeid in names]\n"
	"    else:\n"
	"        with open(os.environ['TARE_LIST'], 'w', encoding='utf-8') as file:\n"
	"            file.write(''.join(i.nodeid + '\\n' for i in mine))\n"
	"    config.hook.pytest_deselected(items=[i for i in items if i not in mine])\n"
	"    items[:] = mine\n"
	"failed = set()\n"
	"def pytest_runtest_logreport(report):\n"
	"    if report.failed:\n"
	"        failed.add(report.nodeid)\n"
	"@pytest.hookimpl(optionalhook=True)\n" /* a test may fail after its benchmark, or be taken down with an error */
	"def pytest_benchmark_update_json(config, benchmarks, output_json):\n"
	"    output_json['benchmarks'] = [b for b in output_json['benchmarks'] if b['fullname'] not in failed]\n"
	"def pytest_sessionfinish(session, exitstatus):\n"
	"    if exitstatus == 5:\n" /* no tests: none of them failed */
	"        session.exitstatus = 0\n";

/* pytest, py.test, python3 -m pytest */
static bool recognises(const struct adapter_program *program)
{
	const char *const *words = program->words;
	const char *first = adapter_base_name(words[0]);
	if (strcmp(first, "pytest") == 0 || strcmp(first, "py.test") == 0 || strcmp(first, "pytest-3") == 0)
		return true;
	for (size_t i = 1; words[i] && strncmp(first, "python", 6) == 0; i++)
		if (strcmp(words[i], "-m") == 0 && words[i + 1] && strcmp(words[i + 1], "pytest") == 0)
			return true;
	return false;
}

/* pytest writes control characters in names as escapes. */
static const char *write_wanted(const struct adapter_request *request, struct adapter_command *out)
{
	size_t length = 1;
	for (size_t i = 0; i < request->count; i++)
		length += strlen(request->keys[i]) + 1;
	char *text = arena_alloc(out->arena, length, 1), *end = text;
	for (size_t i = 0; text && i < request->count; i++) {
		end = stpcpy(end, request->keys[i]);
		*end++ = '\n';
	}
	out->out_of_memory |= !text;
	return text ? adapter_write(out, request, "wanted", text) : NULL;
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	const char *module = adapter_write(out, request, "tare_plugin.py", plugin);
	out->results = adapter_path(out, request, request->only_list ? "names" : "results.json");
	adapter_words(out, request->words);
	const char *path = adapter_variable(request, "PYTHONPATH");
	adapter_set(out, "PYTHONPATH=%s%s%s", request->folder, path && *path ? ":" : "", path ? path : "");
	adapter_set(out, "PYTHONDONTWRITEBYTECODE=1");
	adapter_word(out, "-p");
	adapter_word(out, "tare_plugin");
	adapter_word(out, "-p");
	adapter_word(out, "no:cacheprovider");
	adapter_word(out, "-q");
	adapter_word(out, "-rfEs"); /* why each one failed or was skipped */
	out->out_of_memory |= !module;
	if (request->only_list) {
		adapter_set(out, "TARE_LIST=%s", out->results);
		adapter_word(out, "--collect-only");
		return;
	}
	adapter_set(out, "TARE_WANTED=%s", write_wanted(request, out));
	adapter_word(out, "--benchmark-enable"); /* many projects disable it for their tests, in a file of settings */
	adapter_word(out, "--benchmark-json=%s", out->results);
	adapter_word(out, "--benchmark-max-time=%.6f", request->seconds);
	adapter_word(out, "--benchmark-min-rounds=%zu", request->repetitions);
	adapter_word(out, "--benchmark-timer=%s", request->by_cpu_time ? "time.process_time" : "time.perf_counter");
}

const struct adapter pytest_adapter = {
	.name = "pytest",
	.framework = "pytest-benchmark",
	.format = "pytest",
	.list = ADAPTER_LINES,
	.repetitions = 20,
	.has_cpu_clock = true,
	.why = {"FAILED ", "ERROR "},
	.skipped = "SKIPPED [1] ",
	.ends_with_fail = true,
	.recognises = recognises,
	.command = command,
};
