#!/usr/bin/env bats
# tare bench, as a user types it. Bookkeeping, words and exit codes; never how fast something was, except where one does
# several times the work of the other.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	build="$(dirname "$TARE")"
	ln -s "$build/tests/programs/suite-old" old
	ln -s "$build/tests/programs/suite-new" new
	ln -s "$build/tests/measure/hostile" hostile
	few="--progress none --metric cpu -r 12 --iterations 4 --iteration-time 100us"
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print(($2))" "$1"
}

verdicts() { # FILE
	json "$1" '" ".join(d["subjects"][c["new_index"]]["benchmark"] + "=" + c["verdict"] for c in d["comparisons"])'
}

@test "too few runs for a verdict: the table says so below an interval that would decide" {
	run "$TARE" bench --no-save --progress none --metric cpu -r 4 --iterations 4 --iteration-time 100us ./old ./new
	[ "$status" -eq 0 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *" undecided: 4 runs: too few for a verdict; use 10 or more ("*heavier* ]]
}

@test "one program: a row for each benchmark, runs as asked for, levels and metrics" {
	run "$TARE" bench $few --json doc ./old
	[ "$status" -eq 0 ]
	[[ "$output" == *"heavier"*"way/how=long/n=2"* ]]
	[ "$(json doc 'len(d["subjects"])')" = 10 ]
	[ "$(json doc 'd["design"]["name"], d["design"]["levels"], d["design"]["paired"]')" = "('solo', ['run', 'iteration'], False)" ]
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	[ "$(json doc 'sorted(d["subjects"][0]["metrics"])')" = "['cpu', 'delay', 'items', 'net', 'wall']" ]
	[ "$(json doc 'd["subjects"][2]["metrics"]["steps"]["mean"], d["subjects"][2]["metrics"]["steps"]["unit"]')" = "(200, 'steps')" ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["units"]')" = 12 ]
	[ "$(json doc 'd["subjects"][0]["invocations"] >= 1 and d["subjects"][0]["benchmark"] == "same" and d["subjects"][0]["program"] == "./old"')" = True ]
	[ "$(json doc 'd["subjects"][5]["parameters"]')" = "{'how': 'short', 'n': '1'}" ]
	[ "$(json doc 'all(len(r) >= 4 for r in d["subjects"][0]["metrics"]["wall"]["samples"])')" = True ]
}

@test "the warm-up that was left out stays out when the result is read again" {
	export XDG_DATA_HOME="$PWD/data"
	"$TARE" bench --progress none -r 4 --iterations 5 --min-warmup 3 --max-warmup 3 --iteration-time 100us --filter same --json doc ./old >/dev/null
	"$TARE" analyze doc --json again >/dev/null
	"$TARE" analyze @last --json saved >/dev/null
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["steady"]["skip"]')" = 3 ]
	mean=$(json doc 'd["subjects"][0]["metrics"]["wall"]["mean"]')
	for file in again saved; do
		[ "$(json $file 'd["subjects"][0]["metrics"]["wall"]["steady"]["skip"]')" = 3 ]
		[ "$(json $file "abs(d['subjects'][0]['metrics']['wall']['mean'] / $mean - 1) < 1e-9")" = True ]
	done
	# Of runs in two files each keeps its own.
	"$TARE" bench --progress none --no-save -r 2 --iterations 5 --min-warmup 2 --max-warmup 2 --iteration-time 100us --filter same --json other ./old >/dev/null
	"$TARE" analyze doc other --json both >/dev/null
	[ "$(json both 'd["subjects"][0]["metrics"]["wall"]["steady"]["skips"]')" = "[3, 3, 3, 3, 2, 2]" ]
}

@test "iterations of one process are one run" {
	"$TARE" bench --progress none --no-save -r 1 --iterations 30 --iteration-time 100us --filter same --json doc --markdown table ./old >out
	[[ "$(grep -m 1 '^same' out)" == *" 1" ]]
	[[ "$(grep 'same' table)" == *"| 1 |"* ]]
}

@test "two programs: pairs in turns, verdicts, one side only is named" {
	run "$TARE" bench $few --json doc --filter 'same|heavier|lighter|only' ./old ./new
	[ "$status" -eq 0 ]
	[[ "$output" == *"heavier"*"slower"* && "$output" == *"geometric mean"* ]]
	[[ "$output" == *"only_old: not in ./new"* && "$output" == *"only_new: not in ./old"* ]]
	[[ "$(verdicts doc)" == *"heavier=slower lighter=faster" ]]
	[ "$(json doc 'd["design"]["name"], d["design"]["paired"]')" = "('turns', True)" ]
	[ "$(json doc '[s["name"] for s in d["subjects"]][:2]')" = "['./old same', './new same']" ]
	[ "$(json doc '[s["letter"] for s in d["subjects"]][:2]')" = "['A', 'B']" ]
	[ "$(json doc 'd["comparisons"][1]["units"]')" = 12 ]
	# Both orders equally often, the same number of samples on both sides.
	[ "$(json doc 'd["design"]["order"].count("AB") == d["design"]["order"].count("BA") > 0')" = True ]
	[ "$(json doc 'all([len(r) for r in a["metrics"]["cpu"]["samples"]] == [len(r) for r in b["metrics"]["cpu"]["samples"]] for a, b in zip(d["subjects"][::2], d["subjects"][1::2]))')" = True ]
}

@test "the same seed gives the same order, and the document reads back" {
	for i in 1 2; do
		run "$TARE" bench $few --seed 7 --filter heavier --json doc$i ./old ./new
		[ "$status" -eq 0 ]
	done
	[ "$(json doc1 'd["design"]["order"][:40]')" = "$(json doc2 'd["design"]["order"][:40]')" ]
	run "$TARE" analyze --json again doc1
	[ "$status" -eq 0 ]
	[ "$(json again 'd["subjects"][0]["letter"], d["subjects"][0]["invocations"]')" = "$(json doc1 'd["subjects"][0]["letter"], d["subjects"][0]["invocations"]')" ]
}

@test "duet, shuffled and solo" {
	for design in duet shuffled solo; do
		if [ "$design" = duet ] && [ "$(nproc)" -lt 2 ]; then continue; fi
		run "$TARE" bench $few --design "$design" --filter 'heavier' --json doc ./old ./new
		[ "$status" -eq 0 ]
		[ "$(json doc 'd["design"]["name"]')" = "$design" ]
		[ "$(verdicts doc)" = "heavier=slower" ]
	done
	[ "$(json doc 'd["design"]["paired"]')" = False ]
	run "$TARE" bench $few --design shared ./old ./new
	[ "$status" -eq 2 ]
}

@test "a duet with --refill: the shorter one runs until the longer one ends" {
	[ "$(nproc)" -ge 2 ] || skip "one CPU"
	cat >suite.py <<-EOF
		import os, sys, time
		sys.path.insert(0, "$SOURCE_ROOT/clients/python")
		from tare_bench import bench, main
		@bench()
		def naps():
		    with open(os.environ["SIDE"], "ab") as calls:
		        calls.write(b".")
		    time.sleep(0.001 if os.environ["SIDE"] == "short" else 0.02)
		main()
	EOF
	for refill in "" --refill; do
		rm -f short long
		"$TARE" bench --progress none --no-save -r 5 --iterations 3 --iteration-time 20ms --max-warmup 0 --metric wall \
			--design duet $refill --vary SIDE=short,long --json doc "python3 suite.py" >/dev/null
		[ "$(verdicts doc)" = naps=slower ]
		[ "$(json doc '[len(s["metrics"]["wall"]["samples"]) for s in d["subjects"]]')" = "[5, 5]" ]
		echo "$(stat -c %s short) $(stat -c %s long)" >"calls$refill"
	done
	# Without, both are called equally often, and their trials come on top.
	read -r short long <calls
	[ "$short" -lt $((3 * long)) ]
	read -r short long <calls--refill
	[ "$short" -gt $((3 * long)) ]
	run --separate-stderr "$TARE" bench $few --refill ./old ./new
	[ "$status" -eq 2 ]
	[[ "$stderr" == *"--refill is for two programs that run at once"*"--design duet"* ]]
}

@test "duet: interference and what the two CPUs differ by are told" {
	[ "$(nproc)" -ge 2 ] || skip "one CPU"
	"$TARE" bench $few -r 8 --design duet --filter heavier --json doc --html page ./old ./new >out
	[ "$(json doc '[type(d["comparisons"][0][k]).__name__ for k in ("order_effect", "order_effect_half", "interference_base")]')" = \
		"['float', 'float', 'float']" ]
	for file in out page; do
		tr '\n' ' ' <$file | tr -s ' ' >flat
		grep -qE 'together they take [0-9.]+ \([0-9.]+ to [0-9.]+\) and [0-9.]+ \([0-9.]+ to [0-9.]+\) times as long as alone' flat
		grep -aqE 'the second CPU is [0-9.]+.*(slower|faster) than the first|the two CPUs differ by at most [0-9.]+' flat
	done
	[ "$(json doc 'd["comparisons"][0]["interference_new_ci"]["level"]')" = 0.95 ]
	# A suite: the one that suffers most; all of them with -v and on the page.
	"$TARE" bench $few -r 5 --design duet --filter 'heavier|same' --html page ./old ./new >out
	grep -q 'together they take up to [0-9.]* ([0-9.]* to [0-9.]*) times as long as alone' out
	[ "$(grep -o 'together they take [0-9.]* (' page | wc -l)" -eq 2 ]
	"$TARE" bench $few -r 5 -v --design duet --filter 'heavier|same' ./old ./new >out
	[ "$(grep -c 'together they take [0-9]' out)" -eq 2 ]
}

@test "duet of two commands: how much the sides slow each other down, with intervals" {
	[ "$(nproc)" -ge 2 ] || skip "one CPU"
	# Without -v it is told where 12 lines have room for it.
	"$TARE" run -v --progress none --no-save -r 8 --design duet --json doc --html page "$build/bench/spin 200000" "$build/bench/spin 300000" >out
	for file in out page; do
		tr '\n' ' ' <$file | tr -s ' ' | grep -aqE 'together they take [0-9.]+ \([0-9.]+ to [0-9.]+\) and [0-9.]+ \('
	done
	[ "$(json doc '[len(s["metrics"]["cpu"]["samples"]) for s in d["subjects"]]')" = "[8, 8]" ]
}

@test "--latex: tables and sentences for a paper, of one and of two" {
	"$TARE" bench $few --no-save --filter same --latex one.tex ./old >/dev/null
	"$TARE" run --progress none --no-save -r 6 --latex two.tex "$build/bench/spin 2000" "$build/bench/spin 9000" >/dev/null
	for file in one two; do
		grep -q 'begin{tabular}' $file.tex
		# Of the signs beyond ASCII LaTeX knows quotes only; others are commands.
		[ -z "$(sed 's/[“”]//g' $file.tex | LC_ALL=C grep '[^ -~]')" ]
	done
	[ "$(grep -c 'begin{tabular}' two.tex)" -eq 2 ]
	grep -q 'spin 9000' two.tex
	run "$TARE" run --progress none --no-save -r 6 --latex x --csv ./x "$build/bench/spin 2000"
	[ "$status" -eq 2 ]
}

@test "--state initialised: the same iteration of each run counts" {
	"$TARE" bench --progress none --no-save -r 5 --iterations 6 --min-warmup 2 --max-warmup 2 --iteration-time 100us --filter same --metric wall --state initialised --json doc ./old >out
	[ "$(json doc '(lambda m: (m["steady"]["iteration"], abs(m["mean"] / (sum(r[2] for r in m["samples"]) / 5) - 1) < 1e-9))(d["subjects"][0]["metrics"]["wall"])')" = "(3, True)" ]
	for words in "./old" "-r 5 ./old ./new"; do
		run "$TARE" bench --state initialised $words
		[ "$status" -eq 2 ]
		[[ "$output" == *"a fixed number"*"-r N"* ]]
	done
}

@test "Java: a collection before every iteration, on both sides of a pair, where a benchmark asks for it" {
	command -v javac >/dev/null || skip "no Java"
	javac -d . "$SOURCE_ROOT/clients/java/TareBench.java" "$SOURCE_ROOT/examples/java-suite/Suite.java"
	for benchmark in allocate polynomial; do
		rm -f gc.*
		"$TARE" bench --progress none --no-save -r 2 --iterations 3 --max-warmup 0 --iteration-time 1ms --filter "$benchmark" --vary SIDE=a,b --json doc \
			"java -Xlog:gc:file=gc.%p -cp . Suite" >/dev/null
		# Trials come on top of two runs of three iterations of each side.
		calls=$(cat gc.* | grep -c 'System.gc' || true)
		[ "$benchmark" = polynomial ] && [ "$calls" -eq 0 ] || [ "$calls" -ge 12 ]
	done
}

@test "an order by run is for whole runs" {
	run "$TARE" bench $few --design shuffled --filter 'heavier' --json doc ./old ./new
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["design"]["order_level"], len(d["design"]["order"]) >= 12')" = "('run', True)" ]
}

@test "three programs: each against the first" {
	run "$TARE" bench $few --filter 'heavier|same' --json doc ./old ./new ./old
	[ "$status" -eq 0 ]
	[ "$(json doc '[(c["base"], c["new"]) for c in d["comparisons"]]')" = "[('./old same', './new same'), ('./old same', './old #2 same'), ('./old heavier', './new heavier'), ('./old heavier', './old #2 heavier')]" ]
	[ "$(json doc 'd["comparisons"][2]["verdict"], d["comparisons"][3]["verdict"] != "slower"')" = "('slower', True)" ]
	[ "$(json doc 'sorted(set(d["design"]["order"])) == sorted(set(o for o in d["design"]["order"] if sorted(o) == ["A", "B", "C"]))')" = True ]
	[[ "$output" == *"geometric mean of ./new: "*"geometric mean of ./old #2: "* ]]
}

@test "--vary: values of a variable, or of a parameter" {
	run "$TARE" bench $few --filter level --vary LEVEL=1,4 --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["comparisons"][0]["verdict"], d["comparisons"][0]["base"], d["subjects"][1]["parameters"]')" = "('slower', 'LEVEL=1 ./old level', {'LEVEL': '4'})" ]
	run "$TARE" bench $few --vary how=short,long --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(verdicts doc)" = "way/n=1=slower way/n=2=slower" ]
	# Three values, and values of two programs: each against the first value of the first program.
	run "$TARE" bench $few --filter level --vary LEVEL=1,2,4 --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc '[(c["new"], c["verdict"]) for c in d["comparisons"]]')" = "[('LEVEL=2 ./old level', 'slower'), ('LEVEL=4 ./old level', 'slower')]" ]
	run "$TARE" bench --progress none -r 3 --iterations 3 --iteration-time 100us --vary how=short,long --json doc ./old ./new
	[ "$status" -eq 0 ]
	[ "$(json doc 'sorted(set((s["letter"], s["parameters"]["how"]) for s in d["subjects"]))')" = "[('A', 'short'), ('B', 'long'), ('C', 'short'), ('D', 'long')]" ]
	[ "$(json doc 'len(d["comparisons"])')" = 6 ]
	# A value that no benchmark has.
	run "$TARE" bench $few --vary how=short,none ./old
	[ "$status" -eq 5 ]
	run "$TARE" bench --vary LEVEL ./old
	[ "$status" -eq 2 ]
}

