#!/usr/bin/env bats
# Suite files: tare run FILE.yaml, tare bench FILE.yaml, tare init.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	build="$(dirname "$TARE")"
	spin="$build/bench/spin"
	ln -s "$build/tests/programs/suite-old" old
	ln -s "$build/tests/programs/suite-new" new
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print(($2))" "$1"
}

@test "a suite file that cannot be looked at is not called missing" {
	ln -s tare.yaml tare.yaml
	run --separate-stderr "$TARE" run tare.yaml
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"tare.yaml: cannot be looked at: "* ]]
	run --separate-stderr "$TARE" init
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"tare.yaml: cannot be looked at: "* ]]
	[ -L tare.yaml ]
}

@test "tare init: its example runs as it is, and stays when it is there" {
	run "$TARE" init
	[ "$status" -eq 0 ]
	[[ "$output" == *"tare.yaml"* ]]
	[ -d .tare ]
	run "$TARE" run --progress none -r 10 --json doc tare.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc '[s["name"] for s in d["subjects"]], d["name"]')" = "(['expression (word=tare)', 'fixed (word=tare)'], 'example')" ]
	# As it is: it stops by itself.
	run timeout 60 "$TARE" run --progress none --max-time 5s tare.yaml
	[ "$status" -eq 0 ]
	[[ "$output" == *"fixed (word=tare) is "* || "$output" == *"cannot tell"* ]]
	echo "# mine" >tare.yaml
	run "$TARE" init .
	[ "$status" -eq 0 ]
	[[ "$output" == *"was there already"* ]]
	[ "$(cat tare.yaml)" = "# mine" ]
	run "$TARE" init a b
	[ "$status" -eq 2 ]
	run "$TARE" init no-such-folder
	[ "$status" -ne 0 ]
}

@test "what is commented out in the example are keys too" {
	"$TARE" init
	# Every "# key: value" and "# - item" becomes a line of the file.
	sed -E 's/^( *)# ( *- | *[a-z-]+:)/\1\2/; s/^ *#.*//' tare.yaml | sed '/exactly:/d' >all.yaml
	grep -q 'program: build/suite-old' all.yaml
	grep -q 'gate: 5%' all.yaml
	run "$TARE" bench all.yaml
	# Only the program is missing.
	[ "$status" -eq 5 ]
	[[ "$output" == *"build/suite-old"* ]]
}

@test "subjects: names, environment, working directory, hooks, parameters" {
	mkdir -p project/part
	cat >project/suite.yml <<-E
		name: places
		subjects:
		  - name: here
		    command: sh -c 'echo "\$PWD \$WORD" >>"$BATS_TEST_TMPDIR/said"'
		    environment: [WORD=one]
		  - name: there
		    command: sh -c 'echo "\$PWD \$WORD" >>"$BATS_TEST_TMPDIR/said"'
		    environment: ["WORD={word} too"]
		    directory: part
		    prepare: echo "prepare \$PWD \$WORD" >>"$BATS_TEST_TMPDIR/said"
		setup: echo "setup \$PWD" >>"$BATS_TEST_TMPDIR/said"
		parameters:
		  - name: word
		    values: [two]
		levels:
		  run: {exactly: 2, warmup: 0}
		metrics: [cpu]
		reference: there (word=two)
	E
	run "$TARE" run --progress none --json doc project/suite.yml
	[ "$status" -eq 0 ]
	grep -qx "setup $BATS_TEST_TMPDIR/project" said
	grep -qx "$BATS_TEST_TMPDIR/project one" said
	grep -qx "$BATS_TEST_TMPDIR/project/part two too" said
	grep -qx "prepare $BATS_TEST_TMPDIR/project/part two too" said
	[ "$(json doc 'd["name"], d["comparisons"][0]["base"], d["subjects"][0]["metrics"]["cpu"]["n"], d["comparisons"][0]["metric"]')" = \
		"('places', 'there (word=two)', 2, 'cpu')" ]
}

@test "the command line wins over the file" {
	cat >suite.yaml <<-E
		subjects:
		  - command: $spin 1000
		  - command: $spin 1000
		metrics: [cpu, rss]
		design: turns
		levels:
		  run: {exactly: 4}
		seed: 11
	E
	run "$TARE" run --progress none --json doc suite.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["design"]["name"], d["seed"], d["subjects"][0]["metrics"]["cpu"]["n"], d["comparisons"][0]["metric"]')" = "('turns', 11, 4, 'cpu')" ]
	run "$TARE" run --progress none --metric wall --design shuffled -r 3 --seed 5 --json doc suite.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["design"]["name"], d["seed"], d["subjects"][0]["metrics"]["cpu"]["n"], d["comparisons"][0]["metric"]')" = "('shuffled', 5, 3, 'wall')" ]
}

