#!/usr/bin/env bats
# Suites of other frameworks. What tare makes of them is tested with a program that speaks Google Benchmark's command line
# and makes its times up; the real frameworks follow, where they are installed: that all is listed, run and read.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	suites="$SOURCE_ROOT/tests/adapters/suites"
	export TMPDIR="$PWD/temporary" XDG_DATA_HOME="$PWD/data"
	mkdir temporary
	ln -s "$suites/fake-google" old
	ln -s "$suites/fake-google" new
	fake="--adapter gbench --progress none --no-save"
}

teardown() { # whatever happened, nothing of ours is left
	[ -z "$(ls "$BATS_TEST_TMPDIR/temporary")" ]
}

compare() { # OPTION…: the two sides, `new` with the variables in $new
	run --separate-stderr timeout 120 "$TARE" bench $fake --json doc "$@" ./old "env $new ./new"
	echo "$output"
	echo "$stderr"
}

value() { # FILTER: of the document
	jq -c "$1" doc
}

@test "the list" {
	run "$TARE" bench $fake --list ./old
	[ "$status" -eq 0 ]
	[ "$output" = $'a\nb\nc' ]
	run "$TARE" bench $fake --list --filter '^[ab]' ./old
	[ "$output" = $'a\nb' ]
}

@test "a process is a run, its repetitions are iterations; the size is confirmed in turns" {
	new=FACTOR=1.10 compare --max-time 200s
	[ "$status" -eq 0 ]
	[ "$(value .design.name)" = '"shared"' ]
	[ "$(value '[.subjects[] | .metrics.cpu.samples | map(length)] | flatten | unique')" = '[20]' ]
	[ "$(value '[.comparisons[].verdict]')" = '["slower","same","same"]' ]
	[ "$(value '[.comparisons[].metric]')" = '["cpu-turns","cpu","cpu"]' ]
	[ "$(value '.comparisons[0].ratio > 1.099 and .comparisons[0].ratio < 1.101')" = true ]
	[ "$(value '.subjects[0].metrics["cpu-turns"].samples | length >= 6')" = true ]
	[ "$(value '.subjects[0].metrics.items_per_second.better')" = '"higher"' ]
}

@test "a benchmark with threads does not make the others one of several threads; each comparison has its own design" {
	LIST="a b/threads:2 c" new=FACTOR=1.10 compare --max-time 200s
	[ "$status" -eq 0 ]
	[ "$(value '[.comparisons[] | .metric, .design]')" = '["cpu-turns","turns","wall","shuffled","cpu","shared"]' ]
	[ "$(value '[.comparisons[].verdict]')" = '["slower","same","same"]' ]
}

@test "processes that a suite leaves behind hold no gate" {
	for design in shared shuffled; do
		new=LEAVES=1 compare -r 8 --gate 1000% --design $design
		[ "$status" -eq 4 ]
		[[ "$output" == *"left processes behind; they were"* ]]
		[[ "${lines[-1]}" == *" gate=open limit=1000%"* ]]
		[ "$(value '[.warnings[] | select(.code == "left-behind")] | length')" -eq 1 ]
	done
	new=A=1 compare -r 8 --gate 1000%
	[ "$status" -eq 0 ]
}

@test "in random order where that is asked for, and one program alone" {
	new=FACTOR=1.10 compare --max-time 200s --design shuffled
	[ "$status" -eq 0 ]
	[ "$(value '[.design.name, (.design.order | unique)]')" = '["shuffled",["AB","BA"]]' ]
	[ "$(value '[.comparisons[].verdict]')" = '["slower","same","same"]' ]
	run timeout 120 "$TARE" bench $fake --json doc -r 3 ./old
	[ "$status" -eq 0 ]
	[ "$(value '[.subjects[].metrics.wall.median]')" = '[1.00002e-06,2.00004e-06,3.00006e-06]' ]
	run "$TARE" bench $fake --design duet ./old ./new
	[ "$status" -eq 2 ]
}

@test "the rule stops by itself, the gate breaks and holds" {
	new=FACTOR=1.30 compare --max-time 200s --gate 10%
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower ratio=1.3"*"gate=broken limit=10%"*"name=a"* ]]
	new=FACTOR=1.01 compare --max-time 200s --gate 10%
	[ "$status" -eq 0 ]
	[[ "${lines[-1]}" == *"gate=held limit=10%"* ]]
}