@test "values of parameters with commas: --param and a suite file" {
	cat >suite.py <<-EOF
	import sys
	sys.path.insert(0, "$SOURCE_ROOT/clients/python")
	from tare_bench import bench, main
	@bench(params={"sep": [",", ";", "\\\\"]})
	def split(sep):
	    "a,b;c".split(sep)
	main()
	EOF
	[ "$("$TARE" bench --list 'python3 suite.py' | wc -l)" -eq 3 ]
	[ "$("$TARE" bench --list --param 'sep=\,,;' 'python3 suite.py' | wc -l)" -eq 2 ]
	printf 'subjects: [{program: python3 suite.py}]\nparameters: [{name: sep, values: [",", "\\\\"]}]\n' >suite.yaml
	[ "$("$TARE" bench --list suite.yaml | wc -l)" -eq 2 ]
}

@test "--list, --filter and --param choose" {
	run "$TARE" bench --list ./old
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 10 ]
	[ "$("$TARE" bench --list --filter '^way' ./old | wc -l)" -eq 4 ]
	[ "$("$TARE" bench --list --filter '-^way' ./old | wc -l)" -eq 6 ]
	[ "$("$TARE" bench --list --filter '^way' --param how=long --param n=2,3 ./old)" = "way/how=long/n=2" ]
	run --separate-stderr "$TARE" bench --list --json - --csv names.csv ./old
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 10 ]
	[[ "$stderr" == *"--json has no effect: --list "*"--csv has no effect: --list "* ]]
	[ ! -e names.csv ]
	# A name that is mistyped would choose everything.
	run "$TARE" bench --param nosuch=4 --gate 50% ./old ./new
	[[ "$status" -eq 2 && "$output" == *"--param nosuch=4: no benchmark has this parameter"*"--list"* ]]
	run "$TARE" bench --list ./old ./new
	[[ "$output" == *"# only_old: not in ./new"* ]]
	run "$TARE" bench .
	[ "$status" -eq 2 ]
	[[ "$output" == *"this is a folder, not a program"*"tare bench 'go test .'"* ]]
	run "$TARE" bench --filter nothing-like-it ./old
	[ "$status" -eq 5 ]
	run "$TARE" bench --filter '(' ./old
	[ "$status" -eq 2 ]
}