@test "the command line wins where it would contradict the file" {
	cat >stop.yaml <<-E
		subjects: [{command: "true"}]
		stop: precision
		shell: default
		output: pipe
	E
	run "$TARE" run --progress none -r 3 -N --show-output --json doc stop.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"], d["subjects"][0]["metrics"]["cpu"]["n"]')" = "('count', 3)" ]
	cat >exactly.yaml <<-E
		subjects: [{command: "true"}, {command: "true"}]
		levels: {run: {exactly: 3}}
	E
	run "$TARE" run --progress none --stop verdict --max-time 1s --json doc exactly.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"] in ("verdict", "budget"), d["subjects"][0]["metrics"]["cpu"]["n"] > 3')" = "(True, True)" ]
	run "$TARE" run --progress none --stop fixed --json doc exactly.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["cpu"]["n"]')" = 3 ]
	# Two of the command line, or two of the file, still do.
	run "$TARE" run -r 3 --stop precision exactly.yaml
	[ "$status" -eq 2 ]
	echo 'levels: {run: {exactly: 3}}' >>stop.yaml
	run "$TARE" run stop.yaml
	[ "$status" -eq 2 ]
}

@test "the programs that are saved are those of the subjects' folders" {
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	mkdir a b
	for folder in . a b; do
		printf '#!/bin/sh\n# %s\n' $folder >$folder/work
		chmod +x $folder/work
	done
	ln -s ../old a/suite
	ln -s ../new b/suite
	cat >suite.yaml <<-E
		subjects:
		  - {name: one, command: ./work, directory: a}
		  - {name: two, command: ./work, directory: b}
		  - {name: old, program: ./suite, directory: a}
		  - {name: new, program: ./suite, directory: b}
	E
	saved() { # of the last experiment: hashes by subject
		python3 - <<-'PY'
		import sqlite3
		rows = sqlite3.connect("data/tare/tare.db").execute(
		    "SELECT hash FROM subject s JOIN program p ON p.id = s.program "
		    "WHERE experiment = (SELECT max(id) FROM experiment) ORDER BY position")
		print(*[row[0] for row in rows])
		PY
	}
	hashes() {
		sha256sum "$@" | cut -d' ' -f1 | tr '\n' ' ' | sed 's/ $//'
	}
	"$TARE" run --progress none -q -r 3 suite.yaml
	[ "$(saved)" = "$(hashes a/work b/work)" ]
	"$TARE" bench --progress none -q -r 2 --iterations 2 --iteration-time 100us --filter lighter suite.yaml
	[ "$(saved)" = "$(hashes a/suite b/suite)" ]
}

@test "ranges, shells, expected exits, files seen from the suite's folder" {
	mkdir project
	echo 'some words' >project/words
	cat >project/suite.yaml <<-E
		subjects:
		  - command: read word; exit {n}
		parameters:
		  - {name: n, from: 1, to: 5, step: 2}
		shell: default
		input: words
		expect-exit: 1,3,5
		levels: {run: {exactly: 2}}
	E
	run "$TARE" run --progress none --json doc project/suite.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc '[s["command"] for s in d["subjects"]]')" = "['read word; exit 1', 'read word; exit 3', 'read word; exit 5']" ]
}

