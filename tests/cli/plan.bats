#!/usr/bin/env bats
# tare plan and --plan, as a user types them. Bookkeeping and words, never how fast something was.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data" XDG_STATE_HOME="$BATS_TEST_TMPDIR/state"
	build="$(dirname "$TARE")"
	ln -s "$build/tests/programs/suite-old" suite
	ln -s "$build/tests/programs/noop" noop
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print(($2))" "$1"
}

@test "a command: one level, a table of half-widths, a plan that run follows" {
	run "$TARE" plan --progress none -r 12 --precision 50% ./noop
	[ "$status" -eq 0 ]
	[[ "$output" == *"half-width"*"0.50 %"*"1.0 %"*"1.5 %"*"2.5 %"*"5.0 %"* ]]
	[[ "$output" == *"saved in tare-plan.json; to follow it: tare run --plan tare-plan.json"* ]]
	[ "$(json tare-plan.json '[d["schema"], d["precision"], [l["name"] for l in d["subjects"][0]["levels"]], d["subjects"][0]["levels"][0]["members"]]')" = "['tare-plan/1', 0.5, ['run'], 12]" ]
	[ "$(json tare-plan.json 'd["subjects"][0]["units"] >= 10 and d["subjects"][0]["levels"][0]["cost"] > 0')" = True ]
	run --separate-stderr "$TARE" run --progress none --plan tare-plan.json --max-runs 15 --json doc ./noop
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["rule"], 10 <= d["subjects"][0]["metrics"]["wall"]["n"] <= 15')" = "('precision', True)" ]
	[[ "$output" != *"plan was made"* ]]
}

@test "a program with benchmarks is known by itself; bench takes warm-up and iterations from the plan" {
	run "$TARE" plan --progress none -r 6 --max-time 3s --iteration-time 100us --filter '^heavier$' --metric cpu ./suite -o p.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"in each run"*"tare bench --plan p.json"* ]]
	[ "$(json p.json '[l["name"] for l in d["subjects"][0]["levels"]]')" = "['run', 'iteration']" ]
	python3 - <<-'PY'
	import json
	d = json.load(open("p.json"))
	s = d["subjects"][0]
	s["skip"], s["levels"][1]["count"] = 2, 5
	json.dump(d, open("p.json", "w"))
	PY
	"$TARE" bench --progress none --plan p.json -r 4 --filter '^heavier$' --iteration-time 100us --metric cpu --json doc ./suite
	[ "$(json doc '[len(r) for r in d["subjects"][0]["metrics"]["cpu"]["samples"]]')" = "[7, 7, 7, 7]" ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["cpu"]["steady"]["skip"]')" = 2 ]
	[ "$(json doc 'all(l["cost"] > 0 for l in d["subjects"][0]["metrics"]["cpu"]["levels"])')" = True ]
	# A number of iterations wins over the plan, and over what more runs than the plan's would say.
	sed -i 's/"state": "[a-z]*"/"state": "independent"/' p.json
	"$TARE" bench --progress none --plan p.json -r 12 --iterations 9 --filter '^heavier$' --iteration-time 100us --metric cpu --json doc ./suite
	[ "$(json doc '[len(r) for r in d["subjects"][0]["metrics"]["cpu"]["samples"]] == 12 * [11]')" = True ]
}

@test "a budget instead of a precision" {
	run "$TARE" plan --progress none -r 10 --budget 100ms ./noop
	[ "$status" -eq 0 ]
	[[ "$output" == *" gives about ± "* ]]
	[ "$(json tare-plan.json 'd["precision"], d["budget"]')" = "(None, 0.1)" ]
	"$TARE" run --progress none --plan tare-plan.json --json doc ./noop
	[ "$(json doc 'd["stopped"]["reason"], d["stopped"]["rule"]')" = "('budget', 'fixed')" ]
}