@test "defaults of a benchmark hold, the command line wins" {
	run "$TARE" bench --progress none --max-time 20s --iterations 4 --filter 'way.*short.n=1' --precision 0.001% --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["units"], d["stopped"]["reason"]')" = "(11, 'count')" ]
	run "$TARE" bench --progress none --iterations 4 --max-runs 5 --filter 'way.*short.n=1' --json doc ./old
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["units"]')" = 5 ]
	# A 0 wins as any other number does: 6 iterations of warm-up, or the 3 that the window needs; a run of it before, or none.
	# CPU time is stable enough beside any other work.
	ln -s "$build/tests/programs/stops" stops
	counts='[len(r) for r in d["subjects"][0]["metrics"]["wall"]["samples"]], d["stopped"]["checks"]'
	"$TARE" bench --progress none --metric cpu --filter '^stable$' --json doc ./stops >said
	[ "$(json doc "$counts")" = "([9, 9, 9], 27)" ]
	"$TARE" bench --progress none --metric cpu --filter '^stable$' --min-warmup 0 --warmup-runs 0 --json doc ./stops >said
	[ "$(json doc "$counts")" = "([6, 6, 6], 12)" ]
}

@test "numbers of the program's own must be precise too" {
	run "$TARE" bench --progress none --iteration-time 100us --precision 900% --filter lighter --pi steps --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"], "not-converged" in [w["code"] for w in d["warnings"]]')" = "('precision', False)" ]
	run "$TARE" bench --progress none --iteration-time 100us --precision 900% --filter lighter --pi nothing --max-runs 11 --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"], d["subjects"][0]["metrics"]["wall"]["units"]')" = "('count', 11)" ]
	[[ "$output" == *"lighter, nothing: the benchmark does not report it"* ]]
	run "$TARE" bench --pi steps:none ./old
	[ "$status" -eq 2 ]
	[[ "$output" == *"not a width"* ]]
}