@test "tare bench: programs, parameters, levels, filter, gate" {
	cat >suite.yaml <<-E
		subjects:
		  - command: "true"
		  - {name: before, program: ./old}
		  - {name: after, program: ./new, environment: [LEVEL=4]}
		filter: heavier|level|way
		parameters:
		  - {name: how, values: [short]}
		  - {name: n, from: 1, to: 1}
		levels:
		  run: {exactly: 12}
		  iteration: {count: 4, time: 100us, max-warmup: 3}
		budget: {max-time: 30s}
		gate: 2%
	E
	run "$TARE" bench --progress none --json doc suite.yaml
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower "* ]]
	[ "$(json doc '[(d["subjects"][c["new_index"]]["benchmark"], c["base"]) for c in d["comparisons"]]')" = \
		"[('heavier', 'before heavier'), ('level', 'before level'), ('way/how=short/n=1', 'before way/how=short/n=1')]" ]
	[ "$(json doc '[c["verdict"] for c in d["comparisons"]][:2]')" = "['slower', 'slower']" ]
	run "$TARE" bench --list --param how=long suite.yaml
	[ "$status" -eq 0 ]
	[[ "$output" == *"way/how=long/n=1"*"way/how=long/n=2"* ]]
	# One command alone: there is nothing that a gate could hold.
	run "$TARE" run --progress none -r 2 --json doc suite.yaml
	[ "$status" -eq 4 ]
	[ "$(json doc '[s["command"] for s in d["subjects"]]')" = "['true']" ]
	run "$TARE" run --progress none -r 2 --gate 3% suite.yaml
	[ "$status" -eq 2 ]
	[[ "$output" == *"there is nothing to compare with"* ]]
}

@test "a variable varies beside the environment of the file" {
	cat >suite.yaml <<-E
		subjects:
		  - program: sh -c 'test "\$OTHER" = kept && exec ./old'
		    environment: [OTHER=kept]
		vary: LEVEL=1,4
		filter: level
		levels: {run: {exactly: 12}, iteration: {count: 4, time: 100us}}
	E
	run "$TARE" bench --progress none --json doc suite.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["comparisons"][0]["verdict"]')" = slower ]
}

wrong() { # COMMAND PLACE WORDS: standard input is refused with this place and these words, exit 2
	cat >wrong.yaml
	run "$TARE" "$1" --progress none wrong.yaml
	[ "$status" -eq 2 ]
	[[ "$output" == "tare: wrong.yaml:$2: "*"$3"* ]]
}

@test "what is wrong is said with its line" {
	head='subjects: [{command: "true"}, {program: ./old}]'
	wrong run 2:1 "no key 'gates'" <<<"$head"$'\ngates: 2%'
	wrong run 2:20 "'5 parsecs' is not a duration" <<<"$head"$'\nbudget: {max-time: 5 parsecs}'
	wrong run 2:9 "'twist'" <<<"$head"$'\ndesign: twist'
	wrong run 2:13 "99" <<<"$head"$'\nconfidence: 0.99'
	wrong run 2:7 "not a list of CPUs" <<<"$head"$'\ncpus: none'
	wrong run 2:11 "no metric 'nope'" <<<"$head"$'\nmetrics: [nope]'
	wrong run 2:14 "expect-exit" <<<"$head"$'\nexpect-exit: x'
	wrong run 2:11 "indices[0]" <<<"$head"$'\nindices: [rate]'
	wrong run 2:17 "neither true nor false" <<<"$head"$'\nignore-failure: perhaps'
	wrong run 2:21 "min" <<<"$head"$'\nlevels: {run: {min: 0}}'
	wrong run 2:21 "levels.run.min" <<<"$head"$'\nlevels: {run: {min: 3, max: 2}}'
	wrong run 2:12 "reference" <<<"$head"$'\nreference: nobody'
	wrong run 3:3 "range from 3 to 1 is empty" <<<"$head"$'\nparameters:\n- {name: n, from: 3, to: 1}'
	wrong run 2:3 "quote" <<<$'subjects:\n- command: "true \'x"'
	# What only the other command uses is looked at all the same.
	wrong run 2:28 "not a duration" <<<"$head"$'\nlevels: {iteration: {time: soon}}'
	wrong bench 2:9 "" <<<"$head"$'\nfilter: ('
	wrong bench 2:7 "vary" <<<"$head"$'\nvary: x'
	wrong bench 1 "no subject has a 'program'" <<<'subjects: [{command: "true"}]'
	wrong run 1 "no subject has a 'command'" <<<'subjects: [{program: ./old}]'
}

@test "a file that is no suite, and a suite that is not alone" {
	run "$TARE" run no-such-file.yaml
	[ "$status" -eq 2 ]
	[[ "$output" == *"no such suite file"* ]]
	run "$TARE" run --progress none -r 1 'echo no-such-file.yaml'
	[ "$status" -eq 0 ]
	echo 'subjects: [{command: "true"}]' >suite.yaml
	run "$TARE" run suite.yaml ./old
	[ "$status" -eq 2 ]
	run "$TARE" run --git main suite.yaml
	[ "$status" -eq 2 ]
	run "$TARE" run -n name suite.yaml
	[ "$status" -eq 2 ]
}

