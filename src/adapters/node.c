/* Node: suites of tinybench and of mitata. Neither has a command line, so that a module of ours is loaded first
 * (`--import` in NODE_OPTIONS): it stands between the suite and the framework, leaves out the benchmarks that are not wanted, sets the
 * time, and writes names or results to a file. The suite is loaded as it is. Needs Node 20.6 or later. */
#include "adapters/adapter.h"

#include "base/buffer.h"

#include <string.h>

/* Redirects `import 'tinybench'` and `import 'mitata'` of the suite to the modules below. */
static const char hook[] =
	"import { register } from 'node:module';\n"
	"register('./tare-resolve.mjs', import.meta.url);\n"
	"process.on('uncaughtExceptionMonitor', (error) => console.error(`Uncaught ${String(error).split('\\n')[0]}`));\n";

static const char resolve_hook[] = "let suite;\n"
								   "const ours = { tinybench: './tare-tinybench.mjs', mitata: './tare-mitata.mjs' };\n"
								   "export async function resolve(specifier, context, next) {\n"
								   "  const own = import.meta.url.replace(/[^/]*$/, '');\n"
								   "  if (specifier.startsWith('tare-real:')) {\n"
								   "    return next(specifier.slice(10), { ...context, parentURL: suite });\n"
								   "  }\n"
								   "  if (ours[specifier] && !context.parentURL?.startsWith(own)) {\n"
								   "    suite = context.parentURL;\n"
								   "    return next(new URL(ours[specifier], own).href, context);\n"
								   "  }\n"
								   "  return next(specifier, context);\n"
								   "}\n";

static const char common[] =
	"import { readFileSync, writeFileSync } from 'node:fs';\n"
	"const { TARE_LIST, TARE_WANTED, TARE_RESULTS, TARE_SECONDS } = process.env;\n"
	"export const wanted = TARE_WANTED ? new Set(JSON.parse(readFileSync(TARE_WANTED, 'utf8'))) : null;\n"
	"export const seconds = Number(TARE_SECONDS ?? 0);\n"
	"const names = [], results = [];\n"
	"export const list = (name) => { names.push(name); writeFileSync(TARE_LIST, names.map((n) => n.replace(/\\n/g, ' ') + '\\n').join('')); };\n"
	"export const report = (some) => { results.push(...some); writeFileSync(TARE_RESULTS, JSON.stringify(results)); };\n"
	"export const reportWhole = (document) => writeFileSync(TARE_RESULTS, JSON.stringify(document));\n";

static const char tinybench[] =
	"import * as real from 'tare-real:tinybench';\n"
	"import { list, report, seconds, wanted } from './tare-common.mjs';\n"
	"export * from 'tare-real:tinybench';\n"
	"export class Bench extends real.Bench {\n"
	"  constructor(options = {}) {\n"
	"    super({ ...options, time: seconds * 1000, iterations: 1, warmupTime: Math.min(options.warmupTime ?? 250, seconds * 500), warmupIterations: 1 });\n"
	"  }\n"
	"  #full(task) { return this.name ? `${this.name}/${task.name}` : task.name; }\n"
	"  #begin() {\n"
	"    const all = [...this.tasks];\n"
	"    if (!wanted) { all.forEach((task) => list(this.#full(task))); return all; }\n"
	"    for (const task of all) if (!wanted.has(this.#full(task))) this.remove(task.name);\n"
	"    return null;\n"
	"  }\n"
	"  #end(tasks) {\n"
	"    report(this.tasks.map((task) => ({ name: this.#full(task), result: { ...task.result, latency: { mean: task.result?.latency?.mean ?? task.result?.mean, rme: 0 },\n"
	"      error: task.result?.error && { message: String(task.result.error.message ?? task.result.error) } } })));\n"
	"    return tasks;\n"
	"  }\n"
	"  async run() { return this.#begin() ?? this.#end(await super.run()); }\n"
	"  runSync() { return this.#begin() ?? this.#end(super.runSync()); }\n"
	"  table() { return []; }\n"
	"}\n"
	"export default { ...real, Bench };\n";

/* mitata's run() measures what an empty function takes for seconds first: its benchmarks are run one by one here, each for
 * the time that mitata gives it. */