@test "stops when it is decided" {
	run "$TARE" bench --progress none --metric cpu --iteration-time 100us --max-time 60s --filter heavier --json doc ./old ./new
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"], d["comparisons"][0]["verdict"]')" = "('verdict', 'slower')" ]
	run "$TARE" bench --progress none --iteration-time 100us --precision 900% --filter heavier --json doc ./old
	[ "$(json doc 'd["stopped"]["reason"], d["subjects"][0]["metrics"]["wall"]["units"]')" = "('precision', 10)" ]
}

@test "the budget is kept, and what it allowed is told" {
	run "$TARE" bench --progress none --max-time 3s --iteration-time 100us --precision 0.001% --filter heavier --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"], d["elapsed"] >= 2')" = "('budget', True)" ]
}

@test "the time of a preset does not cut a number of runs; one that is given does" {
	budget() { "$TARE" bench --dry-run --filter lighter "$@" ./old | grep ^budget; }
	usual="$(budget -r 3)"
	for preset in quick strict; do
		[ "$(budget -r 3 --preset $preset)" = "$usual" ]
		[ "$(budget --preset $preset)" != "$usual" ]
		[ "$(budget -r 3 --preset $preset --max-time 7s)" = "$(budget -r 3 --max-time 7s)" ]
	done
	[ "$(budget -r 3 --max-time 7s)" != "$usual" ]
}

