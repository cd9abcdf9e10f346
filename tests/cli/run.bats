#!/usr/bin/env bats
# tare run, as a user types it. Bookkeeping, words and exit codes; never how fast something was.

setup() {
	cd "$BATS_TEST_TMPDIR"
	spin="$(dirname "$TARE")/bench/spin"
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print($2)" "$1"
}

@test "one command: estimate and interval, exactly N runs" {
	run "$TARE" run --progress none -r 12 --json doc "$spin 2000000" # so long that no wait for a CPU is ten times as long
	[ "$status" -eq 0 ]
	[[ "$output" == *": wall "*" ± "*" (95 %)"*"mean of 12 runs"*median*σ*min*max*cpu*user*system*"next: "* ]]
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["n"]')" = 12 ]
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	[ "$(json doc 'd["design"]["name"]')" = solo ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["ci"]["level"]')" = 0.95 ]
}

@test "one command is told by the metric that was asked for" {
	run "$TARE" run --progress none -r 6 --metric cpu --json doc "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" == *": cpu "*"wall"* ]]
	[ "$(json doc 'd["subjects"][0]["metric"]')" = cpu ]
	"$TARE" report --text doc | grep -q "mean cpu"
}

@test "two commands: pairs, order, verdict, and the same seed gives the same order" {
	for i in 1 2; do
		run "$TARE" run --progress none -r 20 --seed 7 --metric cpu --design turns --json doc$i -n old "$spin 100000" -n new "$spin 8000000"
		[ "$status" -eq 0 ]
		[[ "$output" == *"new is "*" slower than old"* ]]
		[ "$(json doc$i 'd["comparisons"][0]["verdict"]')" = slower ]
		[ "$(json doc$i 'd["comparisons"][0]["pairs"]')" = 20 ]
		[ "$(json doc$i 'd["design"]["order"].count("AB")')" = 10 ]
		[ "$(json doc$i 'len(d["subjects"][0]["metrics"]["cpu"]["samples"])')" = 20 ]
	done
	[ "$(json doc1 'd["design"]["order"]')" = "$(json doc2 'd["design"]["order"]')" ]
}

@test "every design measures" {
	for design in solo shuffled turns duet shared; do
		if [ "$design" = duet ] && [ "$(nproc)" -lt 2 ]; then continue; fi
		run "$TARE" run --progress none -r 10 --design "$design" --json doc "$spin 10000" "$spin 20000"
		[ "$status" -eq 0 ]
		[ "$(json doc 'd["design"]["name"]')" = "$design" ]
		if [ "$design" = duet ]; then
			[ "$(json doc 'len(d["subjects"][0]["metrics"]["overlap"]["samples"])')" = 10 ]
		fi
	done
}

@test "three commands are each compared with the first, or with --reference" {
	run "$TARE" run --progress none -r 10 --json doc -n a "$spin 1000" -n b "$spin 300000" -n c "$spin 900000" --reference b
	[ "$status" -eq 0 ]
	[ "$(json doc '[(c["base"], c["new"]) for c in d["comparisons"]]')" = "[('b', 'a'), ('b', 'c')]" ]
	run "$TARE" run --progress none --reference nobody true false
	[ "$status" -eq 2 ]
}

@test "parameters: ranges, steps, lists" {
	run "$TARE" run --progress none -r 3 -P n 10 30 -D 10 -L who x,y --json doc "echo {n} {who}"
	[ "$status" -eq 0 ]
	[ "$(json doc 'len(d["subjects"])')" = 6 ]
	[ "$(json doc 'd["subjects"][1]["parameters"]')" = "{'n': '10', 'who': 'y'}" ]
	[ "$(json doc 'd["subjects"][1]["command"]')" = "echo 10 y" ]
}

@test "-w: exactly so many runs before the kept ones" {
	for n in 3 11 25; do
		rm -f log
		run timeout 60 "$TARE" run --progress none -w $n -r 2 -S default 'echo run >>log'
		[ "$status" -eq 0 ]
		[ "$(wc -l <log)" -eq $((n + 2)) ]
	done
}

@test "a program that is missing is an error, never a fast benchmark" {
	run "$TARE" run --progress none ./no-such-program
	[ "$status" -eq 5 ]
	[[ "$output" == *"no such program"* ]]
	echo text >plain
	run "$TARE" run --progress none ./plain
	[ "$status" -eq 5 ]
	[[ "$output" == *"Permission denied"* ]]
}

@test "a shell that is missing is not the command" {
	for shell in no-such-shell ./no-such-shell; do
		run "$TARE" run --progress none -r 5 -S $shell true
		[ "$status" -eq 5 ]
		[[ "${lines[0]}" == "tare: the shell '$shell' (--shell) did not start: there is no such program" ]]
	done
}

