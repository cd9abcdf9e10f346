#!/usr/bin/env bats
# The commonest command lines of hyperfine's README and --help, with "tare run" in its place. Few runs where
# their number is not the point, small programs for those that a test machine lacks.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	export PATH="$BATS_TEST_TMPDIR/bin:$PATH"
	mkdir -p bin src
	# Stands for make, cargo, gcc, fd, rg, …: says what it was given.
	for program in make cargo gcc clang fd rg find-all ctags; do
		printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' "$program" "$BATS_TEST_TMPDIR" >"bin/$program"
		chmod +x "bin/$program"
	done
	: >calls
}

tare_run() { # OPTIONS…: as a user types it
	run "$TARE" run "$@"
}

calls() { # PATTERN: how often a stand-in was called with it
	grep -c -- "$1" calls || true
}

@test "hyperfine 'sleep 0.3'" {
	tare_run -r 3 'sleep 0.03'
	[ "$status" -eq 0 ]
	[[ "$output" == *"sleep 0.03"*"runs"* || "$output" == *"runs"*"sleep 0.03"* ]]
}

@test "hyperfine --runs 5 'sleep 0.3'" {
	tare_run --runs 5 'make x'
	[ "$status" -eq 0 ]
	[ "$(calls 'make x')" -ge 5 ]
}

@test "hyperfine 'hexdump file' 'xxd file': two commands" {
	echo text >file
	tare_run -r 3 'cat file' 'head file'
	[ "$status" -eq 0 ]
	[[ "$output" == *"cat file"* && "$output" == *"head file"* ]]
}

@test "hyperfine --warmup 3 'grep -R TODO *': shell syntax is answered with the line to type" {
	tare_run --warmup 3 'grep -R TODO *'
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare run -S default --warmup 3 'grep -R TODO *'"* ]]
	echo TODO >src/a
	eval "\"$TARE\" run -r 3 -S default --warmup 1 'grep -R TODO *'"
}

@test "hyperfine --prepare 'sync; …' 'grep -R TODO'" {
	tare_run -r 3 -w 0 --prepare 'make prepare; true' 'make work'
	[ "$status" -eq 0 ]
	[ "$(calls 'make prepare')" -ge "$(calls 'make work')" ]
}

@test "hyperfine --parameter-scan num_threads 1 12 'make -j {num_threads}'" {
	tare_run -r 3 --prepare 'make clean' --parameter-scan num_threads 1 4 'make -j {num_threads}'
	[ "$status" -eq 0 ]
	for n in 1 2 3 4; do [ "$(calls "make -j $n")" -ge 3 ]; done
}

@test "hyperfine --parameter-scan delay 0.3 0.7 -D 0.2 'sleep {delay}'" {
	tare_run -r 3 --parameter-scan delay 0.003 0.007 -D 0.002 'sleep {delay}'
	[ "$status" -eq 0 ]
	[[ "$output" == *"sleep 0.003"*"sleep 0.005"*"sleep 0.007"* ]]
}

@test "hyperfine -L compiler gcc,clang '{compiler} -O2 main.cpp'" {
	tare_run -r 3 -L compiler gcc,clang '{compiler} -O2 main.cpp'
	[ "$status" -eq 0 ]
	[ "$(calls 'gcc -O2')" -ge 3 ]
	[ "$(calls 'clang -O2')" -ge 3 ]
}

@test "hyperfine -L … -L …: every combination" {
	tare_run -r 3 -L a 1,2 -L b x,y 'make {a} {b}'
	[ "$status" -eq 0 ]
	for pair in '1 x' '1 y' '2 x' '2 y'; do [ "$(calls "make $pair")" -ge 3 ]; done
}