@test "benchmarks that crash, hang, exit, fork, print, move or scribble are named; the others are measured" {
	run timeout 60 "$TARE" bench --progress none -r 3 --iterations 3 --timeout 1s --json doc ./hostile ./hostile
	[ "$status" -eq 5 ]
	for name in crashes aborts exits hangs spins forks forks_and_exits scribbles_all scribbles_grant fails closes_all; do
		[[ "$output" == *"$name on ./hostile: "* ]]
		[ "$(json doc "[len(s['failures']) for s in d['subjects'] if s['name'] == './hostile $name']")" = "[1]" ]
	done
	# Which side is seen first is a race of its thread with us.
	[ "$(json doc 'sum(len(s["failures"]) for s in d["subjects"] if s["benchmark"] == "scribbles_late")')" -ge 1 ]
	# Like notes are printed up to a number, in the order in which they came; the document has all.
	[ "$(json doc 'any(w["text"].startswith("prints on ./hostile: it prints") for w in d["warnings"])')" = True ]
	[ "$(json doc 'any(w["text"].startswith("moves on ./hostile: it changes") for w in d["warnings"])')" = True ]
	[[ "$output" == *"skips is skipped on ./hostile: no device"* ]]
	[ "$(json doc '[len(s["metrics"]["wall"]["samples"]) for s in d["subjects"] if s["benchmark"] == "good/n=1"]')" = "[3, 3]" ]
	[ -z "$(pgrep -f "$BATS_TEST_TMPDIR/hostile" || true)" ]
	run timeout 60 "$TARE" bench --progress none -r 3 --iterations 3 --timeout 1s -i ./hostile
	[ "$status" -eq 0 ]
	run timeout 60 "$TARE" bench --progress none -r 3 --iterations 3 --timeout 1s --filter 'hangs|good' ./hostile
	[ "$status" -eq 124 ]
	for name in crashes skips; do
		run timeout 60 "$TARE" bench --progress none -r 3 --iterations 3 -i --filter "^$name\$" ./hostile
		[ "$status" -eq 5 ]
		[[ "$output" == *"tare: no benchmark was measured"$'\n'"$name"* ]]
	done
	run timeout 60 "$TARE" bench --progress none -r 3 --iterations 3 --filter '^crashes$' ./hostile
	[[ "$output" == *"tare: 1 of 1 benchmarks failed"$'\n'"crashes: "* ]]
}

@test "what does not speak the protocol is told so, long before it ends" {
	for program in /bin/true /bin/cat 'sleep 30'; do
		run timeout 25 "$TARE" bench "$program"
		[ "$status" -eq 5 ]
		[[ "$output" == *"does not speak tare's benchmark protocol"* ]]
	done
	run "$TARE" bench ./no-such-program
	[ "$status" -eq 5 ]
	[[ "$output" == *"there is no such program"* ]]
}

@test "gate: exit codes and the last line" {
	run "$TARE" bench $few --gate 2% --filter heavier ./old ./new
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower ratio="*" confidence=99 gate=broken limit=2%" ]]
	run "$TARE" bench $few --gate 2% --filter 'heavier|lighter' ./old ./new
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower ratio="*" name=heavier" ]]
	# Of a suite, what broke the gate is measured again with fresh runs before it is called.
	[[ "$output" == *"heavier broke the gate, and"*"again in fresh runs"* ]]
	run "$TARE" bench $few --gate 2% --filter lighter ./old ./new
	[ "$status" -eq 0 ]
	# A benchmark that vanished is never green.
	run "$TARE" bench $few --gate 2% --filter 'lighter|only' ./old ./new
	[ "$status" -eq 4 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"the gate of 2 % stays open: only_old is missing in the new data; --allow-missing "* ]]
	[[ "${lines[-1]}" == "verdict: undecided ratio=- low=- high=- confidence=99 gate=open limit=2% name=only_old" ]]
	run "$TARE" bench $few --gate 2% --allow-missing --filter 'lighter|only' ./old ./new
	[ "$status" -eq 0 ]
	run "$TARE" bench $few --gate 2% --filter 'lighter|skipped' --vary SKIP=1 ./old ./new
	[ "$status" -eq 0 ]
	run "$TARE" bench $few --gate 2% --filter crashes ./hostile ./hostile
	[ "$status" -eq 5 ]
	[[ "${lines[-1]}" == "verdict: failed ratio=- low=- high=- confidence=99 gate=failed limit=2%" ]]
	run "$TARE" bench $few --gate 2% /bin/true ./old
	[ "$status" -eq 5 ]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
	run "$TARE" bench $few --gate 2% --filter lighter ./old
	[ "$status" -eq 2 ]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
}