@test "a program that is missing is named, also where its command has another name" {
	run "$TARE" run --progress none -n old 'no-such-program 5' true
	[ "$status" -eq 5 ]
	[ "$output" = "tare: old (no-such-program 5): there is no such program"$'\n'"check the spelling and PATH" ]
	run "$TARE" run --progress none 'no-such-program 5' 'no-such-program 5'
	[[ "${lines[0]}" == "tare: no-such-program 5"*": there is no such program" && "${lines[0]}" != *"("* ]]
}

@test "more names than commands" {
	run "$TARE" run -n a -n b true
	[ "$status" -eq 2 ]
	[ "$output" = "tare: 2 names for 1 command"$'\n'"-n names one command, the first -n the first of them" ]
}

@test "-q: nothing meanwhile; the notes of the result stay" {
	"$TARE" run -q --no-save -r 5 true >out 2>err
	[ ! -s err ]
	grep -q '^note: true, wall: only 5 runs' out
}

@test "a failing command: exit 5; -i goes on; --expect-exit allows" {
	run "$TARE" run --progress none -r 3 false
	[ "$status" -eq 5 ]
	[[ "$output" == *"exit 1"* ]]
	run "$TARE" run --progress none -r 3 -i false
	[ "$status" -eq 0 ]
	run "$TARE" run --progress none -r 3 --expect-exit 0,1 false
	[ "$status" -eq 0 ]
}