static const char mitata[] =
	"import * as real from 'tare-real:mitata';\n"
	"import { list, reportWhole, wanted } from './tare-common.mjs';\n"
	"export * from 'tare-real:mitata';\n"
	"const trials = [];\n"
	"let current = null;\n"
	"export function bench(...words) {\n"
	"  const one = real.bench(...words);\n"
	"  trials.push({ one, group: current });\n"
	"  return one;\n"
	"}\n"
	"export function group(name, body) {\n"
	"  if (typeof name === 'function') [name, body] = [null, name];\n"
	"  const before = current;\n"
	"  current = name ?? current;\n"
	"  const ended = body();\n"
	"  if (!(ended instanceof Promise)) current = before;\n"
	"  else return ended.then(() => { current = before; });\n"
	"}\n"
	"export async function run() {\n"
	"  const layout = [], benchmarks = [];\n"
	"  for (const { one, group } of trials) {\n"
	"    const names = [...one._names()].map((name) => (group ? `${group}/${name}` : name));\n"
	"    if (!wanted) { names.forEach(list); continue; }\n"
	"    if (!names.some((name) => wanted.has(name))) continue;\n"
	"    const { alias, runs } = await one.run();\n"
	"    benchmarks.push({ alias, group: layout.length, runs: runs.map(({ name, args, stats, error }) => ({\n"
	"      name, args, stats: stats && { avg: stats.avg }, error: error && { message: String(error.message ?? error) } })) });\n"
	"    layout.push({ name: group });\n"
	"    reportWhole({ layout, benchmarks });\n"
	"  }\n"
	"  return { layout, benchmarks, context: {} };\n"
	"}\n";

static bool is_node(const char *const *words)
{
	const char *name = adapter_base_name(words[0]);
	return strcmp(name, "node") == 0 || strcmp(name, "nodejs") == 0;
}

static bool imports(const struct adapter_program *program, const char *quoted, const char *double_quoted)
{
	return is_node(program->words) && (adapter_has_text(program->script, program->script_length, quoted) ||
	                                   adapter_has_text(program->script, program->script_length, double_quoted));
}

static bool recognises_tinybench(const struct adapter_program *program)
{
	return imports(program, "'tinybench'", "\"tinybench\"");
}

static bool recognises_mitata(const struct adapter_program *program)
{
	return imports(program, "'mitata'", "\"mitata\"");
}

/* A JSON array of the names. */
static const char *write_wanted(const struct adapter_request *request, struct adapter_command *out)
{
	struct buffer text = {0};
	for (size_t i = 0; i < request->count; i++) {
		buffer_text_add(&text, i ? ",\"" : "[\"");
		for (const unsigned char *c = (const unsigned char *)request->keys[i]; *c; c++)
			if (*c < 0x20 || *c == '"' || *c == '\\')
				buffer_printf(&text, "\\u%04x", *c);
			else
				buffer_char(&text, (char)*c);
		buffer_char(&text, '"');
	}
	buffer_char(&text, ']');
	const char *path = buffer_error(&text, NULL) == 0 ? adapter_write(out, request, "wanted.json", buffer_text(&text))
	                                                  : NULL;
	buffer_release(&text);
	out->out_of_memory |= !path;
	return path ? path : "";
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	const char *first = adapter_write(out, request, "tare-hook.mjs", hook);
	out->out_of_memory |= !first || !adapter_write(out, request, "tare-resolve.mjs", resolve_hook) ||
	                      !adapter_write(out, request, "tare-common.mjs", common) ||
	                      !adapter_write(out, request, "tare-tinybench.mjs", tinybench) ||
	                      !adapter_write(out, request, "tare-mitata.mjs", mitata);
	const char *options = adapter_variable(request, "NODE_OPTIONS");
	adapter_words(out, request->words);
	/* Quoted: the folder's name may have blanks. */
	adapter_set(out, "NODE_OPTIONS=%s%s--import=\"%s\"", options ? options : "", options ? " " : "",
	            first ? first : "");
	out->results = adapter_path(out, request, request->only_list ? "names" : "results.json");
	if (request->only_list) {
		adapter_set(out, "TARE_LIST=%s", out->results);
		return;
	}
	adapter_set(out, "TARE_WANTED=%s", write_wanted(request, out));
	adapter_set(out, "TARE_RESULTS=%s", out->results);
	adapter_set(out, "TARE_SECONDS=%.6f", request->seconds);
}

const struct adapter tinybench_adapter = {
	.name = "tinybench",
	.framework = "tinybench",
	.format = "tinybench",
	.list = ADAPTER_LINES,
	.repetitions = 1,
	.why = {"Uncaught "},
	.ends_with_fail = true,
	.recognises = recognises_tinybench,
	.command = command,
};

const struct adapter mitata_adapter = {
	.name = "mitata",
	.framework = "mitata",
	.format = "mitata",
	.list = ADAPTER_LINES,
	.repetitions = 1,
	.why = {"Uncaught "},
	.ends_with_fail = true,
	.recognises = recognises_mitata,
	.command = command,
};