@test "a plan by a result that exists, with builds" {
	python3 - <<-'PY'
	import json, random
	random.seed(1)
	samples, out = [], []
	for b in range(8):
	    level = 1 + random.gauss(0, .02)
	    samples.append([[level + random.gauss(0, .01)] for r in range(6)])
	levels = [{"name": "build", "n": 8, "variance": 4e-4, "cost": 10}, {"name": "run", "n": 6, "variance": 1e-4, "cost": 1}]
	metric = {"unit": "s", "better": "lower", "n": 48, "mean": 1, "levels": levels, "samples": samples}
	json.dump({"schema": "tare/1", "design": {"name": "solo", "levels": ["build", "run", "iteration"]},
	           "subjects": [{"name": "a", "command": "./a", "metrics": {"wall": metric}}]}, open("first.json", "w"))
	PY
	run "$TARE" plan --from first.json -o p.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"build"*"8"*"10"*"as needed"*"run"*"in each build"* ]]
	[ "$(json p.json '[l["name"] for l in d["subjects"][0]["levels"]], 1 <= d["subjects"][0]["levels"][1]["count"] <= 4')" = "(['build', 'run'], True)" ]
}

@test "a first experiment without costs, or with one repetition: each is told" {
	printf 'run,iteration,time\n1,1,1.0\n1,2,1.1\n2,1,1.2\n2,2,1.05\n3,1,1.15\n3,2,1.02\n' >nocost.csv
	run "$TARE" plan --from nocost.csv -o p.json
	[ "$status" -eq 5 ]
	[[ "$output" == *"how long a repetition of each level takes"*"--from such a result"* ]]
	[[ "$output" != *"two repetitions"* ]]
	[ ! -e p.json ]
}

@test "costs that were measured elsewhere: equation 3 beside the choice" {
	run "$TARE" plan --no-save --from "$SOURCE_ROOT/tests/known/table5/bloat6.csv" --cost run=110s,iteration=35.5s
	[ "$status" -eq 0 ]
	[[ "$output" == *"110 s  as needed"*"counts by Kalibera and Jones (2013), equation 3: iteration 10"* ]]
	while read -r name run iteration count; do
		"$TARE" plan --no-save --from "$SOURCE_ROOT/tests/known/table5/$name.csv" --cost "run=$run,iteration=$iteration" >out
		grep -q "equation 3: iteration $count\$" out
	done <<-'COUNTS'
	lusearch9 12.3s 1.7s 1
	xalan6 24.6s 10.8s 2
	xalan9 71.8s 6.7s 15
	COUNTS
	run "$TARE" plan --no-save --from "$SOURCE_ROOT/tests/known/table5/bloat6.csv" --cost run=110s
	[ "$status" -eq 5 ]
}

@test "a build has its time, and a given --max-time is for builds too" {
	run timeout 60 "$TARE" plan --progress none --no-save --build 'sleep 50' --build-timeout 200ms ./noop
	[ "$status" -eq 5 ]
	[[ "$output" == *"it took longer than 200 ms"* ]]
	run timeout 60 "$TARE" plan --progress none --no-save --build 'sleep 50' --max-time 1s ./noop
	[ "$status" -eq 5 ]
	[[ "$output" == *"that was all of --max-time"* ]]
}

@test "builds are planned and followed" {
	mkdir tree && cd tree
	printf 'int main(void) { return 0; }\n' >prog.c
	printf 'prog: prog.c\n\tcc -o prog prog.c\n' >Makefile
	run "$TARE" plan --progress none --build make --builds 3 -r 3 --precision 50% ./prog -o ../p.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"build"*"as needed"*"run"*"in each build"* ]]
	[ "$(json ../p.json '[[l["name"], l["members"], l["cost"] > 0] for l in d["subjects"][0]["levels"]]')" = "[['build', 3, True], ['run', 3, True]]" ]
	sed -i 's/"count": [1-9][0-9]*/"count": 2/; s/"units": [0-9]*/"units": 3/' ../p.json
	"$TARE" run --progress none --no-save --plan ../p.json --stop fixed --levels build,run --build make --builds 2 --json ../doc ./prog
	[ "$(json ../doc '[len(b) for b in d["subjects"][0]["metrics"]["wall"]["samples"]]')" = "[2, 2]" ]
}

@test "only the levels that are named are planned" {
	names='[l["name"] for l in d["subjects"][0]["levels"]]'
	plan() { "$TARE" plan --progress none --max-time 20s --iteration-time 100us --filter same -o p.json "$@" >out; }
	plan -r 3 ./suite
	[ "$(json p.json "$names")" = "['run', 'iteration']" ]
	cp "$build/tests/programs/suite-old" made
	plan --levels build,run,iteration --build true --builds 2 -r 2 ./made
	[ "$(json p.json "$names")" = "['build', 'run', 'iteration']" ]
	plan --levels build,run --build true --builds 2 -r 2 ./noop
	[ "$(json p.json "$names")" = "['build', 'run']" ]
	plan --levels run -r 3 ./noop
	[ "$(json p.json "$names")" = "['run']" ]
}