@test "-i: another exit code is told and its run counts; killed, too slow or wrong is told and left out" {
	run "$TARE" run --progress none -w 0 -r 3 -i --design shuffled --json doc -n fails false -n crashes 'sh -c "kill -SEGV \$\$"'
	[ "$status" -eq 0 ]
	[[ "$output" == *"runs failed (exit"* ]]
	[ "$(json doc '[[f["what"][:8] for f in s["failures"]] for s in d["subjects"]]')" = "[['exit 1', 'exit 1', 'exit 1'], ['signal 1', 'signal 1', 'signal 1']]" ]
	run "$TARE" run --progress none -w 0 -r 3 -i --json doc --export-json hyper false
	[ "$(json hyper '[r["exit_codes"] for r in d["results"]]')" = "[[1, 1, 1]]" ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["n"]')" = 3 ]
	run "$TARE" run --progress none -w 0 -r 3 -i --check false --json doc true
	[[ "$output" == *"every value was lost"*"3 of 3 runs failed"* ]]
	# It ends, though no run does.
	run timeout 60 "$TARE" run --progress none -w 0 -r 2 -i --design solo --timeout 100ms 'sleep 20' true
	[ "$status" -eq 0 ]
	[[ "$output" == *"2 of 2 runs failed"* ]]
	run timeout 60 "$TARE" run --progress none -r 2 -i --work 20:30 --timeout 100ms 'sleep {work}'
	[ "$status" -eq 5 ]
	[[ "$output" == *"every run failed"*"time limit"* ]]
}

@test "solo: a time that was given holds beside a count" {
	run timeout 60 "$TARE" run --progress none -r 100000 --max-time 1s --design solo --json doc true 'sleep 0.01'
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["stopped"]["reason"], all(0 < s["metrics"]["wall"]["n"] < 100000 for s in d["subjects"])')" = "budget True" ]
}

@test "solo: each is looked at until it is precise, and its interval says so" {
	run "$TARE" run --progress none -w 0 -S default --max-runs 6 --design solo --pi x:s:column=1 --json doc \
		'echo x >>a; echo $(( 100 + $(wc -l <a) % 2 ))' 'echo x >>b; echo $(( 200 + $(wc -l <b) % 2 ))'
	[ "$status" -eq 0 ]
	[ "$(json doc '[s["metrics"]["x"]["ci"]["method"] for s in d["subjects"]]')" = "['precision stop over 6 runs', 'precision stop over 6 runs']" ]
	[ "$(json doc '[d["comparisons"][0][k] for k in ("verdict", "quick", "units")]')" = "['slower', True, 6]" ]
}

@test "solo: the reason to stop is the least good one of the commands" {
	run "$TARE" run --progress none -w 0 -S default --max-runs 11 --design solo --pi x:s:column=1 --json doc \
		'echo x >>a; echo $(( 1 + $(wc -l <a) % 2 * 99 ))' 'echo 7'
	[ "$status" -eq 0 ]
	[ "$(json doc '[s["metrics"]["x"]["n"] for s in d["subjects"]], d["stopped"]["reason"]')" = "[11, 10] count" ]
}

@test "a check gets the output and nothing else; hooks may write to /dev/stderr" {
	echo some text >expected
	run "$TARE" run --progress none -r 3 --check 'cmp - expected' -p 'echo one >/dev/stderr; echo two >>/dev/stderr; echo three | tee /dev/stderr' 'echo some text'
	[ "$status" -eq 0 ]
	run "$TARE" run --progress none -r 3 -p 'echo one >/dev/stderr; false' true
	[ "$status" -eq 5 ]
	[[ "$output" == *"it said: one"* ]]
}

@test "what was measured before a failure is kept and told" {
	cat >fragile <<-'SH'
	#!/bin/sh
	n=$(cat count 2>/dev/null || echo 0)
	echo $((n + 1)) >count
	[ "$n" -lt 8 ]
	SH
	chmod +x fragile
	run "$TARE" run --progress none -w 0 -r 50 --json doc ./fragile
	[ "$status" -eq 5 ]
	[[ "$output" == *"in run "* ]]
	[ "$(json doc 'd["stopped"]["reason"]')" = failed ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["n"] >= 5')" = True ]
}

@test "a timeout: exit 124" {
	run "$TARE" run --progress none --timeout 200ms 'sleep 20'
	[ "$status" -eq 124 ]
	[[ "$output" == *"time limit"* ]]
}

@test "bad use: exit 2 and a hint" {
	for words in "" "-r 0 true" "--confidence 0.99 true" "--confidence 50 true" "--design dance true" "-r 3 --min-runs 2 true" "--nonsense true"; do
		run "$TARE" run --progress none $words
		[ "$status" -eq 2 ]
	done
	run "$TARE" run --progress none ''
	[ "$status" -eq 2 ]
	run "$TARE" run --progress none 'echo "open'
	[ "$status" -eq 2 ]
	[[ "$output" == *"quote"* ]]
	run "$TARE" run --progress none 'ls | wc'
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare run -S default"* ]]
	run "$TARE" run --progress none --shell default -r 3 'ls | wc'
	[ "$status" -eq 0 ]
}

@test "an output that cannot be written is found before measuring" {
	run "$TARE" run --progress none --json /no/such/folder/doc "touch measured"
	[ "$status" -eq 1 ]
	[ ! -e measured ]
}

@test "an output that fails while it is written takes no other with it" {
	status=0
	"$TARE" run --progress none --no-save -r 3 --json /dev/full --csv /dev/full --export-json h.json --markdown table.md \
		"$spin 1000" >out 2>err || status=$?
	[ "$status" -eq 1 ]
	[ "$(grep -c '^tare: /dev/full: .*No space left' err)" = 2 ]
	grep -q '"results"' h.json
	grep -q '^| ' table.md
	grep -q ': wall ' out
	# What the session has to say is more than that.
	printf '#!/bin/sh\necho x >>count\n[ $(wc -l <count) -lt 9 ]\n' >fragile
	chmod +x fragile
	status=0
	"$TARE" run --progress none --no-save -w 0 -r 50 --json /dev/full --csv rows.csv ./fragile >out 2>err || status=$?
	[ "$status" -eq 5 ]
	grep -q 'exit 1 in run' err
	grep -q '^tare: /dev/full: .*No space left' err
	grep -q 'wall' rows.csv
	grep -q ': wall ' out
}

@test "hooks run in their order, cleanup also after a failure" {
	run "$TARE" run --progress none -w 0 -r 2 -s 'echo setup >>log' -p 'echo prepare >>log' -C 'echo conclude >>log' \
		-c 'echo cleanup >>log' --shell default 'echo run >>log'
	[ "$status" -eq 0 ]
	[ "$(tr '\n' ' ' <log)" = "setup prepare run conclude prepare run conclude prepare run conclude cleanup " ]
	rm log
	run "$TARE" run --progress none -c 'echo cleanup >>log' false
	[ "$status" -eq 5 ]
	[ "$(cat log)" = cleanup ]
	run "$TARE" run --progress none -p 'exit 3' true
	[ "$status" -eq 5 ]
	[[ "$output" == *prepare* ]]
}

@test "a --max-time that was given bounds hooks, checks, warm-up and long runs" {
	for hook in setup prepare conclude check cleanup; do
		begin=$SECONDS
		run timeout 60 "$TARE" run --progress none --no-save --max-time 2s --$hook 'sleep 50' 'sleep 0.01'
		[ "$status" -eq 5 ]
		[[ "$output" == *"--$hook ran past --max-time"* ]]
		[ $((SECONDS - begin)) -lt 30 ]
	done
	begin=$SECONDS
	run timeout 60 "$TARE" run --no-save --max-time 2s -w 100000 --json doc true
	[ "$status" -eq 0 ]
	[[ "$output" == *"of 100000 runs: half of"* ]]
	[ $((SECONDS - begin)) -lt 30 ]
	run timeout 60 "$TARE" run --no-save --max-time 100ms --json doc 'sleep 1.1' 'sleep 1.2'
	[ "$status" -eq 0 ]
	[[ "$output" == *"note: sleep 1."*": waiting for its first run, although"* ]]
	[ "$(json doc '[s["metrics"]["wall"]["n"] for s in d["subjects"]]')" = "[1, 1]" ]
}

@test "the gate: last line and exit codes, also after a failure" {
	run "$TARE" run --progress none -r 30 --metric cpu --gate 2% -n old "$spin 100000" -n new "$spin 400000"
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower ratio="*" low="*" high="*" confidence=99 gate=broken limit=2%" ]]
	run "$TARE" run --progress none -r 30 --metric cpu --gate 2% -n old "$spin 400000" -n new "$spin 100000"
	[ "$status" -eq 0 ]
	[[ "${lines[-1]}" == "verdict: faster "* ]]
	run "$TARE" run --progress none -r 2 --gate 0.01% "$spin 1000" "$spin 1000"
	[ "$status" -eq 4 ]
	run "$TARE" run --progress none --gate 2% true false
	[ "$status" -eq 5 ]
	[[ "$output" == *"verdict: failed ratio=- low=- high=- confidence=99 gate=failed limit=2%"* ]]
	run "$TARE" run --gate 2% --confidence 95 --no-such-option true true
	[ "$status" -eq 2 ]
	[[ "${lines[-1]}" == "verdict: failed ratio=- low=- high=- confidence=95 gate=failed limit=2%" ]]
	# Nothing to compare with: nothing is measured.
	run "$TARE" run --progress none -r 2 --gate 3% 'touch measured'
	[ "$status" -eq 2 ]
	[[ "$output" == *"--gate: there is nothing to compare with"* ]]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
	[ ! -e measured ]
	status=0
	"$TARE" run --progress none --no-save -r 10 --gate 900% --json /dev/full "$spin 1000" "$spin 1000" >out 2>err || status=$?
	[ "$status" -eq 1 ]
	[[ "$(tail -n 1 out)" == "verdict: failed "*" gate=failed limit=900%" ]]
	GITHUB_STEP_SUMMARY=$PWD/summary run "$TARE" run --progress none -r 10 --gate 50% "$spin 1000" "$spin 1000"
	grep -q '^|' summary
}

@test "numbers that the program prints are metrics, and decide unless another one is named" {
	run "$TARE" run --progress none -r 12 --json doc --pi 'rate:MB/s:regex=([0-9.]+) MB/s' --pi 'second:x:column=2' \
		'printf "at %s MB/s\nhas 12 lines\n" 90.5' 'printf "at %s MB/s\nhas 12 lines\n" 95'
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["comparisons"][0]["metric"]')" = rate ]
	[ "$(json doc 'd["comparisons"][0]["verdict"]')" = faster ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["second"]["mean"]')" = 90.5 ]
	run "$TARE" run --progress none -r 3 --pi 'rate:MB/s:nothing' true
	[ "$status" -eq 2 ]
	run "$TARE" run --progress none -r 3 --pi 'rate:MB/s:regex=([0-9]+) MB/s' true
	[ "$status" -eq 5 ]
}

@test "documents: Markdown, and nothing but the document on standard output" {
	"$TARE" run --progress none -r 10 --json - "$spin 1000" "$spin 2000" >doc 2>text
	[ "$(json doc 'd["schema"]')" = tare/1 ]
	grep -q 'mean' text
	"$TARE" run --progress none -r 10 --markdown table.md "$spin 1000" "$spin 2000" >/dev/null
	grep -q '^| ' table.md
}

@test "two documents in one file are refused; a device takes both" {
	run "$TARE" run --progress none -r 3 --csv o --markdown other --html o true
	[ "$status" -eq 2 ]
	[[ "$output" == *"o: --csv and --html would write the same file"* ]]
	[ ! -e o ]
	printf '1\n2\n3\n' >data
	for command in "analyze --json" "compare data --markdown"; do
		run "$TARE" $command o --csv o data
		[ "$status" -eq 2 ]
		[[ "$output" == *"would write the same file"* ]]
	done
	# Whatever the spelling: through the folder, through a link to it, by a link to the file.
	mkdir -p folder
	ln -sfn folder link
	printf 'old\n' >folder/there
	ln -sf there folder/too
	for pair in "o ./o" "o $PWD/folder/../o" "folder/o link/o" "folder//o folder/./o" "folder/there link/too"; do
		run "$TARE" analyze --json ${pair% *} --csv ${pair#* } data
		[ "$status" -eq 2 ]
		[[ "$output" == *"--json and --csv would write the same file"* ]]
	done
	[ "$(cat folder/there)" = old ]
	"$TARE" analyze --json folder/o --csv o data
	[ -s o ] && [ -s folder/o ]
	run "$TARE" analyze --json - --csv - data
	[ "$status" -eq 2 ]
	[[ "$output" == *"only one document can go to standard output"* ]]
	"$TARE" analyze --json /dev/null --csv /dev/null data
	"$TARE" analyze --markdown /dev/stdout --csv /dev/stdout data >both
	grep -q '^| ' both
	grep -q '^subject,' both
}

@test "-u: the unit of times in tables" {
	for unit in "second s" "millisecond ms" "microsecond µs"; do
		set -- $unit
		run "$TARE" run --progress none --no-save -r 3 -u "$1" --markdown table.md --pi 'lag:s:regex=([0-9.]+)' --metric wall "echo 0.25" "echo 50"
		[ "$status" -eq 0 ]
		# Wall and processor time; peak memory stays as it is, where there is room for it.
		[ "$(grep -cE "^echo (0.25|50) +[0-9.]+ $2 .* to [0-9.]+ +[0-9.]+ $2( +[0-9.]+ MB)?$" <<<"$output")" = 2 ]
		[ "$(grep -cE "^\| echo (0.25|50) \| [0-9.]+ $2 \|.*\| [0-9.]+ $2 \| [0-9.]+ MB" table.md)" = 2 ]
	done
	run "$TARE" run --progress none --no-save -r 3 -u millisecond --pi 'lag:s:regex=([0-9.]+)' "echo 50"
	[[ "$output" == *"50000 ms"* ]]
	run "$TARE" run -u hour true
	[ "$status" -eq 2 ]
	[[ "$output" == *"microsecond"*"millisecond"*"second"* ]]
}

@test "Ctrl-C keeps every finished run: exit 130" {
	"$TARE" run --progress none --max-time 60s --json doc -r 100000 "$spin 100000" >text 2>&1 &
	pid=$!
	sleep 1
	kill -TERM $pid
	wait $pid && code=0 || code=$?
	[ "$code" -eq 130 ]
	[ "$(json doc 'd["stopped"]["reason"]')" = interrupted ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["wall"]["n"] > 0')" = True ]
}

# Waits for the file `ready`, then sends SIGTERM to PID as `timeout` does: once more as soon as the first is taken. Then the
# file `sent` is there, or `late` where this machine stood still meanwhile.
two_at_once() { # PID
	python3 - "$1" <<-'PY'
	import os, signal, sys, time
	pid, until = int(sys.argv[1]), time.monotonic() + 20
	while not os.path.exists("ready") and time.monotonic() < until:
	    time.sleep(0.001)
	def pending():
	    lines = open(f"/proc/{pid}/status").read().splitlines()
	    return any(int(line.split()[1], 16) >> signal.SIGTERM - 1 & 1 for line in lines if line.startswith(("SigPnd", "ShdPnd")))
	first = time.monotonic()
	os.kill(pid, signal.SIGTERM)
	while pending() and time.monotonic() < until:
	    pass
	os.kill(pid, signal.SIGTERM)
	open("late" if time.monotonic() - first > 0.4 else "sent", "w")
	PY
}

@test "a signal that comes twice at a time is one: exit 130, cleanup and verdict" {
	wait_for='for i in $(seq 600); do [ -e sent ] || [ -e late ] || sleep 0.05; done; touch clean'
	"$TARE" run -q --no-save -r 100000 --max-time 60s --gate 5% -c "$wait_for" 'touch ready' true >text 2>&1 &
	pid=$!
	two_at_once $pid
	wait $pid && code=0 || code=$?
	[ ! -e late ] || skip "this machine stood still between the two signals"
	[ "$code" -eq 130 ]
	[ -e clean ]
	[[ "$(tail -n 1 text)" == "verdict: interrupted "* ]]
}

@test "once more after a while ends it at once" {
	"$TARE" run -q --no-save --max-time 60s -r 100000 -c 'sleep 60' 'touch ready' true >text 2>&1 &
	pid=$!
	two_at_once $pid
	while kill -TERM $pid 2>/dev/null; do sleep 0.05; done
	wait $pid && code=0 || code=$?
	echo "code $code"; cat text
	[ "$code" -eq 143 ]
}

@test "signals that whoever started it ignores stay ignored" {
	for signal in HUP INT TERM; do
		# The set-up sends it to tare, which has made up its mind about signals by then.
		run sh -c 'trap "" $2; echo $$ >pid; exec "$1" run --progress none -r 3 -s "kill -$2 \$(cat pid)" true' sh "$TARE" $signal
		[ "$status" -eq 0 ]
		run env --default-signal=$signal sh -c 'echo $$ >pid; exec "$1" run --progress none -r 3 -s "kill -$2 \$(cat pid)" true' sh "$TARE" $signal
		[ "$status" -eq 130 ]
	done
}

@test "closed standard files are not taken by something else" {
	"$TARE" run --progress none --no-save -r 3 --json doc true <&-
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	"$TARE" run --progress none --no-save -r 3 --json doc true >&-
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	"$TARE" run --progress none --no-save -r 3 --json doc --show-output 'sh -c "echo said; echo so >&2"' <&- >&- 2>&-
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	"$TARE" run --progress none --no-save -r 3 --json - true <&- 2>&- >doc
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
}

@test "a named pipe as output is opened once" {
	mkfifo pipe
	cat pipe >doc &
	timeout 20 "$TARE" run --progress none --no-save -r 3 --json pipe true
	wait $!
	[ "$(json doc 'd["stopped"]["reason"]')" = count ]
	mkdir folder
	run "$TARE" run --progress none --no-save -r 3 --json folder true
	[ "$status" -eq 1 ]
	[[ "$output" == *"folder: cannot be written"* ]]
}

@test "nobody reads any more: what was measured is written all the same, and it ends as others do" {
	mkfifo pipe
	sleep 0.5 <pipe &
	"$TARE" run --progress none --max-time 60s --json doc -r 100000 "$spin 100000" >pipe 2>&1 &
	pid=$!
	sleep 1.5
	kill -TERM $pid
	wait $pid && code=0 || code=$?
	[ "$code" -eq 141 ]
	[ "$(json doc 'd["stopped"]["reason"]')" = interrupted ]
	# Commands are not among those who ignore a broken pipe.
	"$TARE" run --progress none -r 3 --show-output 'yes | head -n 1; echo ${PIPESTATUS[0]}' --shell bash >text
	grep -q '^141$' text
}

@test "--dry-run lists no more rounds than there will be" {
	run "$TARE" run --dry-run -r 2 "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "design    solo" && "$output" == *"rounds    2, about "*"round 2: $spin 1000" ]]
	[[ "$output" == *"a round   "*" µs, one run of each command"* || "$output" == *"a round   "*" ms, one run of each command"* ]]
}

@test "--dry-run shows the schedule and measures nothing to keep" {
	run "$TARE" run --dry-run -r 8 "$spin 1000" "$spin 2000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"round 1:"* ]]
	# What the commands need is there for the trial runs.
	run "$TARE" run --dry-run -s 'touch needed' -c 'rm needed; echo cleanup >>log' 'cat needed'
	[ "$status" -eq 0 ]
	[ "$(cat log)" = cleanup ]
	run "$TARE" run --dry-run --work 1:64:MB --max-time 30s 'touch tried-{work}'
	[ "$status" -eq 0 ]
	[[ "$output" == *"work      1 to 64 MB"*"budget    30"* ]]
	[ -z "$(ls tried-* 2>/dev/null)" ]
}

@test "--setup and --cleanup are done once for each value of a parameter" {
	run "$TARE" run --progress none -r 2 -L n 1,2 -s 'echo setup {n} >>log; touch made-{n}' -c 'echo cleanup {n} >>log' 'cat made-{n}' 'cat ./made-{n}'
	[ "$status" -eq 0 ]
	[ "$(tr '\n' ' ' <log)" = "setup 1 setup 2 cleanup 1 cleanup 2 " ]
	# One program for all values is not what a setup for each has made.
	run "$TARE" run --progress none -r 2 -L n 1,2 -s 'echo {n} >made' 'cat made'
	[ "$status" -eq 2 ]
	[[ "$output" == *"--setup"*"'cat made' would be the same program each time"* ]]
	[ ! -e made ]
}

@test "help fits a screen" {
	run "$TARE" run --help
	[ "$status" -eq 0 ]
	[ "$(wc -l <<<"$output")" -le 24 ] # the first screen
	for command in $("$TARE" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
		[ "$("$TARE" $command --help | LC_ALL=C.UTF-8 wc -L)" -le 80 ]
	done
	"$TARE" bench --help | LC_ALL=C.UTF-8 grep -qE '^      --param NAME=A,… {5}only'
}

@test "options that change nothing are named" {
	run "$TARE" run --progress none -r 3 --refill --until total --phases none --sort mean-time true
	[ "$status" -eq 0 ]
	for option in --refill --until --sort; do
		[[ "$output" == *"tare: note: $option has no effect: there is only one command"* ]]
	done
	[[ "$output" == *"tare: note: --phases has no effect: there are no unit readings (--pi NAME:UNIT:units:…)"* ]]
	run "$TARE" run -q -r 3 --refill --until total --phases none --sort mean-time true
	[[ "$output" != *"has no effect"* ]]
	run "$TARE" run --progress none -r 3 --refill --until total --sort mean-time true false -i
	[[ "$output" != *"has no effect"* ]]
}

@test "help: topics, whole pages without man, at most 80 columns" {
	for topic in methods formats gate designs; do
		run "$TARE" help "$topic"
		[ "$status" -eq 0 ]
		[ "$(wc -l <<<"$output")" -le 24 ]
		[ "$(LC_ALL=C.UTF-8 wc -L <<<"$output")" -le 80 ]
		[ "$("$TARE" help "$topic" --all | wc -l)" -gt 24 ]
	done
	for command in $("$TARE" help --options); do
		"$TARE" help "$command" --all >page
		[ "$(head -n 1 page)" = NAME ]
		for option in $("$TARE" help --options "$command" | cut -f 2 | grep -v '^help$'); do
			grep -qE -e "--$option( |\$|\[|,)" page
		done
	done
	# An escaped blank is one, also between the words of a macro.
	"$TARE" help compare --all | grep -q -e 'With --gate G the ratio'
	"$TARE" help compare --all | grep -q -e '--columns pair=COLUMN'
	[ "$("$TARE" help --all run)" = "$("$TARE" help run --all)" ]
	run "$TARE" help nonsense
	[ "$status" -eq 2 ]
}

@test "messages are wrapped for a terminal and stay on one line elsewhere" {
	shell=$(printf 'no-such-shell%.0s' 1 2 3 4)
	words=(run --progress none --no-save -r 5 -S "$shell" true)
	run "$TARE" "${words[@]}"
	[ "${#lines[@]}" -eq 2 ]
	[[ "${lines[0]}" == "tare: the shell '$shell' (--shell) did not start: there is no such program" ]]
	run python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$TARE" "${words[@]}" </dev/null
	[[ "${lines[0]}" == "tare: the shell '$shell'"* && "${lines[1]}" == "      "*"no such program"* ]]
	for line in "${lines[@]}"; do
		[ "${#line}" -le 80 ]
	done
}

@test "a narrow terminal gets sentences and tables of its width, and documents as they are" {
	on() { # WIDTH COMMAND…
		WIDTH=$1 python3 "$SOURCE_ROOT/tests/cli/terminal.py" "$TARE" "${@:2}"
		tr -d '\r' <screen | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' >shown
	}
	"$TARE" run --progress none --no-save -r 12 --json result.json -n old "$spin 1000" -n new "$spin 200000"
	on 50 analyze result.json
	[ "$(LC_ALL=C.UTF-8 wc -L <shown)" -le 50 ]
	[[ "$(tr '\n' ' ' <shown)" == *"times slower than old"*"typical"* ]]
	on 100 analyze result.json
	[ "$(LC_ALL=C.UTF-8 wc -L <shown)" -gt 50 ]
	on 50 report --text result.json
	[ "$(LC_ALL=C.UTF-8 wc -L <shown)" -le 50 ]
	on 50 export result.json --format json
	grep -q '^.\{60\}' shown
}

@test "--ascii: tables, sentences and plots without any other sign, in 80 columns" {
	plain() { # COMMAND…
		"$TARE" "$@" >shown
		! LC_ALL=C grep -n '[^ -~]' shown
		[ "$(wc -L <shown)" -le 80 ]
	}
	plain run --ascii --progress none --no-save -r 8 --json one.json "$spin 20000"
	grep -q 'median .* [mu]s, sd .* [mu]s, min' shown
	plain run --ascii --progress none --no-save -r 12 --json two.json -n a "$spin 20000" -n b "$spin 40000"
	grep -q ' sd ' shown
	plain run --ascii -v --plot --progress none --no-save -r 12 -n a "$spin 20000" -n b "$spin 40000"
	plain analyze --ascii two.json
	plain analyze --ascii -v --plot two.json
	plain compare --ascii two.json two.json
	plain report --ascii --text two.json
	"$TARE" analyze two.json | LC_ALL=C grep -q '[^ -~]'
}

@test "every result says what disturbed it" {
	run "$TARE" run --progress none -r 10 --design turns --json doc "$spin 1000" "$spin 1000"
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["disturbance"]["load_start"] >= 0 and d["disturbance"]["load_end"] >= 0')" = True ]
	[ "$(json doc '0 <= d["disturbance"]["disturbed"] <= 1')" = True ]
	[ "$(json doc 'd["disturbance"]["migrated"]')" = 0 ]
	[ "$(json doc 'd["disturbance"]["throttled_periods"] is not None or "throttled_periods_why" in d["disturbance"]')" = True ]
	run "$TARE" analyze --json again doc
	[ "$(json again 'd["disturbance"]')" = "$(json doc 'd["disturbance"]')" ]
}

@test "one run of each has one value of each" {
	run "$TARE" run --progress none --no-save -r 1 --json doc --html page.html true 'true 1'
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "cannot compare true 1 with true: there is one value of each" ]
	! grep -q 'no values' doc page.html
}

@test "the same program twice is said before anything else" {
	cp "$spin" one
	cp "$spin" other
	run "$TARE" run --progress none --no-save -r 10 --json doc './one 1000' './other 1000'
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "both are the same program: any difference comes from the machine" ]
	[ "$(json doc '[w["code"] for w in d["warnings"]].count("same-program")')" = 1 ]
	for command in './other 1001' 'true'; do
		run "$TARE" run --progress none --no-save -r 10 './one 1000' "$command"
		[[ "$output" != *"same program"* ]]
	done
	run "$TARE" run --progress none --no-save -r 10 -S default './one 1000' './one 1000'
	[[ "$output" == *"are the same program"* ]]
	run "$TARE" run --progress none --no-save -r 10 true './one 1000' true
	[[ "${output//$'\n'/ }" == "true and true #2 are the same program: any difference comes from the machine"* ]]
	run "$TARE" run --progress none --no-save -r 5 true './one 1000' true true
	[[ "${output//$'\n'/ }" == "true, true #2 and true #3 are the same program: any difference comes from the machine"* ]]
	run "$TARE" run --progress none --no-save -r 5 true true true
	[ "${lines[0]}" = "all are the same program: any difference comes from the machine" ]
}

@test "--live in the background is the usual progress: nothing stops it" {
	python3 "$SOURCE_ROOT/tests/cli/background.py" "$TARE" run --live --no-save -r 3 'sleep 0.4'
}

@test "--live: what is going on is shown, and q ends it with its result" {
	terminal=$SOURCE_ROOT/tests/cli/terminal.py
	# Without q it would go on until the time is over.
	shown() { tr '\r' '\n' <screen | sed 's/\x1b\[[0-9]*[A-Z]//g'; }
	SEEN=pairs python3 "$terminal" "$TARE" run --live --no-save --stop precision --precision 0.001% --max-time 80s --json doc "$(dirname "$TARE")/bench/spin 20000" "$(dirname "$TARE")/bench/spin 30000"
	for word in measured phase rounds time interval target 'limited by'; do
		grep -aq "^$word" <(shown)
	done
	[ "$(json doc 'd["stopped"]["reason"]')" = stopped ]
	[ "$(json doc 'len(d["subjects"][0]["metrics"]["wall"]["samples"]) > 0')" = True ]
	# The terminal is as it was, and a result that was stopped is read again.
	"$TARE" analyze doc >/dev/null
	# A line for each index, with the parts of the last round; for each pair of neighbours of a ranking.
	echo 'for i in 1 2 3 4 5 6 7; do echo 40,3; done; for i in $(seq 40); do echo $((90 + (i * 7 + $(date +%N | cut -c4-6 | sed "s/^0*//;s/^$/0/")) % 21)),$((i % 3)); done' >numbers.sh
	SEEN='MB/s ±;]  rate;stable' python3 "$terminal" "$TARE" run --live --no-save --max-time 80s --pi 'rate:MB/s:units:width=0.001%:column=1' --pi 'other:ms:units:watch:column=2' 'sh numbers.sh'
	grep -aEq '^interval .* MB/s ± .*, target ± .*\[[#.]{10}\]  rate' <(shown)
	grep -aEq '^            .* ms.*  other' <(shown)
	grep -aEq '^last round  rate: 47 readings, .*stable [0-9]+ %' <(shown)
	# Before there is a line for each pair, the pair that is furthest from the end is shown.
	SEEN=', open  ' python3 "$terminal" "$TARE" run --live --rank --no-save --margin 0.001% --max-time 80s "$spin 20000" "$spin 20001" "$spin 20002"
	[ "$(grep -aEc '^(interval|        ) .*, (open|same|faster|slower|decided)  .* against ' <(shown))" -ge 2 ]
	# Of several processes it is not known what they wait for.
	SEEN='limited by' python3 "$terminal" "$TARE" run --live --no-save --stop precision --precision 0.001% --max-time 80s 'sh -c "sleep 0.05; true"'
	grep -aEq '^limited by  waiting, for the CPU or something else: [0-9]+ % running, [0-9]+ % waiting$' <(shown)
	# Elsewhere than on a terminal nothing changes.
	"$TARE" run --live --progress none --no-save -r 3 "$(dirname "$TARE")/bench/spin 2000" >out 2>err </dev/null
	[ ! -s err ]
}

@test "long names: the table says where they differ; -v has them whole" {
	for version in 1.0 1.1; do
		mkdir -p "a-folder-with-a-long-name/releases/version-$version/bin"
		printf '#!/bin/sh\n# %s\n' $version >"a-folder-with-a-long-name/releases/version-$version/bin/tool"
		chmod +x "a-folder-with-a-long-name/releases/version-$version/bin/tool"
	done
	common="./a-folder-with-a-long-name/releases/version"
	run "$TARE" run -q --no-save -r 5 "$common-1.0/bin/tool --input data/large" "$common-1.1/bin/tool --input data/large"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^…version-1\.[01]… ' <<<"$output")" -eq 2 ]
	run "$TARE" run -q -v --no-save -r 5 "$common-1.0/bin/tool" "$common-1.1/bin/tool"
	[ "$(grep -c "^$common-1\.[01]/bin/tool" <<<"$output")" -ge 2 ]
}
