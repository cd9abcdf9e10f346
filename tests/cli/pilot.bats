#!/usr/bin/env bats
# Sessions of performance indices, work amounts, predictions. Bookkeeping, words and exit codes; never how fast something was.

setup() {
	cd "$BATS_TEST_TMPDIR"
	# unit readings: 60 low, 400 high, 30 low; a constant and a reading on standard error
	cat >work <<-'EOF'
	BEGIN {
		srand(seed)
		for (i = 0; i < 490; i++) printf "%.3f MB/s\n", (i < 60 ? 50 : i < 460 ? 100 : 60) + 2 * rand()
		print "const 5"
		printf "total %.3f\n", 10 + rand() > "/dev/stderr"
	}
	EOF
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); m = d['subjects'][0]['metrics']; print(($2))" "$1"
}

@test "readings and unit readings of one run, all judged at once" {
	run "$TARE" run --progress none --preset quick --seed 1 --json doc "awk -v seed=3 -f work" \
		--pi 'rate:MB/s:units:harmonic:regex=([0-9.]+) MB/s' --pi 'total:s:stderr:regex=total ([0-9.]+)' --pi 'const::column=2'
	[ "$status" -eq 0 ]
	[[ "$output" == *"warm-up 12 %, stable 82 %, cool-down 6 %"* ]]
	[[ "$output" == *"harmonic"* ]]
	[ "$(json doc 'm["rate.units"]["phases"][0]')" = "[60, 460]" ]
	[ "$(json doc 'len(m["rate.units"]["samples"][0])')" = 490 ]
	[ "$(json doc '100 < m["rate"]["mean"] < 102')" = True ]
	[ "$(json doc 'm["rate"]["index"]["mean"], m["rate"]["index"]["wanted"]')" = "('harmonic', 0.1)" ]
	# The same numbers every time: equal readings end the session after five runs.
	[ "$(json doc 'len(m["total"]["samples"]), d["stopped"]["reason"]')" = "(5, 'precision')" ]
	[ "$(json doc 'm["const"]["mean"], m["const"]["ci"]["low"], m["const"]["ci"]["high"]')" = "(5, 5, 5)" ]
}

@test "an index of its own width, confidence and autocorrelation; one that is only watched" {
	run "$TARE" run --progress none -r 6 --json doc "awk -v seed=1 -f work" \
		--pi 'a:s:width=4%:confidence=90:ac=0.3:stderr:regex=total ([0-9.]+)' --pi 'b::watch:csv=const 5' --pi 'c::column=2' -i
	[ "$status" -eq 0 ]
	[ "$(json doc 'm["a"]["ci"]["level"], m["a"]["index"]["autocorrelation_limit"]')" = "(0.9, 0.3)" ]
	[ "$(json doc 'm["b"]["samples"][0]')" = "[None]" ]
}

@test "phases by name" {
	for rule in auto edm none; do
		"$TARE" run --progress none -r 3 --phases $rule --json doc "awk -v seed=3 -f work" --pi 'rate:MB/s:units:regex=([0-9.]+) MB/s' >/dev/null
		[ "$(json doc 'm["rate.units"]["phases"][0]')" = "$([ $rule = none ] && echo '[0, 490]' || echo '[60, 460]')" ]
	done
	run "$TARE" run --phases other true
	[ "$status" -eq 2 ]
}

@test "numbers through a file and through a named pipe" {
	run "$TARE" run --progress none -r 4 --json doc -S default 'for i in 1 2 3; do echo $i,7; done >out.csv; seq 5 >pipe' \
		--pi 'f::units:file=out.csv:column=1' --pi 'second::file=out.csv:column=2' --pi 'p::units:fifo=pipe:column=1'
	[ "$status" -eq 0 ]
	[ "$(json doc 'm["f.units"]["samples"][0]')" = "[1, 2, 3]" ]
	[ "$(json doc 'm["second"]["mean"]')" = 7 ]
	[ "$(json doc 'm["p.units"]["samples"][3]')" = "[1, 2, 3, 4, 5]" ]
	[ ! -e pipe ]
}

@test "a command that prints nothing, garbage, or other columns half-way: said, and what was measured is kept" {
	run "$TARE" run --progress none --pi 'x::column=1' true
	[ "$status" -eq 5 ]
	[[ "$output" == *"its output has no number for 'x'"*"it is empty"* ]]
	run "$TARE" run --progress none --pi 'x::csv=rate' 'head -c 3000 /dev/urandom'
	[ "$status" -eq 5 ]
	[[ "$output" == *"no number for 'x'"* ]]
	run "$TARE" run --progress none --json doc -w 0 -r 12 -S default --pi 'x::csv=rate' \
		'echo run >>log; if [ $(wc -l <log) -lt 6 ]; then printf "time,rate\n1,$(wc -l <log)\n"; else printf "time,speed\n1,2\n"; fi'
	[ "$status" -eq 5 ]
	[[ "$output" == *"begins with 'time,speed'"* ]]
	[ "$(json doc 'm["x"]["samples"], d["stopped"]["reason"]')" = "([[2], [3], [4], [5]], 'failed')" ]
	run "$TARE" run --progress none -r 3 --pi 'x::units:file=none:column=1' true
	[ "$status" -eq 5 ]
	[[ "$output" == *"it wrote nothing to 'none'"* ]]
}

@test "a harmonic mean of readings that hold a zero has no value, and says so" {
	run "$TARE" run --progress none -r 5 -w 0 -S default --pi 'x:MB/s:harmonic:column=1' 'echo x >>n; echo $(( $(wc -l <n) - 2 ))'
	[ "$status" -eq 0 ]
	[[ "$output" == *"there is no harmonic mean: a value is not positive"* ]]
}

@test "successes and failures are a proportion" {
	run "$TARE" run --progress none -r 30 --json doc --pi 'ok::column=1' 'echo 1'
	[ "$status" -eq 0 ]
	[ "$(json doc '0.88 < m["ok"]["ci"]["low"] < 0.89 and m["ok"]["ci"]["high"] == 1')" = True ]
}