@test "a suite that is not built yet is built, and its benchmarks are measured; what is built already is said" {
	mkdir tree
	cp "$build/tests/programs/suite-old" tree/made
	cd tree
	printf 'suite: made\n\tcp made suite\n' >Makefile
	run --separate-stderr "$TARE" plan --progress none --build make --builds 3 -r 4 --max-time 120s --iteration-time 100us --filter same ./suite -o ../p.json
	[ "$status" -eq 0 ]
	[ "$(json ../p.json '[l["name"] for l in d["subjects"][0]["levels"]], d["subjects"][0]["benchmark"]')" = "(['build', 'run', 'iteration'], 'same')" ]
	[[ "$output" == *"every build gave the same program"* ]]
	[ ! -e suite ]
	make >/dev/null
	run --separate-stderr "$TARE" plan --progress plain --no-save --build make --builds 3 -r 4 --max-time 120s --iteration-time 100us --filter same ./suite
	[[ "$stderr" == *"./suite is already built in"*"clean"* ]]
	[[ "$output" == *"the folder was already built"* ]]
	run --separate-stderr "$TARE" plan --progress none --no-save --build 'echo no; false' --builds 2 ./other
	[ "$status" -eq 5 ]
	[[ "$stderr" == *"no"* ]]
}

@test "two programs are planned as pairs; bench takes the counts for a comparison" {
	run "$TARE" plan --progress none -r 10 --max-time 30s --iteration-time 100us --filter same -n a -n b ./suite ./suite -o p.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"ratio of pairs (99 %)"* ]]
	[ "$(json p.json '[0.05 <= s["pairing"] <= 1 for s in d["subjects"]]')" = "[True, True]" ]
	python3 - <<-END
		import json
		d = json.load(open("p.json"))
		for s in d["subjects"]:
		    s["skip"], s["levels"][1]["count"], s["levels"][1]["ratio_count"] = 3, 3, 5
		json.dump(d, open("p.json", "w"))
	END
	"$TARE" bench --progress none --no-save --plan p.json --stop fixed -r 2 --iteration-time 100us --filter same --json one ./suite >/dev/null
	"$TARE" bench --progress none --no-save --plan p.json --stop fixed -r 2 --iteration-time 100us --filter same --json two ./suite ./suite >/dev/null
	# Three of warm-up, then as many as the plan says; pairs have an even number.
	rows() { json "$1" 'len(d["subjects"][0]["metrics"]["wall"]["samples"][0])'; }
	[ "$(rows one)" = 6 ]
	[ "$(rows two)" = 8 ]
}

@test "a plan for others, from another machine, out of date: named clearly" {
	"$TARE" plan -q -r 12 --precision 40% ./noop
	run "$TARE" run --progress none --no-save --plan tare-plan.json --max-runs 10 true
	[ "$status" -eq 0 ]
	[[ "$output" == *"other subjects"* ]]
	sed -i 's/"cpus": [0-9]*/"cpus": 4711/; s/"variance": [-0-9.e]*/"variance": 1e-12/' tare-plan.json
	run "$TARE" run --progress none --no-save --plan tare-plan.json --max-runs 10 ./noop
	[[ "$output" == *"another machine"*"4711 CPUs"* ]]
	[[ "$output" == *"where the"*"plan expected"* ]]
}