@test "one that crashes is named, the others go on, no gate holds" {
	new=CRASH=b compare -r 5 --gate 10%
	[ "$status" -eq 5 ]
	[ "$(value '[.warnings[] | select(.code == "failed").text]')" = '["b on env CRASH=b ./new: signal 11 (Segmentation fault)"]' ]
	[ "$(value '[.comparisons[].new] | length')" = 2 ]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
}

@test "one that hangs is named, the others go on" {
	new=HANG=c compare -r 5 --timeout 2s
	[ "$status" -eq 124 ]
	[ "$(value '[.subjects[] | select(.failures != []) | .benchmark]')" = '["c"]' ]
	[ "$(value '.comparisons | length')" = 2 ]
}

@test "one that fails by its own word, one without result, garbage" {
	new=FAIL=a compare -r 5
	[ "$status" -eq 5 ]
	[[ "$stderr$output" == *"it went wrong"* ]]
	[ "$(value '.comparisons | length')" = 2 ]
	new=MUTE=a compare -r 5
	[ "$status" -eq 5 ]
	[[ "$output" == *"note: a on "* ]]
	[ "$(value '.comparisons | length')" = 2 ]
	new=GARBAGE=1 compare -r 5
	[ "$status" -eq 5 ]
	[[ "$stderr$output" == *"3 of 3 benchmarks failed"* ]]
	printf '#!/bin/sh\ncase "$*" in *list_tests=true*) exec ./old "$@" ;; esac\n' >silent
	chmod +x silent
	run "$TARE" bench $fake -r 5 ./old ./silent
	[ "$status" -eq 5 ]
	[[ "$output" == *"on ./silent: it ended without writing its results"* ]]
}

@test "nothing listed, a name twice, one that vanished, prints in between" {
	new="LIST= " run "$TARE" bench $fake "env LIST= ./old"
	[ "$status" -eq 5 ]
	[[ "$output" == *"has no benchmarks"* ]]
	run "$TARE" bench $fake "env LIST='a a' ./old"
	[ "$status" -eq 5 ]
	[[ "$output" == *"each of its benchmarks is listed twice"*"packages of Go"* ]]
	new='LIST="a b a c"' compare -r 5
	[[ "$stderr$output" == *"listed twice in"* ]]
	[ "$(value '[.subjects[].benchmark] | unique')" = '["b","c"]' ]
	new='LIST="a b"' compare -r 5 --gate 10%
	[ "$status" -ne 0 ]
	[[ "$stderr$output" == *"not in"* ]]
	run env GREETS=$'hello world\na\nhello world' "$TARE" bench $fake --list ./old
	[ "$output" = $'a\nb\nc' ]
	new=PRINTS=1 compare -r 5
	[ "$status" -eq 0 ]
	[ "$(value '[.subjects[].metrics.cpu.n] | unique')" = '[100]' ]
}

@test "what the program says of a benchmark: only aggregates, a time of its own, how long it takes" {
	LIST="a b c" AGGREGATES=b new=X=1 compare -r 8
	[ "$status" -eq 0 ]
	[ "$(value '[.subjects[] | select(.benchmark == "b").metrics.cpu.samples[] | length] | unique')" = '[1]' ]
	[ "$(value '.comparisons | length')" = 3 ]
	LIST="a a/manual_time b/real_time" new=X=1 compare -r 8
	[ "$status" -eq 0 ]
	[ "$(value '[.comparisons[].metric]')" = '["cpu","wall","wall"]' ]
	LIST="a b/min_time:0.500" new=CALLS=calls compare -r 2
	[ "$status" -eq 0 ]
	grep -q 'min_time:0.*repetitions=2 ' calls
}

@test "the time that was given bounds trying: a long one is left out, the others are measured" {
	cat >slow <<-'SH'
	#!/bin/sh
	# benchmark_list_tests
	case "$*" in *list_tests=true*) ;; *'^(a)$'*) ;; *) sleep 300 ;; esac
	exec ./old "$@"
	SH
	chmod +x slow
	begin=$(date +%s)
	run --separate-stderr env LIST="a b" timeout 250 "$TARE" bench --progress none --no-save --json doc --max-time 12s ./slow
	echo "$output" "$stderr"
	[ $(($(date +%s) - begin)) -lt 200 ]
	[ "$(value '[.subjects[].benchmark]')" = '["a"]' ]
	[ "$(value '.subjects[0].metrics.wall.samples | length > 0')" = true ]
	[[ "$output$stderr" == *"b: not tried, as the time, 12 s, was over (--max-time)"* ]]
}