@test "closed standard files do not interrupt it" {
	for closed in '0<&-' '1>&-' '2>&-'; do
		sh -c "exec \"\$@\" $closed" sh "$TARE" bench $few --filter lighter --json doc ./old
		[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	done
}

@test "Ctrl-C keeps what is finished: exit 130" {
	"$TARE" bench --progress none --max-time 60s --iteration-time 100us --filter 'same|heavier' --precision 0.001% --json doc ./old >out 2>err &
	pid=$!
	for i in $(seq 100); do
		sleep 0.1
		[ $i -gt 15 ] && pgrep -P $pid >pids && break
	done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 130 ]
	# The first run of one of the two may still be going on: what there is of it is kept.
	[ "$(json doc 'd["stopped"]["reason"], any(s["metrics"]["wall"]["n"] > 0 for s in d["subjects"])')" = "('interrupted', True)" ]
	grep -qE 'same|heavier' out
}

@test "documents: standard output belongs to one of them" {
	run --separate-stderr "$TARE" bench $few --filter heavier --json - ./old ./new
	[ "$status" -eq 0 ]
	echo "$output" >doc
	[ "$(json doc 'd["schema"]')" = tare/1 ]
	[[ "$stderr" == *"slower"* ]]
	run "$TARE" bench $few --filter 'heavier|same' --markdown table ./old ./new
	[ "$status" -eq 0 ]
	grep -q '| heavier |' table
	run "$TARE" bench $few --filter 'heavier|same' --markdown - ./old
	[[ "$output" == *"| heavier |"* ]]
}

@test "--live: the other benchmarks of the suite, as many as find room, and how many are decided" {
	shown() { tr '\r' '\n' <screen | sed 's/\x1b\[[0-9]*[A-Z]//g'; }
	live() { python3 "$SOURCE_ROOT/tests/cli/terminal.py" "$TARE" bench --live --no-save --max-time 80s --iteration-time 100us "$@"; }
	# Ten of them: 16 lines are room for six besides the one in hand.
	LINES=16 SEEN='and 3 more;%, target ' live --min-runs 1000 --precision 10% --json doc ./old
	grep -aEq '^rounds      0 of 10 benchmarks decided, 10 open, 0 not begun; ' <(shown)
	grep -aEq '^others      .*, target ± .*\[[#.]{10}\]  [a-z]' <(shown)
	grep -aEq '^(others|      )      .* ± .* %, target ± ' <(shown)
	[ "$(json doc 'd["stopped"]["reason"], len(d["subjects"])')" = "('stopped', 10)" ]
	LINES=40 SEEN='10 open, 0 not begun' live --min-runs 1000 --precision 10% ./old
	! grep -aq 'more$' <(shown)
	# Where stability ends it, that is the target; the interval is the one of the runs so far.
	SEEN='others ;%, open  ' live --stop cv@0.0000001 --stop-variant paper --max-runs 1000 --filter '^(heavier|same)$' ./old
	grep -aq '^target      stable by cv@0.0000001' <(shown)
	grep -aEq '^interval    [0-9.]+ [nµm]?s ± [0-9.]+ %' <(shown)
	# What does not want to be measured is neither decided nor open.
	SEEN='benchmarks decided, 1 open, 0 not begun, 1 left out; ' SKIP=1 live --min-runs 1000 --precision 10% --filter '^(lighter|skipped)$' ./new
	! grep -aq '1 of 2 benchmarks decided' <(shown)
	# What is decided keeps its verdict on the screen.
	SEEN='1 of 2 benchmarks decided, 1 open;others ;, slower  heavier' live --margin 0.0001% --metric cpu --filter '^(heavier|same)$' ./old ./new
	grep -aEq '^others      .*, slower  heavier' <(shown)
}

@test "bad use: exit 2" {
	for words in "" "--iterations 0 ./old" "--min-warmup 5 --max-warmup 2 ./old" "--param how ./old" "--cpus 9999 ./old" "--vary =1 ./old"; do
		run "$TARE" bench $words
		[ "$status" -eq 2 ]
	done
}

@test "--dry-run shows what would be done" {
	run "$TARE" bench --dry-run --filter 'same|heavier' ./old ./new
	[ "$status" -eq 0 ]
	[[ "$output" == *"design    turns"* && "$output" == *"heavier: at least "*" runs of "* ]]
}