shape() { # FILE BENCHMARK: iterations of each run and what was left out of them
	json "$1" "[([len(r) for r in s['metrics']['cpu']['samples']], s['metrics']['cpu']['steady'].get('skips', s['metrics']['cpu']['steady']['skip'])) for s in d['subjects'] if s['benchmark'] == '$2'][0]"
}

@test "stop rules: of a benchmark, of the file for all and for one, of the command line; the later wins" {
	ln -s "$(dirname "$TARE")/tests/programs/stops" stops
	common="--progress none --metric cpu --max-time 20s"
	# The program's own: 6 to 9 of warm-up, 3 iterations, 3 to 4 runs after one that is not kept; one that never is stable and lifts caps.
	run "$TARE" bench $common --filter 'stable|lifted' --json doc ./stops
	[ "$status" -eq 0 ]
	[ "$(shape doc stable)" = "([9, 9, 9], [6, 6, 6])" ]
	[ "$(json doc '[len(s["metrics"]["cpu"]["samples"]) for s in d["subjects"] if s["benchmark"] == "lifted"]')" = "[20]" ]
	[ "$(json doc '[s["metrics"]["cpu"]["ci"]["method"] for s in d["subjects"]]')" = "['t over 3 runs', 't over 20 runs']" ]
	run "$TARE" bench $common --stop auto --filter stable --min-runs 3 --max-runs 3 --json doc ./stops
	[ "$status" -eq 0 ]
	[[ "$output" != *"stopped when stable"* ]]
	# A file for all of them wins over that, one for a single benchmark over the file, the command line over both.
	cat >all.yaml <<-E
		subjects: [{program: ./stops}]
		filter: stable|plain
		stop: cv@0.99
		stop-variant: paper
		window: 3
		stop-values: 5
		warmup-runs: 0
		lift: false
		levels:
		  run: {min: 2, max: 2}
		  iteration: {count: 4, time: 100us, min-warmup: 7, max-warmup: 8}
	E
	run "$TARE" bench $common --json doc all.yaml
	[ "$status" -eq 0 ]
	[ "$(shape doc stable)$(shape doc plain)" = "([11, 11], [7, 7])([11, 11], [7, 7])" ]
	{ cat all.yaml; printf 'benchmarks:\n  - name: ^st\n    min-warmup: 5\n    max-runs: 3\n    min-runs: 3\n    iterations: 2\n    warmup-runs: 1\n  - {name: plain, stop: auto, min-runs: 3, max-runs: 3}\n'; } >one.yaml
	run "$TARE" bench $common --json doc one.yaml
	[ "$status" -eq 0 ]
	[ "$(shape doc stable)" = "([7, 7, 7], [5, 5, 5])" ]
	[ "$(json doc '[len(s["metrics"]["cpu"]["samples"]) for s in d["subjects"]], "skips" in d["subjects"][0]["metrics"]["cpu"]["steady"]')" = "([3, 3], False)" ]
	run "$TARE" bench $common --iterations 6 --min-warmup 8 --json doc one.yaml
	[ "$status" -eq 0 ]
	[ "$(shape doc stable)" = "([14, 14, 14], [8, 8, 8])" ]
	run "$TARE" bench $common --stop cv@0.9 --json doc one.yaml
	[ "$(json doc 'd["stopped"]["rule"], "skips" in d["subjects"][0]["metrics"]["cpu"]["steady"]')" = "('cv@0.9', True)" ]
}

@test "stop rules in a file: what is wrong has its place" {
	for wrong in "stop: cvv" "window: 0" "lift: perhaps" "stop-variant: best" "iteration-time: 3 apples" "stop: precision"; do
		printf 'subjects: [{program: ./old}]\nbenchmarks:\n  - name: same\n    %s\n' "$wrong" >wrong.yaml
		run "$TARE" bench wrong.yaml
		[ "$status" -eq 2 ]
		[[ "$output" == *"wrong.yaml:4:"* ]]
	done
	printf 'subjects: [{program: ./old}]\nbenchmarks: [{name: "(", stop: cv}]\n' >wrong.yaml
	run "$TARE" bench wrong.yaml
	[ "$status" -eq 2 ]
	[[ "$output" == *"wrong.yaml:2:"*"not a regular expression"* ]]
}