@test "one that the time is too short for is named, and no gate holds without it" {
	cat >slow <<-'SH'
	#!/bin/sh
	# benchmark_list_tests
	case "$*" in *list_tests=true*|*repetitions=1\ *) ;; *c/min*) sleep 15 ;; esac
	exec ./old "$@"
	SH
	chmod +x slow
	LIST="a b c/min_time:9.5" run --separate-stderr timeout 120 "$TARE" bench --progress none --no-save --json doc \
		--max-time 12s --gate 10% ./slow "env X=1 ./slow"
	echo "$output" "$stderr"
	[ "$(value '[.comparisons[].verdict]')" = '["same","same"]' ]
	[[ "$(value '.warnings[].text')" == *"c/min_time:9.5: not measured, as the time, 8.0 s of 12 s, was too short for a run (--max-time)"* ]]
	[ "$status" -eq 4 ]
	[[ "${lines[-1]}" == *"gate=open"* ]]
}

@test "a run that takes all of the time is kept" {
	cat >slow <<-'SH'
	#!/bin/sh
	# benchmark_list_tests
	case "$*" in *list_tests=true*) ;; *) sleep 3 ;; esac
	exec ./old "$@"
	SH
	chmod +x slow
	run --separate-stderr env LIST="a" timeout 120 "$TARE" bench --progress none --no-save --json doc --max-time 2s ./slow
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "$(value '.subjects[0].metrics.wall.samples | flatten | length')" = 1 ]
}

@test "a plan for a suite of another framework, and a bench that follows it" {
	# As the script holds the option's name, it is recognised without --adapter.
	run --separate-stderr timeout 120 "$TARE" plan -q --max-time 20s -r 5 --precision 20% -o plan.json ./old
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[[ "$output" == *"run "*"iteration"*"tare bench --plan plan.json"* ]]
	[ "$(jq -c '[.subjects[].benchmark]' plan.json)" = '["a","b","c"]' ]
	[ "$(jq -c '[.subjects[].levels[] | .cost > 0] | all' plan.json)" = true ]
	iterations=$(jq '[.subjects[] | select(.benchmark == "a").levels[] | select(.name == "iteration").count][0]' plan.json)
	run --separate-stderr timeout 120 "$TARE" bench $fake --json doc --plan plan.json --max-time 20s --filter a ./old
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "$(value '[.subjects[0].metrics.wall.samples[] | length] | unique')" = "[$iterations]" ]
	# Two are planned as they will be compared.
	run "$TARE" plan -q --max-time 20s -r 5 -o pairs.json --filter a ./old "env X=1 ./old"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"cpu, mean"* ]]
	[ "$(jq -c '[.subjects[].benchmark]' pairs.json)" = '["a","a"]' ]
	# One that is to be timed as a command says so.
	run "$TARE" plan -q --no-save --dry-run --levels run 'env LIST=a ./old --benchmark_list_tests=true'
	[ "$status" -eq 0 ]
}

@test "--iteration-time is what a repetition is asked to take" {
	cat >spy <<-'SH'
	#!/bin/sh
	# benchmark_list_tests
	echo "$* warmup=$BENCHMARK_MIN_WARMUP_TIME" >>asked
	exec ./old "$@"
	SH
	chmod +x spy
	run timeout 120 "$TARE" bench --progress none --no-save -r 2 --iterations 4 --iteration-time 3ms ./spy
	[ "$status" -eq 0 ]
	grep -q "benchmark_min_time=0.003000 --benchmark_repetitions=4" asked
	# One iteration before those that count, unless the user says how long.
	[ "$(grep -c repetitions asked)" -eq "$(grep -c 'repetitions.*warmup=1e-9' asked)" ]
	rm asked
	run timeout 120 "$TARE" bench --progress none --no-save -r 1 "env BENCHMARK_MIN_WARMUP_TIME=0.5 ./spy"
	[ "$(grep -c repetitions asked)" -eq "$(grep -c 'repetitions.*warmup=0.5' asked)" ]
}

@test "stopped when stable: the rules look between runs, the warm-up is the framework's" {
	for rule in cv rciw kld cv+rciw; do
		new=FACTOR=1.10 compare --stop $rule --max-time 60s
		[ "$status" -eq 0 ]
		[ "$(value '.stopped.rule')" = "\"$rule\"" ]
		[ "$(value '[.subjects[].metrics.cpu | .samples[] | length] | unique')" = '[20]' ]
		[ "$(value '.comparisons[0].ratio > 1.099')" = true ]
	done
}