@test "a loose precision and three runs: a short look, said so, and allowed for in the interval" {
	run "$TARE" bench --progress none --metric cpu --iteration-time 200us --filter same --precision 30% --min-runs 3 --max-time 5s --json doc ./old
	[ "$status" -eq 0 ]
	[[ "$(json doc '[w["text"] for w in d["warnings"] if w["code"] == "short-look"]')" == *"±15 % of each interval"*"--min-runs 4"* ]]
	[[ "$(json doc 'd["subjects"][0]["metrics"]["cpu"]["ci"]["method"]')" == "precision stop over "*" runs, and 15 % for what a short look may miss" ]]
	[ "$(json doc '(lambda m: m["ci"]["high"] - m["mean"] > 0.15 * m["mean"])(d["subjects"][0]["metrics"]["cpu"])')" = True ]
	run "$TARE" bench --progress none --metric cpu --iteration-time 200us --filter same --precision 30% --min-runs 4 --max-time 5s --json doc ./old
	[ "$status" -eq 0 ]
	[[ "$output" == *"same"* && "$output" != *"a short look"* ]]
	[[ "$(json doc 'd["subjects"][0]["metrics"]["cpu"]["ci"]["method"]')" == "precision stop over "*" runs" ]]
}

# ---- stopped when stable ----

stable="--progress none --metric cpu --iteration-time 200us --iterations 3 --filter same"

@test "--stop cv+kld: caps are kept, warm-up is left out, what never became stable is named" {
	run "$TARE" bench -v $stable --stop cv@0.000001+kld@0.999999 --stop-variant paper --max-warmup 7 --min-runs 2 --max-runs 3 --json doc ./old
	[ "$status" -eq 0 ]
	# Warm-up is in the document, marked as such; 3 iterations of each run count.
	[ "$(json doc '[len(r) for r in d["subjects"][0]["metrics"]["cpu"]["samples"]], d["subjects"][0]["metrics"]["cpu"]["steady"]["skips"], d["subjects"][0]["metrics"]["cpu"]["n"]')" = "([10, 10, 10], [7, 7, 7], 9)" ]
	[ "$(json doc 'd["stopped"]["reason"], d["stopped"]["rule"], d["stopped"]["checks"]')" = "('count', 'cv@0.000001+kld@0.999999', 24)" ] # 7 of the warm-up of each run, one after it
	[ "$(json doc '0 < d["stopped"]["cost"] < 1')" = True ]
	[ "$(json doc 'sorted(set(w["code"] for w in d["warnings"]) & {"never-warm", "never-stable"})')" = "['never-stable', 'never-warm']" ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["cpu"]["ci"]["method"]')" = "t over 3 runs" ]
	[[ "$output" == *"same never became stable: cv"*"kld"*"after 3 runs"*"--lift"* ]]
	[[ "$output" == *"stop rule cv@0.000001+kld@0.999999: 24 checks, "*" % of the time"* ]]
	[[ "$(json doc '[w["text"] for w in d["warnings"] if w["code"] == "stop-warmup"]')" == *": 7.0 iterations of warm-up a run"* ]]
}

@test "--stop: stable at the least number of runs, whole runs of warm-up are not kept" {
	run "$TARE" bench $stable --stop cv@0.999 --warmup-runs 1 --min-warmup 6 --window 2 --stop-variant paper --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc '[len(r) for r in d["subjects"][0]["metrics"]["cpu"]["samples"]], d["subjects"][0]["metrics"]["cpu"]["n"]')" = "([9, 9], 6)" ]
	[ "$(json doc 'd["stopped"]["reason"]')" = stable ]
	[[ "$(json doc '[w["text"] for w in d["warnings"]]')" == *": 6.0 iterations of warm-up a run"* ]]
	[[ "$output" != *"never became stable"* ]]
	# What the runs that are not kept did is not told.
	run "$TARE" bench $stable --stop cv@0.0000001 --stop-variant paper --warmup-runs 2 --max-warmup 6 --max-runs 3 --json doc ./old
	[[ "$(json doc '[w["text"] for w in d["warnings"]]')" == *"still warming up in 3 of 3 runs when the cap of 6 iterations was reached; --lift or --max-warmup allow more"* ]]
}

@test "--stop: two programs in turns have the same number of samples and both orders" {
	run "$TARE" bench $stable --stop cv@0.0000001 --stop-variant paper --max-warmup 5 --max-runs 4 --json doc ./old ./new
	[ "$status" -eq 0 ]
	[ "$(json doc '[[len(r) for r in s["metrics"]["cpu"]["samples"]] for s in d["subjects"]]')" = "[[8, 8, 8, 8], [8, 8, 8, 8]]" ]
	[ "$(json doc 'd["design"]["name"], len(d["design"]["order"]) >= 32, d["comparisons"][0]["pairs"]')" = "('turns', True, 12)" ]
}

@test "--stop: in a duet, and shuffled, pairs stay pairs" {
	for design in duet shuffled; do
		if [ "$design" = duet ] && [ "$(nproc)" -lt 2 ]; then continue; fi
		run "$TARE" bench $stable --stop cv@0.02 --max-warmup 12 --max-runs 4 --min-runs 4 --design "$design" --json doc ./old ./new
		[ "$status" -eq 0 ]
		[ "$(json doc '[s["metrics"]["cpu"]["n"] for s in d["subjects"]], d["comparisons"][0]["pairs"], d["design"]["name"]')" = "([12, 12], 12, '$design')" ]
		[ "$(json doc 'all(len(a) == len(b) == k + 3 for a, b, k in zip(d["subjects"][0]["metrics"]["cpu"]["samples"], d["subjects"][1]["metrics"]["cpu"]["samples"], d["subjects"][0]["metrics"]["cpu"]["steady"]["skips"]))')" = True ]
	done
}