@test "what is wrong is said, with what to do" {
	run "$TARE" plan
	[ "$status" -eq 2 ]
	[[ "$output" == *"nothing to plan for"*"for example"* ]]
	run "$TARE" run --plan no-plan.json true
	[ "$status" -eq 1 ]
	[[ "$output" == *"no-plan.json: cannot be opened"*"give the file that 'tare plan' wrote"* ]]
	for result in @1 first.json; do
		run "$TARE" plan "$result"
		[ "$status" -eq 2 ]
		[[ "$output" == *"to plan from a result: tare plan --from $result"* ]]
	done
	run "$TARE" plan --levels build,run ./noop
	[ "$status" -eq 2 ]
	[[ "$output" == *"how is it built"*"--build"* ]]
	run "$TARE" plan --levels week ./noop
	[ "$status" -eq 2 ]
	run "$TARE" plan --budget 1s --precision 1% ./noop
	[ "$status" -eq 2 ]
	run "$TARE" plan --progress none ./does-not-exist
	[ "$status" -eq 5 ]
	echo '{"schema": "tare/1"}' >result.json
	run "$TARE" run --plan result.json ./noop
	[ "$status" -ne 0 ]
	[[ "$output" == *"is not a plan"*"tare plan"* ]]
	run "$TARE" bench --plan missing.json ./suite
	[ "$status" -ne 0 ]
	[[ "$output" == *"missing.json"* ]]
}

@test "hooks and warm-up are as in tare run; what they cost is planned for" {
	run "$TARE" plan --progress none -r 4 -w 2 -s 'echo s >>log' -p 'echo p >>log; sleep 0.02' -C 'echo C >>log' -c 'echo c >>log' -N -o p.json ./noop
	[ "$status" -eq 0 ]
	[ "$(tr -d '\n' <log)" = spCpCpCpCpCpCc ]
	[ "$(json p.json 'd["subjects"][0]["levels"][0]["cost"] > 0.02 and d["subjects"][0]["mean"] < d["subjects"][0]["levels"][0]["cost"] - 0.02')" = True ]
	run "$TARE" plan --from p.json -p a
	[ "$status" -eq 2 ]
	run "$TARE" plan -p a -p b -p c ./noop ./noop
	[ "$status" -eq 2 ]
	run "$TARE" plan -w 1 ./suite
	[ "$status" -eq 2 ]
	[[ "$output" == *"go with commands, not with benchmarks"* ]]
	run "$TARE" plan --progress none --no-save -r 3 false
	[ "$status" -eq 5 ]
	run "$TARE" plan --progress none --no-save -r 3 -i -S none false
	[ "$status" -eq 0 ]
}

@test "a dry run shows the first experiment and saves nothing" {
	run "$TARE" plan --dry-run -r 7 ./noop
	[ "$status" -eq 0 ]
	[[ "$output" == *"rounds    7, about"* ]]
	run "$TARE" plan --dry-run --filter '^heavier$' ./suite
	[[ "$status" -eq 0 && "$output" == *"heavier: at least 25 runs"* ]]
	run "$TARE" plan --dry-run --build true --builds 3 ./noop
	[[ "$status" -eq 0 && "$output" == *"3 builds, 20 runs"* ]]
	[ ! -e tare-plan.json ]
	# The time cuts the runs, and that is told; what would be written is not asked for.
	run "$TARE" plan --dry-run --max-time 1s -r 90 -o no/such/folder 'sleep 0.1'
	[[ "$status" -eq 0 && "$output" == *"rounds    "*" of 90, as many as fit into 1"* ]]
}

@test "an interrupted first experiment is planned by as far as it came" {
	run timeout --foreground --preserve-status -s INT 4 "$TARE" plan --progress none -r 100000 ./noop
	[ "$status" -eq 130 ]
	[[ "$output" == *"half-width"*"saved in tare-plan.json"* ]]
	[ "$(json tare-plan.json '1 < d["subjects"][0]["levels"][0]["members"] < 100000')" = True ]
	# What is there is not replaced by less.
	cp tare-plan.json before
	run timeout --foreground --preserve-status -s INT 4 "$TARE" plan --progress none -r 100000 ./noop
	[[ "$status" -eq 130 && "$output" == *"not saved"* ]]
	cmp before tare-plan.json
}

@test "a suite file is planned by its result" {
	printf 'subjects:\n  - {name: one, command: ./noop}\n  - {name: two, command: ./noop}\n' >tare.yaml
	run "$TARE" plan tare.yaml
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare run tare.yaml --json first.json"* ]]
	"$TARE" run --progress none -r 6 tare.yaml --json first.json
	"$TARE" plan --from first.json
	[ "$(json tare-plan.json '[s["name"] for s in d["subjects"]]')" = "['one', 'two']" ]
	run "$TARE" run --progress none --plan tare-plan.json --max-time 2s tare.yaml
	[ "$status" -eq 0 ]
	[[ "$output" != *"plan was made"* ]]
}