@test "a broken gate is confirmed by fresh runs that had no time for turns" {
	# In the second pass processes become so slow that the time is over before the size is confirmed.
	run --separate-stderr timeout 200 "$TARE" bench $fake --max-time 36s --gate 5% ./old "env FACTOR=1.10 LATER=calls ./new"
	echo "$output" "$stderr"
	[ "$(grep -c list calls)" -eq 2 ]
	[[ "$output" == *"gate=broken"* ]]
}

@test "a broken gate that no fresh run could confirm is left open" {
	run --separate-stderr timeout 200 "$TARE" bench $fake --max-time 24s --gate 5% ./old "env FACTOR=1.10 LATER=calls AFTER=1 ./new"
	echo "$output" "$stderr"
	[ "$status" -eq 4 ]
	[[ "$output$stderr" == *"broke the gate and could not"* ]]
	[[ "$output$stderr" != *"nan"* ]]
}

@test "what is recognised, and what is said where nothing is" {
	run "$TARE" bench --adapter nosuch ./old
	[ "$status" -eq 2 ]
	[[ "$output" == *"there is no adapter 'nosuch'"* ]]
	for name in gbench go pytest catch2 criterion nanobench tinybench mitata jmh; do
		[[ "$output" == *"$name"* ]]
	done
	run "$TARE" bench ./old ./nowhere
	[ "$status" -eq 5 ]
	[[ "$output" == *"./nowhere: there is no such program"* ]]
	run "$TARE" bench ./old "env X=1 ./nowhere"
	[ "$status" -eq 5 ]
	[[ "$output" == *"./nowhere: there is no such program"* ]]
	mkdir bin
	printf '#!/bin/sh\n# benchmark_list_tests\nexec ./old "$@"\n' >bin/found-by-its-name
	chmod +x bin/found-by-its-name
	PATH="$PWD/bin:$PATH" run "$TARE" bench --list "env X=1 found-by-its-name"
	[ "$output" = $'a\nb\nc' ]
	run "$TARE" bench ./old /bin/true
	[ "$status" -eq 2 ]
	[[ "$output" == *"./old is a suite of Google Benchmark, and /bin/true is not"* ]]
	run "$TARE" bench /bin/true
	[ "$status" -eq 5 ]
	for name in gbench go pytest catch2 criterion nanobench tinybench mitata jmh; do
		[[ "$output" == *"$name"* ]]
	done
	[[ "$output" == *"--adapter NAME"*"tare compare old.json new.json"* ]]
}