@test "hyperfine -L x a,b -L x c,d: a parameter has one list of values" {
	tare_run -r 3 -L x a,b -L x c,d 'make {x}'
	[ "$status" -eq 2 ]
	[ "${lines[0]}" = "tare: parameter x is given twice" ]
	tare_run -r 3 -P x 3 1 'make {x}'
	[ "$output" = "tare: parameter x: the range from 3 to 1 is empty" ]
	tare_run -r 3 -P x 1 3 -D 0 'make {x}'
	[ "$output" = "tare: parameter x: the step 0 is not above 0" ]
	[ "$(calls 'make')" -eq 0 ]
	printf 'subjects:\n  - command: make {x}\nparameters:\n  - name: x\n    values: [1, 2]\n' >suite.yaml
	tare_run -r 3 -L x 7,8 suite.yaml # the command line takes precedence
	[ "$status" -eq 0 ]
	[ "$(calls 'make 7')" -ge 3 ]
	[ "$(calls 'make 1')" -eq 0 ]
	printf '  - name: x\n    values: [3]\n' >>suite.yaml
	tare_run -r 3 suite.yaml
	[ "$status" -eq 2 ]
	[[ "$output" == *"suite.yaml:6:"*"parameter x is given twice"* ]]
}

@test "hyperfine --setup 'cargo build' …" {
	tare_run -r 3 -s 'cargo build' 'make'
	[ "$status" -eq 0 ]
	[ "$(calls 'cargo build')" -eq 1 ]
}

@test "hyperfine --cleanup, --conclude" {
	tare_run -r 3 -C 'cargo conclude' -c 'cargo clean' 'make'
	[ "$status" -eq 0 ]
	[ "$(calls 'cargo clean')" -eq 1 ]
	[ "$(calls 'cargo conclude')" -ge 3 ]
}

@test "hyperfine --prepare once for each command" {
	tare_run -r 3 -p 'cargo one' 'make a' -p 'cargo two' 'make b'
	[ "$status" -eq 0 ]
	[ "$(calls 'cargo one')" -ge 3 ]
	[ "$(calls 'cargo two')" -ge 3 ]
}

@test "hyperfine --shell zsh 'for i in {1..100}; do echo test; done'" {
	tare_run -r 3 --shell bash 'for i in {1..10}; do echo test; done'
	[ "$status" -eq 0 ]
	tare_run -r 3 -S 'bash --norc' 'echo $((2**3))'
	[ "$status" -eq 0 ]
}

@test "hyperfine -N, --shell=none" {
	tare_run -r 3 -N 'true'
	[ "$status" -eq 0 ]
	tare_run -r 3 --shell=none 'true'
	[ "$status" -eq 0 ]
	tare_run -r 3 --shell=default 'true && true'
	[ "$status" -eq 0 ]
}

@test "hyperfine -S bash my_function" {
	my_function() { sleep 0.001; }
	export -f my_function
	tare_run -r 3 --shell=bash my_function
	[ "$status" -eq 0 ]
}

@test "hyperfine -i, --ignore-failure=MODE" {
	tare_run -r 3 false
	[ "$status" -eq 5 ]
	[[ "$output" == *"-i "* ]]
	for option in -i --ignore-failure --ignore-failure=all-non-zero --ignore-failure=1,2; do
		tare_run -r 3 "$option" false
		[ "$status" -eq 0 ]
	done
}

@test "hyperfine -i: failed runs are told however little room there is" {
	tare_run -r 8 -i false false
	[ "$status" -eq 0 ]
	[[ "$output" == *"note: false; false #2: 8 of 8 runs failed (exit 1)"* ]]
	[ "${#lines[@]}" -le 12 ]
	tare_run -r 3 -i -S sh 'kill -9 $$'
	[[ "$output" == *"next: find out why values are missing"* ]]
}

@test "hyperfine -r 1: one run is told as several are" {
	tare_run -r 1 true
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "true: wall "* ]]
	[[ "${lines[1]}" == "  1 run in "* ]]
	[[ "$output" == *"one value does not show the spread; measure 10 or more"* ]]
	[[ "$output" != *"─"* && "$output" != *" - "* ]]
}