@test "--stop: in a duet each program is watched by itself" {
	[ "$(nproc)" -ge 2 ] || skip "it needs two CPUs"
	run "$TARE" bench $stable --stop cv@0.999 --min-warmup 6 --window 2 --stop-variant paper --design duet --json doc ./old ./new
	[ "$status" -eq 0 ]
	[ "$(json doc '[s["metrics"]["cpu"]["steady"]["skips"] for s in d["subjects"]], d["stopped"]["reason"]')" = "([[6, 6], [6, 6]], 'stable')" ]
}

@test "--stop: each side is told by its own runs" {
	run "$TARE" bench --progress none --no-save --json doc --design solo --stop cv@1e-9 --min-runs 2 --max-runs 2 --max-warmup 6 \
		--iterations 2 --iteration-time 100us --filter same ./old ./new
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	[ "$(json doc 'sum(w["code"] == "never-stable" and "after 2 runs" in w["text"] for w in d["warnings"])')" = 2 ]
}

@test "--stop: what was measured can be replayed" {
	run "$TARE" bench $stable --stop cv@0.0000001 --stop-variant paper --iterations 5 --max-warmup 15 --max-runs 3 --json doc ./old
	[ "$status" -eq 0 ]
	run "$TARE" analyze --replay cv,rciw+kld,auto@10% doc
	[ "$status" -eq 0 ]
	[[ "$output" == *"1 benchmark"*"rciw+kld"*"auto@10%"* ]]
	# Analysed again it leaves out what the session did.
	run "$TARE" analyze --json again doc
	[ "$(json again 'd["subjects"][0]["metrics"]["cpu"]["n"], d["subjects"][0]["metrics"]["cpu"]["steady"]["skips"]')" = "(15, [15, 15, 15])" ]
}

@test "--lift: the caps are passed while the time lasts" {
	run "$TARE" bench $stable --stop cv@0.0000001 --stop-variant paper --max-warmup 5 --max-runs 2 --lift --json doc ./old
	[ "$status" -eq 0 ]
	[ "$(json doc 'len(d["subjects"][0]["metrics"]["cpu"]["samples"]) == 20')" = True ]
	[[ "$(json doc '[w["text"] for w in d["warnings"]]')" == *": 50.0 iterations of warm-up a run"* ]]
	[[ "$(json doc '[w["text"] for w in d["warnings"]]')" == *"in 20 of 20 runs when the cap of 5 iterations, lifted while the time lasted, was reached; a longer --max-time or --max-warmup allow more"* ]]
}

@test "what the checks of the rule took is shown by every rule, in every form" {
	for rule in auto precision fixed cv rciw kld rciw+kld; do
		run "$TARE" bench -v $stable --stop $rule --min-runs 3 --max-runs 3 --json doc --markdown md --html page.html ./old
		[ "$status" -eq 0 ]
		[ "$(json doc 'd["stopped"]["rule"] == "'"$rule"'" and d["stopped"]["checks"] > 3 and 0 < d["stopped"]["cost"] < 1')" = True ]
		line="stop rule $rule: $(json doc 'd["stopped"]["checks"]') checks, "
		[[ "$output" == *"$line"*" % of the time"* ]]
		[[ "$(cat md)" == *"$line"*" % of the time"* ]]
		grep -qF "(rule $rule), after $(json doc 'd["stopped"]["checks"]') checks, which took " page.html
	done
}

@test "--stop: wrong rules, and where they cannot be" {
	run "$TARE" bench --stop cvv ./old
	[ "$status" -eq 2 ]
	[[ "$output" == *"--stop: 'cvv' is not a stop rule"*"rciw+kld"* ]]
	run "$TARE" bench --stop cv -r 3 ./old
	[ "$status" -eq 2 ]
	run "$TARE" run --stop rciw true
	[ "$status" -eq 2 ]
	[[ "$output" == *"iterations inside a process"* ]]
}

@test "--phases: the stable phase of an iteration's unit readings is its value; all of them by default" {
	ln -s "$build/tests/programs/units" units
	mean='d["subjects"][0]["metrics"]["latency"]["mean"]'
	"$TARE" bench --progress none --no-save -r 3 --iterations 4 --iteration-time 1ns --phases auto --json doc ./units >/dev/null
	[ "$(json doc "100 < $mean < 101")" = True ]
	"$TARE" bench --progress none --no-save -r 3 --iterations 4 --iteration-time 1ns --json doc ./units >/dev/null
	[ "$(json doc "120 < $mean < 121")" = True ]
	run "$TARE" bench --phases other ./units
	[ "$status" -eq 2 ]
}

@test "started by a program that ignores the end of its children" {
	run env --ignore-signal=CHLD "$TARE" bench --progress none --no-save -r 2 --iterations 2 --filter same ./old
	[ "$status" -eq 0 ]
	echo 'int main(void) { return 0; }' >a.c
	TARE_BUILD_SEED=1 env --ignore-signal=CHLD "$TARE" cc -- gcc -o a a.c
	./a
}