@test "what an adapter adds to a variable stands beside what the user has set there" {
	mkdir bin "tem porary"
	for name in pytest:PYTHONPATH node:NODE_OPTIONS; do # each lists what it finds in its variable
		printf '#!/bin/sh\nprintf "%%s\\n" "$%s" >"$TARE_LIST"\n' "${name#*:}" >"bin/${name%:*}"
		chmod +x "bin/${name%:*}"
	done
	export PATH="$PWD/bin:$PATH" PYTHONPATH=general NODE_OPTIONS=--general TMPDIR="$PWD/tem porary"
	echo "import { Bench } from 'tinybench';" >suite.mjs
	[[ "$("$TARE" bench --list 'env A=b PYTHONPATH=own pytest')" == "$PWD/tem_porary/tare-"*:own ]]
	[[ "$("$TARE" bench --list pytest)" == "$PWD/tem_porary/tare-"*:general ]]
	[[ "$("$TARE" bench --list 'env NODE_OPTIONS=--own node suite.mjs')" == --own_--import=\"*/tare-hook.mjs\" ]]
	printf 'subjects: [{program: pytest, environment: [PYTHONPATH=own]}]\n' >suite.yaml
	[[ "$("$TARE" bench --list suite.yaml)" == "$PWD/tem_porary/tare-"*:own ]]
	[ -z "$(ls "tem porary")" ]
}

@test "nanobench: its tables, one value of each benchmark in a process" {
	ln -s "$suites/fake-nanobench" nano
	run "$TARE" bench --list ./nano # recognised by what its implementation asks the environment for
	[ "$status" -eq 0 ]
	[ "$output" = $'a\nslow_ones/b_|_`x`\nc' ]
	for filter in 'slow ones/b' slow_ones/b; do # both spellings of a name
		[ "$("$TARE" bench --list --filter "$filter" ./nano)" = 'slow_ones/b_|_`x`' ]
		[ "$("$TARE" bench --list --filter "-$filter" ./nano)" = $'a\nc' ]
	done
	run --separate-stderr timeout 120 "$TARE" bench --progress none --no-save --json doc --max-time 100s ./nano "env FACTOR=1.1 ./nano"
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "$(value '[.design.name, ([.comparisons[].verdict])]')" = '["shuffled",["slower","same","same"]]' ]
	[ "$(value '[.subjects[].metrics.wall.samples[] | length] | unique')" = '[1]' ]
	run "$TARE" bench --progress none --no-save -r 1 ./nano "env X=1 ./nano"
	[[ "$output" == *"one value of each  undecided"* && "$output" != *"geometric mean"* ]]
	for trouble in CRASH=c BOOM=c; do # the others go on
		run --separate-stderr timeout 120 "$TARE" bench --progress none --no-save --json doc -r 4 ./nano "env $trouble ./nano"
		echo "$output" "$stderr"
		[ "$status" -eq 5 ]
		[[ "$output" == *"c on env $trouble ./nano: "@(signal 11|iterations overflow)* ]]
		[ "$(value '.comparisons | length')" = 2 ]
	done
	run "$TARE" bench --progress none --no-save -r 4 ./nano "env STATUS=3 ./nano"
	[ "$status" -eq 5 ]
	[[ "$output" == *"3 of 3 benchmarks failed"*"exit 3"* ]]
	run "$TARE" bench --progress none --no-save -r 4 --gate 10% ./nano "env TWICE=a ./nano"
	[ "$status" -ne 0 ]
	[[ "$output" == *"a: listed twice in"* ]]
	run "$TARE" bench "env PLAIN=1 ./nano"
	[ "$status" -eq 5 ]
	[[ "$output" == *"cannot be listed as those of nanobench: it wrote none that can be read"* ]]
}

@test "JMH, by its documented command line: parameters are parts of names, a throughput is turned over" {
	ln -s "$suites/fake-jmh" java
	echo META-INF/BenchmarkList >suite.jar
	run "$TARE" bench --list "./java -jar suite.jar"
	[ "$status" -eq 0 ]
	echo "$output"
	[ "${#lines[@]}" -eq 5 ]
	[ "${lines[3]}" = org.x.Sort.sort/kind=tree/size=100 ]
	[ "${lines[4]}" = org.x.Plain.run ]
	run --separate-stderr timeout 120 "$TARE" bench --progress none --no-save --json doc --max-time 100s "./java -jar suite.jar" \
		"env FACTOR=1.2 ./java -jar suite.jar"
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "$(value '[.comparisons[].verdict]')" = '["same","slower","same","slower","same"]' ]
	[ "$(value '[.subjects[] | select(.benchmark == "org.x.Plain.run").metrics.wall.median | . > 3.3e-7 and . < 3.4e-7] | unique')" = '[true]' ]
	[ "$(value '[.subjects[].metrics.wall.samples[] | length] | unique')" = '[5]' ]
	run --separate-stderr timeout 120 "$TARE" bench --progress none --no-save --json doc -r 3 --param size=10 "./java -jar suite.jar"
	[ "$(value '[.subjects[].benchmark] | length')" = 3 ]
	run timeout 120 "$TARE" bench --progress none --no-save --json doc -r 3 "./java -jar suite.jar" "env FAIL=org.x.Plain.run ./java -jar suite.jar"
	[ "$status" -eq 5 ]
	[[ "$output" == *"org.x.Plain.run on "*"no result of it"* ]]
	[ "$(value '.comparisons | length')" = 4 ]
}

@test "only a time of that name is the wall time: another stands in for it and keeps its own name" {
	ln -s "$suites/fake-jmh" java
	echo META-INF/BenchmarkList >suite.jar
	run timeout 120 "$TARE" bench --progress none --no-save --json doc -r 3 "env GC=1 ./java -jar suite.jar"
	[ "$status" -eq 0 ]
	[ "$(value '[.subjects[].metrics["gc.time"] | .unit, .median] | unique')" = '[0.007,"s"]' ]
	[ "$(value '[.subjects[] | select(.benchmark == "org.x.Plain.run").metrics | (.wall.median > 3.3e-7 and .wall.median < 3.4e-7), .throughput.unit]')" = '[true,"ops/us"]' ]
	run timeout 120 "$TARE" bench --progress none --no-save --json doc -r 3 --filter Plain "env GC=1 LATENCY=1 ./java -jar suite.jar"
	[ "$status" -eq 0 ]
	[ "$(value '.subjects[0].metrics | (.wall.median / .sample.median | . > 0.999999 and . < 1.000001), (.wall.median > 2.9e-6 and .wall.median < 3.1e-6), .["gc.time"].median')" = $'true\ntrue\n0.007' ]
}