@test "hyperfine --export-json and the scripts that read it" {
	tare_run -r 3 --export-json out.json 'sleep 0.01' 'sleep 0.02'
	[ "$status" -eq 0 ]
	python3 - <<-'END'
		import json
		results = json.load(open("out.json"))["results"]
		assert [r["command"] for r in results] == ["sleep 0.01", "sleep 0.02"]
		for r in results:
		    assert len(r["times"]) == 3 and r["exit_codes"] == [0] * 3
		    assert all(r[k] is not None for k in ("mean", "stddev", "median", "user", "system", "min", "max"))
	END
}

@test "hyperfine --export-csv: its columns, in seconds" {
	tare_run -r 3 -L n 1,2 -n 'job {n}' --export-csv named.csv 'sleep 0.0{n}'
	[ "$(cut -d, -f1 named.csv | tr '\n' ' ')" = "command job 1 job 2 " ]
	tare_run -r 3 -L n 1,2 --export-csv out.csv 'sleep 0.0{n}'
	[ "$status" -eq 0 ]
	python3 - <<-'END'
		import csv
		rows = list(csv.DictReader(open("out.csv")))
		assert list(rows[0]) == "command,mean,stddev,median,user,system,min,max,parameter_n".split(","), rows[0]
		assert [r["command"] for r in rows] == ["sleep 0.01", "sleep 0.02"]
		assert all(float(r["min"]) <= float(r["median"]) <= float(r["max"]) for r in rows)
		assert float(rows[0]["min"]) >= 0.01 and [r["parameter_n"] for r in rows] == ["1", "2"]
	END
}

@test "hyperfine --export-markdown: its table" {
	tare_run -r 3 --export-markdown out.md -S default 'true | cat' 'true'
	[ "$status" -eq 0 ]
	[ "$(sed -n 1p out.md)" = '| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |' ]
	[ "$(sed -n 2p out.md)" = '|:---|---:|---:|---:|---:|' ]
	grep -qE '^\| `true \\\| cat` \| [0-9.]+ ± [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| ' out.md
}

@test "hyperfine --export-asciidoc, --export-orgmode, --export-markdown -" {
	tare_run -r 3 --export-asciidoc out.adoc --export-orgmode out.org true
	[ "$status" -eq 0 ]
	[ "$(sed -n 2p out.adoc)" = '|===' ]
	[ "$(sed -n 1p out.org)" = '| Command  |  Mean [ms] |  Min [ms] |  Max [ms] |  Relative |' ]
	run --separate-stderr "$TARE" run -r 3 --export-markdown - true
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = '| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |' ]
}

@test "hyperfine --sort mean-time: the fastest first in the tables" {
	tare_run -r 3 --sort mean-time --export-markdown out.md 'sleep 0.1' 'sleep 0.01'
	[ "$status" -eq 0 ]
	sed -n 3p out.md | grep -q 'sleep 0.01'
	sed -n 3p out.md | grep -q '| 1.00 |$'
	tare_run -r 3 --sort command --export-markdown out.md 'sleep 0.1' 'sleep 0.01'
	sed -n 3p out.md | grep -q 'sleep 0.1`'
}

@test "hyperfine --time-unit" {
	for unit in second millisecond microsecond; do
		tare_run -r 3 --time-unit "$unit" --export-markdown "$unit.md" true
		[ "$status" -eq 0 ]
	done
	grep -q 'Mean \[s\]' second.md
	grep -q 'Mean \[ms\]' millisecond.md
	grep -q 'Mean \[µs\]' microsecond.md
	tare_run -r 3 -u second true
	[ "$status" -eq 0 ]
}

@test "hyperfine --style none|basic|full|nocolor|color|auto" {
	for style in basic full nocolor color auto; do
		tare_run -r 3 --style "$style" true
		[ "$status" -eq 0 ]
		[[ "$output" == *"runs"* ]]
	done
	tare_run -r 3 --style none --export-json out.json true
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	[ -s out.json ]
}

@test "hyperfine --show-output, --output inherit|pipe|null|FILE" {
	tare_run -r 3 --show-output 'echo seen'
	[ "$(grep -c '^seen$' <<<"$output")" -ge 3 ]
	tare_run -r 3 --output=inherit 'echo seen'
	[ "$(grep -c '^seen$' <<<"$output")" -ge 3 ]
	tare_run -r 3 --output=pipe 'echo seen'
	[ "$status" -eq 0 ]
	tare_run -r 3 --output null 'echo seen'
	[ "$status" -eq 0 ]
	tare_run -r 3 --output ./log 'echo seen'
	[ "$status" -eq 0 ]
	grep -q seen log
}

@test "hyperfine --input null|FILE" {
	echo data >in
	tare_run -r 3 --input in --output out cat
	[ "$status" -eq 0 ]
	grep -q data out
	tare_run -r 3 --input null cat
	[ "$status" -eq 0 ]
}

@test "hyperfine -n NAME" {
	tare_run -r 3 -n first true --command-name second 'sleep 0.01'
	[ "$status" -eq 0 ]
	[[ "$output" == *first* && "$output" == *second* ]]
}

@test "hyperfine --reference CMD: a command that is not among the others" {
	tare_run -r 10 --reference 'sleep 0.01' --export-csv out.csv 'sleep 0.1' 'sleep 0.12'
	[ "$status" -eq 0 ]
	[[ "$output" == *"slower"* ]]
	[ "$(cut -d, -f1 out.csv | tr '\n' ';')" = 'command;sleep 0.01;sleep 0.1;sleep 0.12;' ]
	tare_run -r 3 --reference true --reference-name before --export-markdown out.md -L n 1,2 'sleep 0.0{n}'
	[ "$status" -eq 0 ]
	[ "$(grep -c 'sleep\|before' out.md)" -eq 3 ]
	grep -q '`before` .* 1.00 |' out.md
}

@test "hyperfine -m, -M, -r, -w with and without =" {
	tare_run -m 3 -M 4 -w 1 true
	[ "$status" -eq 0 ]
	tare_run --min-runs=3 --max-runs=4 --warmup=1 true
	[ "$status" -eq 0 ]
	tare_run -r3 -w1 true
	[ "$status" -eq 0 ]
}

@test "hyperfine 'fd …' 'find …': programs of the PATH, several options at once" {
	tare_run -N --warmup 1 -r 3 --export-markdown out.md --export-json out.json 'fd -HI .jpg' 'find-all -name x.jpg' 'rg -l'
	[ "$status" -eq 0 ]
	[ "$(grep -c '^| `' out.md)" -eq 3 ]
}

@test "hyperfine's help and version; options that are not here" {
	tare_run --help
	[ "$status" -eq 0 ]
	tare_run -h
	[ "$status" -eq 0 ]
	tare_run --version
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare --version"* ]]
	tare_run -V
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare --version"* ]]
	tare_run -E out.json true
	[ "$status" -eq 2 ]
	[[ "$output" == *"--export-json"* ]]
	tare_run --min-benchmarking-time 3 true
	[ "$status" -eq 2 ]
	[[ "$output" == *"--max-time"* ]]
}

@test "forgotten quotes are answered with the line to type" {
	tare_run make 1000000
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean tare run 'make 1000000'?"* ]]
	tare_run make -l src
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean tare run 'make -l src'?"* ]]
	tare_run -w 2 --gate 2% make 1000000
	[[ "$output" == *"did you mean tare run -w 2 --gate 2% 'make 1000000'?"* ]]
	tare_run make ./missing # a program, not an argument
	[ "$status" -eq 5 ]
	[[ "$output" != *"did you mean"* ]]
	tare_run -r 3 make cargo # two programs
	[ "$status" -eq 0 ]
	[ "$(calls 'make 1000000')" -eq 0 ]
}

@test "a variable in front of the command is answered with the line to type" {
	tare_run -r 3 'N=1 make'
	[ "$status" -eq 2 ]
	[[ "$output" == *"put 'env' in front of it, or run it in a shell:"$'\n'"  tare run -S default -r 3 'N=1 make'"* ]]
}