@test "one that fails while it is listed has what the other has, and says so where nothing does" {
	ln -s "$suites/fake-nanobench" nano
	run "$TARE" bench --progress none --no-save -r 4 --json doc "env CRASH=c ./nano" ./nano
	[ "$status" -eq 5 ]
	[[ "$output" == *"c on env CRASH=c ./nano: signal 11"* ]]
	run "$TARE" bench --progress none --no-save -r 4 --json doc "env CRASH=c ./nano"
	[ "$status" -eq 5 ]
	[[ "$(value '.warnings[0].text')" == *"there may be more benchmarks than those listed: signal 11"* ]]
	[ "$(value '.subjects | length')" = 2 ]
	run "$TARE" bench --progress none --no-save "env CRASH=a ./nano"
	[ "$status" -eq 5 ]
	[[ "$output" == *"cannot be listed as those of nanobench: signal 11"* ]]
}

@test "one that takes the others with it is found by halves" {
	names=$(seq -s ' ' -f 'a%g' 1 32)
	LIST=$names new="CRASH=a20 CALLS=calls" compare -r 2
	[ "$status" -eq 5 ]
	[[ "$output" == *"a20 on "*"signal 11"* ]]
	[ "$(value '.comparisons | length')" = 31 ]
	[ "$(grep -c 'repetitions=1 ' calls)" -le 11 ] # all, then two halves of what is left, five times
}

# ---- the real ones ----

needs() { # PROGRAM…
	for program; do
		command -v "$program" >/dev/null || skip "there is no $program here"
	done
}

real() { # COUNT COMMAND: so many benchmarks are listed, and measured twice
	run --separate-stderr timeout 250 "$TARE" bench --list "$2"
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq "$1" ]
	run --separate-stderr timeout 250 "$TARE" bench --progress none --no-save -r 2 --json doc "$2" "$2"
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "$(value '.subjects | length')" = $((2 * $1)) ]
	[ "$(value '[.subjects[] | .metrics[.metric // "wall"].samples | length] | unique')" = '[2]' ]
	[ "$(value '[.subjects[].failures[]]')" = '[]' ]
}

@test "Google Benchmark" {
	needs g++
	g++ -O1 -o suite "$suites/google.cc" -lbenchmark -lpthread 2>/dev/null || skip "Google Benchmark is not installed"
	real 6 ./suite
	[ "$(value '[.design.name, ([.comparisons[].metric] | unique)]')" = '["shared",["cpu"]]' ]
	run --separate-stderr timeout 250 "$TARE" plan -q --max-time 20s -r 2 -o plan.json ./suite
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "$(jq '[.subjects[].levels[] | .cost > 0] | all' plan.json)" = true ]
}

@test "Google Benchmark: a main that prints, names with all that a pattern gives a meaning to, one that waits" {
	needs g++
	cat >odd.cc <<-'CC'
	#include <benchmark/benchmark.h>
	#include <unistd.h>
	#include <cstdio>
	static void work(benchmark::State &state) { for (auto _ : state) for (volatile int i = 0; i < 1000; i = i + 1) ; }
	static void wait(benchmark::State &state) { for (auto _ : state) usleep(1000); }
	BENCHMARK(work)->Name("a[0]{1} (x|y)*+?.^$\\\\")->Arg(5);
	BENCHMARK(wait)->UseRealTime();
	BENCHMARK(work);
	int main(int argc, char **argv)
	{
		puts("hello");
		benchmark::Initialize(&argc, argv);
		benchmark::RunSpecifiedBenchmarks();
		puts("bye");
	}
	CC
	g++ -O1 -o suite odd.cc -lbenchmark -lpthread 2>/dev/null || skip "Google Benchmark is not installed"
	real 3 ./suite
	[ "$(value '[.subjects[].benchmark] | unique | .[0]')" = '"a[0]{1}_(x|y)*+?.^$\\\\/5"' ]
	[ "$(value '[.comparisons[].metric]')" = '["cpu","wall","cpu"]' ]
}