@test "a number out of range is answered with the range, written out" {
	tare_run -r 0 make
	[ "$status" -eq 2 ]
	[[ "$output" == *"--runs: must be between 1 and 1000000000" ]]
	tare_run --runs=99999999999999999999 make
	[ "$status" -eq 2 ]
	[[ "$output" == *"--runs: must be between 1 and 1000000000" ]]
}

@test "a fraction where per cent are wanted is answered with both that it may mean" {
	for option in gate margin precision; do
		tare_run "--$option" 0.02 make true
		[ "$status" -eq 2 ]
		[[ "$output" == "tare: --$option: '0.02' could mean 0.02 % or 2 %"$'\n'"write 0.02% or 2%"* ]]
	done
	tare_run --gate 0.02% --dry-run make true
	[ "$status" -eq 0 ]
	tare_run --gate 0 --dry-run make true
	[ "$status" -eq 0 ]
}

@test "an empty name is refused" {
	tare_run -n '' make
	[ "$status" -eq 2 ]
	[ "$output" = "tare: the name of command 1 (-n) is empty" ]
}

@test "an option that is near to none gets no suggestion" {
	tare_run --foo make
	[ "$status" -eq 2 ]
	[[ "$output" != *"did you mean"* ]]
	tare_run --jsno x.json make
	[[ "$output" == *"did you mean --json?"* ]]
}

@test "a mistyped command gets a suggestion" {
	run "$TARE" rnu
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean 'tare run'?"* ]]
	run "$TARE" stats
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean 'tare analyze FILE'?"* ]]
	run "$TARE" baseline set main
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean 'tare history baseline set NAME @ID'?"* ]]
	run "$TARE" './work 10'
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare run './work 10'"* ]]
}

@test "an option that the program and tare both have is answered with the line to type" {
	tare_run python3 -c 'print(1)'
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean tare run \"python3 -c 'print(1)'\"?"* ]]
	eval "\"$TARE\" run -r 3 \"python3 -c 'print(1)'\""
	touch numbers
	tare_run make -n numbers
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean tare run 'make -n numbers'?"* ]]
	tare_run make -c x 1000000
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean tare run 'make -c x 1000000'?"* ]]
	# What is one of ours for all we know.
	tare_run -r 3 make -c 'cargo clean' -n build
	[ "$status" -eq 0 ]
	[ "$(calls 'cargo clean')" -eq 1 ]
}

@test "hyperfine --output=null my-cmd --output=./file.log my-cmd" {
	tare_run -r 3 --output=null 'echo one' --output=./two.log 'echo two'
	[ "$status" -eq 0 ]
	[ "$(cat two.log)" = two ]
	tare_run -r 3 --output=one.log 'seq 1' 'seq 2'
	[ -s one.log ]
	tare_run -r 3 --output={n}.log -L n 7,8 'echo {n}'
	[ "$(cat 7.log 8.log | tr '\n' ' ')" = "7 8 " ]
	tare_run --output a --output b --output c 'echo one' 'echo two'
	[ "$status" -eq 2 ]
	[[ "$output" == *"once for each command"* ]]
	tare_run --output a --show-output true
	[ "$status" -eq 2 ]
}

@test "hyperfine 'my-command > output-\${HYPERFINE_ITERATION}.log'" {
	tare_run -r 3 -w 0 -S sh 'echo x >output-${HYPERFINE_ITERATION}.log'
	[ "$status" -eq 0 ]
	[ -e output-0.log ]
	[ -e output-1.log ]
	[ -e output-2.log ]
}

@test "hyperfine 'cmd': what to type next where the time ended before the precision was reached" {
	tare_run --max-time 200ms --precision 0.001% 'sleep 0.01'
	[ "$status" -eq 0 ]
	[[ "$output" == *"next: a longer --max-time; -v shows all numbers"* ]]
}