@test "Go: a compiled test binary, and go test" {
	needs go
	cp -r "$suites/go" project && cd project
	export GOFLAGS=-mod=mod GOPROXY=off GOCACHE="$BATS_TEST_TMPDIR/go-cache"
	go test -c -o ../suite .
	real 6 ../suite
	[ "$(value .design.name)" = '"shuffled"' ]
	run "$TARE" bench --list "env X=1 go test ."
	[ "${#lines[@]}" -eq 6 ]
	cd .. && rm -rf temporary/*
}

@test "Go: one that prints, one that fails, one that panics" {
	needs go
	mkdir project && cd project
	export GOFLAGS=-mod=mod GOPROXY=off GOCACHE="$BATS_TEST_TMPDIR/go-cache"
	printf 'module x\ngo 1.18\n' >go.mod
	cat >x_test.go <<-'GO'
	package x
	import ("fmt"; "os"; "testing")
	func BenchmarkPrints(b *testing.B) { fmt.Println("hello"); for i := 0; i < b.N; i++ {} }
	func BenchmarkFails(b *testing.B) { if os.Getenv("BAD") != "" { b.Fatal("went wrong") }; for i := 0; i < b.N; i++ {} }
	func BenchmarkPanics(b *testing.B) { if os.Getenv("BAD") != "" { panic("oh no") }; for i := 0; i < b.N; i++ {} }
	func BenchmarkLast(b *testing.B) { for i := 0; i < b.N; i++ {} }
	GO
	go test -c -o ../suite . && cd .. && rm -rf temporary/*
	run timeout 250 "$TARE" bench --progress none --no-save -r 2 --json doc -n old -n new ./suite "env BAD=1 ./suite"
	echo "$output"
	[ "$status" -eq 5 ]
	[[ "$output" == *"Fails on new: exit 1: x_test.go:4: went wrong"* ]]
	[[ "$output" == *"Panics on new: exit 2: panic: oh no"* ]]
	[ "$(value '[.comparisons[].new]')" = '["new Prints","new Last"]' ]
}

@test "pytest-benchmark" {
	for python in python3 /usr/bin/python3; do
		$python -c 'import pytest_benchmark' 2>/dev/null && break || python=
	done
	[ -n "$python" ] || skip "pytest-benchmark is not installed"
	cp "$suites/test_suite.py" .
	mkdir bin # no process of the framework starts others, for which it would wait
	for program in git hg file uname lscpu; do
		printf '#!/bin/sh\necho "$0" >>"%s/started"\nexit 1\n' "$PWD" >"bin/$program"
		chmod +x "bin/$program"
	done
	PATH="$PWD/bin:$PATH" real 6 "$python -m pytest test_suite.py"
	[ ! -e started ]
	[ "$(value '[.subjects[].metrics | keys[]] | unique | length')" = 1 ]
	run "$TARE" bench --list "env PYTHONPATH=elsewhere $python -m pytest test_suite.py"
	[ "${#lines[@]}" -eq 6 ]
	echo 'import no_such_module' >test_broken.py # the list is not whole, which is said
	run "$TARE" bench --list "$python -m pytest ."
	echo "$output"
	[ "${#lines[@]}" -eq 7 ]
	[[ "${lines[-1]}" == *"there may be more benchmarks than those listed: exit 2: ERROR test_broken.py"* ]]
	cat >test_chosen.py <<-'PY'
	import os
	import pytest
	def test_one(benchmark): benchmark(len, "x")
	@pytest.mark.skip(reason="not on this machine")
	def test_marked(benchmark): benchmark(len, "x")
	def test_inside(benchmark):
	    if os.environ.get("SKIP"): pytest.skip("no such thing here")
	    benchmark(len, "x")
	PY
	[ "$("$TARE" bench --list "$python -m pytest test_chosen.py -k one")" = test_chosen.py::test_one ]
	run "$TARE" bench --list "$python -m pytest -p no:benchmark test_chosen.py"
	[ "$status" -eq 5 ]
	[[ "$output" == *"this Python has no pytest-benchmark"* ]]
	printf '[pytest]\naddopts = --benchmark-disable\n' >pytest.ini
	suite="$python -m pytest test_chosen.py"
	run --separate-stderr timeout 250 "$TARE" bench --progress none --no-save -r 2 --json doc -n old -n new --gate 900% "$suite" "env SKIP=1 $suite"
	echo "$output" "$stderr"
	[ "$status" -eq 4 ] # one that only the new version skips holds no gate; one that both skip is no matter
	[ "$(value '[.comparisons[].new]')" = '["new test_chosen.py::test_one"]' ]
	[[ "$(value '[.warnings[] | select(.code == "left-out").text]')" == *"test_marked is skipped on old: test_chosen.py:4: not on this machine"*"test_inside is skipped on new: test_chosen.py:7: no such thing here"* ]]
	rm pytest.ini
	echo 'def test_plain(): pass' >test_broken.py
	run "$TARE" bench --list "$python -m pytest test_broken.py"
	[[ "$output" == *"has no benchmarks"* ]]
	# A test that fails when its benchmark has ended, or while it is taken down, has failed.
	cat >test_late.py <<-'PY'
	import pytest
	@pytest.fixture
	def down():
	    yield
	    raise RuntimeError("not down")
	def test_good(benchmark): benchmark(len, "x")
	def test_wrong(benchmark):
	    benchmark(len, "x")
	    assert False, "a wrong answer"
	def test_down(benchmark, down): benchmark(len, "x")
	@pytest.mark.xfail
	def test_expected(benchmark):
	    benchmark(len, "x")
	    assert False
	PY
	suite="$python -m pytest test_late.py"
	run --separate-stderr timeout 250 "$TARE" bench --progress none --no-save -r 2 --json doc -n old -n new --gate 900% "$suite" "env A=b $suite"
	echo "$output" "$stderr"
	[ "$status" -eq 5 ]
	[ "$(value '[.comparisons[].new]')" = '["new test_late.py::test_good","new test_late.py::test_expected"]' ]
	[[ "$output" == *"a wrong answer"*"not down"* ]]
}

@test "Catch2" {
	[ -e /usr/include/catch2/catch.hpp ] || skip "Catch2 is not installed"
	needs g++
	g++ -O0 -o suite "$suites/catch2.cc"
	real 6 ./suite
	run "$TARE" bench --list "env X=1 ./suite"
	[ "${#lines[@]}" -eq 6 ]
}

@test "criterion" {
	needs cargo
	[ -d /usr/share/cargo/registry/criterion-0.3.6 ] || skip "criterion is not installed"
	[ -n "${TARE_TEST_CRITERION:-}" ] || skip "building criterion takes minutes: TARE_TEST_CRITERION=1 runs this"
	cp -r "$suites/criterion" project && cd project
	export CARGO_HOME="$BATS_TEST_TMPDIR/cargo"
	/usr/bin/cargo bench --offline --no-run --config 'source.crates-io.replace-with="debian"' \
		--config 'source.debian.directory="/usr/share/cargo/registry"'
	real 6 "$(find target/release/deps -name 'suite-*' -type f -perm -u+x | head -n 1)"
}

@test "tinybench and mitata" {
	needs node
	[ -d "${TARE_NODE_MODULES:-/nowhere}/tinybench" ] || skip "TARE_NODE_MODULES names no folder with tinybench and mitata"
	ln -s "$TARE_NODE_MODULES" node_modules
	cp "$suites"/node/*.mjs .
	real 6 "node tinybench.mjs"
	real 6 "node mitata.mjs"
}

@test "tinybench: a suite that ends before its last benchmark" {
	needs node
	[ -d "${TARE_NODE_MODULES:-/nowhere}/tinybench" ] || skip "TARE_NODE_MODULES names no folder with tinybench and mitata"
	ln -s "$TARE_NODE_MODULES" node_modules
	cat >suite.mjs <<-'JS'
	import { Bench } from 'tinybench';
	const one = new Bench({ name: 'one' }); one.add('x', () => 1); await one.run();
	if (process.env.BAD) throw new TypeError('no such thing\nat all');
	const two = new Bench({ name: 'two' }); two.add('y', () => 1); await two.run();
	JS
	run --separate-stderr timeout 120 "$TARE" bench --progress none --no-save -r 2 --json doc -n old -n new "node suite.mjs" "env BAD=1 node suite.mjs"
	echo "$output" "$stderr"
	[ "$status" -eq 5 ]
	[[ "$(value '.warnings[].text')" == *"two/y on new: exit 1: Uncaught TypeError: no such thing"* ]]
	[ "$(value '.comparisons | length')" = 1 ]
	run "$TARE" bench --list "env BAD=1 node suite.mjs"
	[ "${#lines[@]}-${lines[0]}" = 2-one/x ]
	[[ "${lines[1]}" == *"there may be more benchmarks than those listed: exit 1: Uncaught TypeError: no such thing"* ]]
	sed 's/await \(.*\)\.run()/\1.runSync()/' suite.mjs >sync.mjs
	[ "$("$TARE" bench --list "node sync.mjs")" = $'one/x\ntwo/y' ]
}
