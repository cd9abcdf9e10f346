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
	# But not before the number that was asked for.
	run "$TARE" run --progress none --preset quick --min-runs 7 --json doc 'echo 5' --pi const::column=1
	[ "$status" -eq 0 ]
	[ "$(json doc 'len(m["const"]["samples"]), d["stopped"]["reason"]')" = "(7, 'precision')" ]
}

@test "an index of its own width, confidence and autocorrelation; one that is only watched" {
	run "$TARE" run --progress none -r 6 --json doc --latex tex --markdown md "awk -v seed=1 -f work" \
		--pi 'a:s:width=4%:confidence=90:ac=0.3:stderr:regex=total ([0-9.]+)' --pi 'b::watch:csv=const 5' --pi 'c::column=2' -i
	[ "$status" -eq 0 ]
	[ "$(json doc 'm["a"]["ci"]["level"], m["a"]["index"]["autocorrelation_limit"]')" = "(0.9, 0.3)" ]
	[ "$(json doc 'm["b"]["samples"][0]')" = "[None]" ]
	# They are in every form of the result.
	grep -q '^a & .* & arithmetic & ' tex
	grep -q '^| a .*| arithmetic ' md
}

@test "set-up is a phase of its own: in the document, the bar, the plot and the figure" {
	cat >warm <<-'EOF'
	BEGIN { srand(seed); for (i = 0; i < 200; i++) print (i < 10 ? 0 : i < 40 ? 60 : 100) + (i < 10 ? 0 : rand()) }
	EOF
	run "$TARE" run --progress none --ascii -r 3 --json doc --plot 'awk -v seed=3 -f warm' --pi 'rate:MB/s:units:column=1'
	[ "$status" -eq 0 ]
	[ "$(json doc 'm["rate.units"]["phases"][0]')" = "[40, 200, 10]" ]
	[[ "$output" == *"_....####"*"set-up 5 %, warm-up 15 %, stable 80 %"* ]]
	[[ "$output" == *"s set up  w warmed up"* ]]
	"$TARE" report doc --plot phases -o phases.svg
	grep -q 'set-up: 10 values' phases.svg
	grep -q 'warm-up: 30 values' phases.svg
	"$TARE" analyze doc --json again >/dev/null
	[ "$(python3 -c 'import json; print(json.load(open("again"))["subjects"][0]["metrics"]["rate.units"]["phases"][0])')" = "[40, 200, 10]" ]
}

@test "a session with unit readings is gone on with: readings, phases and failures of both" {
	cat >warm <<-'EOF'
	BEGIN { srand(seed); for (i = 0; i < 200; i++) print (i < 40 ? 60 : 100) + rand(); exit 3 }
	EOF
	index='rate:MB/s:units:column=1'
	"$TARE" run --progress none -w 0 -r 3 -i --json doc --pi "$index" 'awk -v seed=3 -f warm' >said
	"$TARE" run --progress none -w 0 -r 5 -i --append doc --json more --pi "$index" 'awk -v seed=3 -f warm' >said
	[ "$(json more '[len(run) for run in m["rate.units"]["samples"]], m["rate.units"]["phases"]')" = "([200, 200, 200, 200, 200], [[40, 200], [40, 200], [40, 200], [40, 200], [40, 200]])" ]
	[ "$(json more 'len(d["subjects"][0]["failures"]), len(m["rate"]["samples"])')" = "(5, 5)" ]
	[[ "$(cat said)" == *"5 of 5 runs failed"* ]]
	# A number of runs waits for nothing, also where it goes on.
	[ "$(json more 'm["rate"]["index"]["wanted"], [w["code"] for w in d["warnings"]].count("not-converged")')" = "(None, 0)" ]
	"$TARE" run --progress none -w 0 -r 3 -i --json plain 'awk -v seed=3 -f warm' >said
	run "$TARE" run --progress none -w 0 -r 5 -i --append plain --metric wall --pi "$index" 'awk -v seed=3 -f warm'
	[ "$status" -eq 2 ]
	[[ "$output" == *"no unit readings of 'rate'"* ]]
}

@test "phases by name" {
	for rule in auto edm none; do
		"$TARE" run --progress none -r 3 --phases $rule --json doc "awk -v seed=3 -f work" --pi 'rate:MB/s:units:regex=([0-9.]+) MB/s' >/dev/null
		[ "$(json doc 'm["rate.units"]["phases"][0]')" = "$([ $rule = none ] && echo '[0, 490]' || echo '[60, 460]')" ]
	done
	run "$TARE" run --phases other true
	[ "$status" -eq 2 ]
}

@test "subsessions of a session: the index that decided and its unit readings, without warm-up and cool-down" {
	"$TARE" run --progress none -r 4 --json doc "awk -v seed=3 -f work" --pi 'rate:MB/s:units:regex=([0-9.]+) MB/s' >/dev/null
	run "$TARE" analyze --subsessions doc
	[ "$status" -eq 0 ]
	[[ "$output" == *"  rate, subsessions"*", run 4  rate.units, subsessions"*" of 400 readings at a time"* ]]
	[[ "$output" != *"wall"* ]]
	run "$TARE" analyze --subsessions --metric wall doc
	[[ "$output" == *"  wall, subsessions"* && "$output" != *"rate"* ]]
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

@test "several commands have the kind of mean that was asked for, and a result that is analysed again keeps it" {
	run "$TARE" run --progress none -r 6 -w 0 -S default --json doc --pi 'x:MB/s:harmonic:column=1' --pi 'u:MB/s:units:harmonic:column=1' \
		--phases none 'echo x >>a; echo $(( 50 + 50 * ($(wc -l <a) % 2) ))' 'echo x >>b; echo $(( 50 + 50 * ($(wc -l <b) % 2) ))'
	[ "$status" -eq 0 ]
	"$TARE" analyze doc --json again
	for file in doc again; do
		[ "$(json $file '[round(m[k]["mean"], 3) for k in ("x", "u", "u.units")], m["u.units"]["index"]')" = \
			"([66.667, 66.667, 66.667], {'mean': 'harmonic'})" ]
	done
}

@test "independent runs and pairs are compared by the harmonic means that are shown" {
	for design in solo shuffled; do
		rm -f a b
		"$TARE" run --progress none -r 10 -w 0 -S default --design $design --metric x --json $design --pi 'x:MB/s:harmonic:column=1' \
			'echo x >>a; echo $(( 50 + 50 * ($(wc -l <a) % 2) ))' 'echo x >>b; echo $(( 69 + $(wc -l <b) % 2 ))' >$design.out
	done
	for design in solo shuffled; do
		[ "$(json $design 'round(d["comparisons"][0]["total"]["ratio"], 3), [w for w in d["warnings"] if w["code"] == "mean-kind"]')" = "(1.042, [])" ]
	done
}

@test "what decided is stored: the index of one command, not its time" {
	export XDG_DATA_HOME="$PWD/data"
	"$TARE" run --progress none -r 5 -w 0 -S default --json doc --pi 'x:MB/s:column=1' --pi 'y:MB/s:column=2' 'echo 5 6' >out
	[ "$(json doc 'd["stopped"]["metric"]')" = x ]
	run "$TARE" history list
	[[ "${lines[2]}" == *"echo 5 6"*" x "* ]]
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

@test "two commands with indices take 12 lines, and -v shows the tables" {
	two() {
		run "$TARE" run --progress none --no-save -w 0 -r 12 --metric lag --pi 'lag:s:column=1' --pi 'rate:ops/s:column=2' \
			--pi 'size:B:column=3' "$@" -n a 'echo 50 20 7' -n b 'echo 51 21 8'
	}
	two
	[ "${#lines[@]}" -le 12 ]
	[[ "$output" == *"rate: a 20.00 ops/s ± 0.0 %, b 21.00 ops/s ± 0.0 % (95 %)"*"size: a 7.000 B"* ]]
	[[ "$output" != *"95 % interval"* ]]
	two -v
	[[ "$output" == *"95 % interval"*"kind"* ]]
	run "$TARE" run --progress none --no-save -w 0 -r 5 --pi 'rate:ops/s:column=1' 'echo 20'
	[[ "$output" == *"95 % interval"* && "$output" != *"target"* ]]
	run "$TARE" run --progress none --no-save -w 0 --preset quick --pi 'rate:ops/s:column=1' 'echo 20'
	[[ "$output" == *"target"*"10 %"* ]]
}

@test "work amounts are doubled while rounds are too short; keys of the result" {
	run "$TARE" run --progress none --json doc --work 1:64:MB --min-round 1h -r 6 'echo {work}'
	[ "$status" -eq 0 ]
	[ "$(json doc '[x[0] for x in m["work"]["samples"]]')" = "[1, 2, 4, 8, 16, 32]" ]
	[ "$(json doc 'len(m["work"]["samples"]) == len(m["wall"]["samples"])')" = True ]
	[ "$(json doc 'd["subjects"][0]["work"]["unit"], d["subjects"][0]["work"]["speed_unit"], d["subjects"][0]["work"]["high"]')" = "('MB', 'MB/s', 64)" ]
	[ "$(json doc 'd["subjects"][0]["work"]["short_rounds"], d["subjects"][0]["work"]["speed"]')" = "(6, None)" ]
	# A range from 0 begins with the least that is some; a far upper end changes nothing.
	"$TARE" run --progress none --json doc --work 0:1000000000:MB --min-round 1h -r 6 'echo {work}' >/dev/null
	[ "$(json doc '[x[0] for x in m["work"]["samples"]]')" = "[1, 2, 4, 8, 16, 32]" ]
}

@test "predict: by a line, by unit readings, and what it refuses" {
	python3 - <<-'EOF'
	import json
	def metric(unit, values, **more):
	    return {"unit": unit, "better": "lower", "n": len(values), "samples": values, **more}
	def document(work, metrics):
	    return {"schema": "tare/1", "design": {"name": "solo", "levels": ["run", "iteration"]}, "stopped": {},
	            "subjects": [{"name": "x", "metrics": metrics, **work}]}
	amounts = [10 * i for i in range(1, 16)]
	wall = [[2 + w / 50 + (0.01 if i % 2 else -0.01)] for i, w in enumerate(amounts)]
	line = {"unit": "MB", "speed_unit": "MB/s", "shortest": 0, "speed": 50, "alpha": 2, "used": 15, "refused": None}
	metrics = {"wall": metric("s", wall), "work": metric("MB", [[w] for w in amounts])}
	json.dump(document({"work": line}, metrics), open("line.json", "w"))
	json.dump(document({"work": {**line, "refused": "no straight line", "instead": "a narrower range"}}, metrics), open("bent.json", "w"))
	units = [[0.5] * 10 + [0.1 + 0.001 * r] * 90 for r in range(6)]
	json.dump(document({}, {"wall": metric("s", [[3 + sum(u)] for u in units]), "t.units": metric("s", units, phases=[[10, 100]] * 6)}),
	          open("units.json", "w"))
	for name, unit in (("ms", "ms"), ("rows", "rows")):
	    thousands = [[1000 * x for x in u] for u in units]
	    json.dump(document({}, {"wall": metric("s", [[3 + sum(u)] for u in units]), "t.units": metric(unit, thousands, phases=[[10, 100]] * 6)}),
	              open(name + ".json", "w"))
	below = {**metrics, "wall": metric("s", [[w / 50 - 0.15] for w in amounts])}
	json.dump(document({"work": {**line, "alpha": -0.15}}, below), open("below.json", "w"))
	EOF
	run "$TARE" predict line.json --work 100 --work 300,1000 --json p.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"more than twice the largest amount"* ]]
	python3 -c "
import json
p = json.load(open('p.json'))
assert p['by'] == 'line' and len(p['predictions']) == 3
for q in p['predictions']:
    assert abs(q['seconds'] - 2 - q['work'] / 50) < 0.1 and q['low'] < q['seconds'] < q['high']
assert p['predictions'][2]['beyond'] and not p['predictions'][1]['beyond']"
	run "$TARE" predict units.json --work 200 --json -
	[ "$status" -eq 0 ]
	"$TARE" predict units.json --work 200 --json - 2>/dev/null | python3 -c "
import json, sys
q = json.load(sys.stdin)['predictions'][0]
want = sum(3 + 10 * (0.5 - y) + 200 * y for y in (0.1 + 0.001 * r for r in range(6))) / 6
assert abs(q['seconds'] - want) < 1e-9 and q['low'] < want < q['high']"
	"$TARE" predict units.json --work 200 --json in-s >/dev/null
	"$TARE" predict ms.json --work 200 --json in-ms >/dev/null
	python3 -c "
import json
s, ms = (json.load(open(name))['predictions'][0] for name in ('in-s', 'in-ms'))
assert all(abs(s[key] - ms[key]) < 1e-9 for key in ('seconds', 'low', 'high')), (s, ms)"
	run "$TARE" predict rows.json --work 200
	[ "$status" -eq 5 ]
	[[ "$output" == *"unit readings in 'rows' are neither times nor rates"* ]]
	run "$TARE" predict below.json --work 5
	[ "$status" -eq 5 ]
	[[ "$output" == *"nothing is known about so little work as 5"* ]]
	run "$TARE" predict bent.json --work 100
	[ "$status" -eq 5 ]
	[[ "$output" == *"no straight line"*"a narrower range"* ]]
	run "$TARE" predict line.json --work minus
	[ "$status" -eq 2 ]
	run "$TARE" predict line.json
	[ "$status" -eq 2 ]
	run "$TARE" predict line.json --work 5 --pi none
	[ "$status" -eq 5 ]
}

@test "results over work amounts are compared by the time of a unit, never by the mean of their rounds" {
	python3 - <<-'EOF'
	import json
	def document(name, speed, **more):
	    def metric(unit, values):
	        return {"unit": unit, "better": "lower", "n": len(values), "samples": [[x] for x in values]}
	    rounds = [0.4 + 0.01 * (i * 7 % 20) for i in range(20)]
	    line = {"unit": "MB", "speed_unit": "MB/s", "metric": "cpu", "speed": speed, "alpha": 0, "rounds": 20, "used": 20, "refused": None,
	            "speed_ci": {"level": 0.95, "low": speed * 0.99, "high": speed * 1.01}, **more}
	    json.dump({"schema": "tare/1", "design": {"name": "solo", "levels": ["run", "iteration"]}, "stopped": {},
	               "subjects": [{"name": "x", "work": line, "metrics": {
	                   "wall": metric("s", rounds), "cpu": metric("s", rounds), "work": metric("MB", [speed * t for t in rounds])}}]},
	              open(name, "w"))
	document("old", 20000)
	document("new", 10000)
	document("bent", 10000, refused="no straight line")
	EOF
	run "$TARE" compare old new --gate 20% --json doc --csv table
	[ "$status" -eq 3 ]
	[[ "$output" == *"2.0"*" times slower"*"20 runs each"* ]]
	[[ "$output" != *"of each would give"* ]]
	[ "$(json doc '[(c["metric"], abs(c["total"]["ratio"] - 2) < 1e-6) for c in d["comparisons"]]')" = "[('cpu', True)]" ]
	grep -q '^new,cpu,s,,,' table
	run "$TARE" compare new old --gate 20%
	[ "$status" -eq 0 ]
	run "$TARE" compare old bent --gate 20%
	[ "$status" -eq 4 ]
	[[ "$output" == *"one of them has no line"* ]]
	run "$TARE" compare old new --metric wall --gate 20%
	[ "$status" -eq 4 ]
	[[ "$output" == *"no mean"* ]]
}

@test "work: a command without {work}, a bad range, one that fails half-way, one that ignores its work" {
	run "$TARE" run --work 1:10 'sleep 0'
	[ "$status" -eq 2 ]
	[[ "$output" == *"{work}"* ]]
	run "$TARE" run --work 10:1 'sleep {work}'
	[ "$status" -eq 2 ]
	run "$TARE" run --min-round 1s 'sleep 1'
	[ "$status" -eq 2 ]
	run "$TARE" run --progress none --json doc --work 1:1000 --min-round 1h -S default 'test {work} -lt 16'
	[ "$status" -eq 5 ]
	[ "$(json doc '[x[0] for x in m["work"]["samples"]], d["stopped"]["reason"]')" = "([1, 2, 4, 8], 'failed')" ]
	# It ignores its work: no speed, and a message; at this level chance does not make one.
	run "$TARE" run --progress none --json doc --confidence 99.999 --work 1:1000 --min-round 1us -r 30 'echo {work}'
	[ "$status" -eq 0 ]
	[[ "$output" == *"grow"*"work amount"* ]]
	[ "$(json doc '"grow" in d["subjects"][0]["work"]["refused"], d["subjects"][0]["work"]["instead"] is not None')" = "(True, True)" ]
	[ "$(json doc 'len(m["work"]["samples"]), len(m["wall"]["samples"])')" = "(30, 30)" ]
}

# What goes wrong in the fifth run; those before it are kept. trouble KEPT COMMAND MESSAGE [OPTION …]
trouble() {
	local kept=$1 command=$2 message=$3
	shift 3
	rm -f log doc
	run "$TARE" run --progress none --json doc -w 0 -r 12 -S default --pi 'x::units:csv=rate' "$@" \
		"echo run >>log; if [ \$(wc -l <log) -lt 5 ]; then printf 'time,rate\n1,2\n3,4\n'; else $command; fi"
	[ "$status" -eq 5 ]
	[[ "$output" == *"$message"* ]]
	[ "$(json doc "m['x.units']['samples'] == $kept * [[2, 4]], d['stopped']['reason']")" = "(True, 'failed')" ]
}

@test "trouble half-way: nothing, garbage, other columns, an exit code, a signal; what was measured is kept" {
	# The first run is a trial.
	trouble 3 ':' "it is empty"
	trouble 3 'head -c 300 /dev/urandom' "no number for 'x'"
	trouble 3 'printf "time,speed\n1,2\n"' "begins with 'time,speed'"
	trouble 3 'printf "time,rate\n1,fast\n"' "no number for 'x'"
	trouble 3 'exit 3' "exit 3"
	trouble 3 'kill -9 $$' "signal 9"
	# The same where tare chooses the work.
	trouble 4 ': {work}' "it is empty" --work 1:2 --min-round 1us
	trouble 4 'exit 3 {work}' "exit 3" --work 1:2 --min-round 1us
}

@test "work: hooks see the amount, the metric is a time, monitor and disturbance are recorded" {
	run "$TARE" run --progress none --json doc --work 1:64 --min-round 1us -r 6 --monitor --metric cpu --prepare 'echo {work} >>before' \
		--conclude 'echo {work} >>after' 'echo {work}'
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["subjects"][0]["work"]["metric"], d["disturbance"] is not None, d["monitoring"] is not None')" = "('cpu', True, True)" ]
	# One round that is not kept shows the monitor what the command uses.
	[ "$(json doc '[1] + [x[0] for x in m["work"]["samples"]]')" = "[$(paste -sd, before | sed 's/,/, /g')]" ]
	cmp before after
	run "$TARE" run --work 1:64 --metric rss 'echo {work}'
	[ "$status" -eq 2 ]
	[[ "$output" == *"a metric that is a time"* ]]
}

@test "work amounts with unit readings grow until a round has enough of them" {
	run "$TARE" run --progress none --json doc --work 1:1000 --min-round 1us -r 6 'seq {work}' --pi 'n::units:column=1' --phases none
	[ "$status" -eq 0 ]
	[ "$(json doc '[len(x) for x in m["n.units"]["samples"]] == [x[0] for x in m["work"]["samples"]]')" = True ]
	[ "$(json doc '[x[0] for x in m["work"]["samples"]][:3]')" = "[1, 5, 15]" ]
}

@test "readings that are gone on with get an interval for looks, and so do ranks" {
	python3 - <<-'EOF'
	import json
	samples = [[30 + 0.01 * (i * 7 % 10)] for i in range(20)]
	json.dump({"schema": "tare/1", "design": {"name": "solo", "levels": ["run", "iteration"]}, "stopped": {},
	           "subjects": [{"name": "old", "metrics": {"x": {"unit": "MB/s", "better": "higher", "n": 20, "samples": samples}}}]},
	          open("old.json", "w"))
	EOF
	x='x:MB/s:column=1'
	command='echo run >>log; echo $((30 + $(wc -l <log) % 2))' # 30, 31, 30, …
	width='d["comparisons"][0]["ci"]["high"] - d["comparisons"][0]["ci"]["low"]'
	"$TARE" run --progress none -w 0 -r 12 --json once -S default --pi "$x" "$command" >said
	"$TARE" run --progress none -w 0 -r 6 --json half -S default --pi "$x" "$command" >said
	"$TARE" run --progress none -w 0 -r 12 --append half --json twice -S default --pi "$x" "$command" >said
	[ "$(json once 'm["x"]["ci"]["method"]')" = "t over 12 runs" ]
	[ "$(json twice 'm["x"]["ci"]["method"], len(m["x"]["samples"])')" = "('precision stop over 12 runs', 12)" ]
	"$TARE" run --progress none --rank --with old.json -w 0 -r 12 --json once -S default --pi "$x" "$command" >said
	"$TARE" run --progress none --rank --with old.json -w 0 -r 12 --append half --json twice -S default --pi "$x" "$command" >said
	[ "$(python3 -c "print($(json twice "$width") > 1.3 * $(json once "$width"))")" = True ]
}

@test "one reading has no interval" {
	run "$TARE" run --progress none -r 1 --json doc --pi 'x:MB/s:column=1' 'echo 5.5'
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["subjects"][0]["metrics"]["x"]["ci"]')" = None ]
}

@test "rank: best first, neighbours compared" {
	run "$TARE" run --progress none --rank -r 20 --json doc --design shuffled --seed 2 -S default --pi 'x:MB/s:column=1' \
		-n slow 'echo 10.$RANDOM$$' -n fast 'echo 90.$$' -n middle 'echo 50.$$' -n fast2 'echo 90.$$'
	[ "$status" -eq 0 ]
	[[ "$output" == *"best first: "*"middle > slow"* ]]
	[ "$(json doc 'd["ranking"][2:]')" = "['middle', 'slow']" ]
	[ "$(json doc 'sorted(d["ranking"][:2])')" = "['fast', 'fast2']" ]
	[ "$(json doc '[(c["base"], c["new"]) for c in d["comparisons"]] == list(zip(d["ranking"], d["ranking"][1:]))')" = True ]
	# By widths instead of verdicts.
	"$TARE" run --progress none --rank --stop precision --precision 20% --json doc -n slow 'sleep 0.03' -n fast 'sleep 0.01' >/dev/null
	[ "$(json doc 'd["ranking"], d["stopped"]["reason"]')" = "(['fast', 'slow'], 'precision')" ]
	# One that never gives a number is the last, whichever way is better.
	for unit in MB/s s; do
		run "$TARE" run --progress none --rank -i -w 0 -r 4 --json doc --design shuffled -S default --pi "x:$unit:column=1" \
			-n silent : -n low 'echo 10' -n high 'echo 90'
		[ "$status" -eq 0 ]
		[ "$(json doc 'd["ranking"]')" = "$([ $unit = s ] && echo "['low', 'high', 'silent']" || echo "['high', 'low', 'silent']")" ]
	done
	run "$TARE" run --rank 'echo 1'
	[ "$status" -eq 2 ]
	# Rounds of different work have no mean to rank by, also against another day's.
	echo '{"results": [{"command": "old", "times": [1, 1.1, 1.2]}]}' >old.json
	run "$TARE" run --no-save --progress none --work 1:8 --min-round 1h -r 4 --rank --with old.json 'echo {work}'
	[ "$status" -eq 2 ]
	[[ "$output" == *"leave out"*"--rank"* ]]
	run "$TARE" run --rank --gate 2% true false
	[ "$status" -eq 2 ]
}

@test "rank: many comparisons are all pairs, not the neighbours alone" {
	# b is above a by 4.0 standard errors of their pairs: p = 0.0021 of the total, which has half of alpha: enough for one
	# comparison, not for one of three.
	b='echo run >>of_b; set -- 102.2885 100.1455 102.0945 100.2715; shift $(($(wc -l <of_b) % 4)); echo $1'
	c='echo run >>of_c; [ $(($(wc -l <of_c) % 2)) = 0 ] && echo 81.5 || echo 121.5'
	options="--progress none --rank -w 0 -r 12 --design shuffled --pi x:s:column=1 --json doc -S default"
	"$TARE" run $options -n a 'echo 100' -n b "$b" >said
	[ "$(json doc '[c["verdict"] for c in d["comparisons"]]')" = "['slower']" ]
	"$TARE" run $options -n a 'echo 100' -n b "$b" --confidence 99.5 >said
	[ "$(json doc '[c["verdict"] for c in d["comparisons"]]')" = "['slower']" ]
	"$TARE" run $options -n a 'echo 100' -n b "$b" -n c "$c" >said
	[ "$(json doc '[(c["base"], c["new"], c["verdict"]) for c in d["comparisons"]]')" = "[('a', 'b', 'undecided'), ('b', 'c', 'undecided')]" ]
	[[ "$(json doc 'd["comparisons"][0]["unresolved"]')" == *" includes 0 %"* ]]
}

@test "rank --welch: harmonic means are compared as such" {
	cat >rate <<-'END'
		#!/bin/sh
		n=$(cat "count.$1" 2>/dev/null || echo 0)
		echo $((n + 1)) >"count.$1"
		case $1$((n % 2)) in even*) echo 3.$n ;; odd0) echo 1.$n ;; odd1) echo 9.$n ;; esac
	END
	chmod +x rate
	"$TARE" run --rank --welch --progress none --no-save -r 8 -w 0 --pi 'rate:MB/s:higher:harmonic:column=1' --json doc './rate odd' './rate even' >/dev/null
	[ "$(json doc '[d["subjects"][c["new_index"]]["name"] for c in d["comparisons"]]')" = "['./rate odd']" ]
	[ "$(json doc 'abs(d["comparisons"][0]["ratio"] * d["subjects"][1]["metrics"]["rate"]["mean"] / d["subjects"][0]["metrics"]["rate"]["mean"] - 1) < 1e-6')" = True ]
}

@test "rank: results of another day take part, as independent means; Welch's test for all" {
	python3 - <<-'EOF'
	import json
	samples = [[30 + 0.01 * (i * 7 % 10)] for i in range(20)]
	json.dump({"schema": "tare/1", "design": {"name": "solo", "levels": ["run", "iteration"]}, "stopped": {},
	           "subjects": [{"name": "old", "metrics": {"x": {"unit": "MB/s", "better": "higher", "n": 20, "samples": samples}}}]},
	          open("old.json", "w"))
	EOF
	run "$TARE" run --progress none --rank --with old.json -r 20 --json doc --design shuffled --seed 2 -S default --pi 'x:MB/s:column=1' \
		-n slow 'echo 10.$$' -n fast 'echo 90.$$'
	[ "$status" -eq 0 ]
	[[ "$output" == *"best first: fast > old (earlier) > slow"* ]]
	[ "$(json doc 'd["ranking"]')" = "['fast', 'old (earlier)', 'slow']" ]
	[ "$(json doc '[(c["base"], c["new"], c["verdict"], c["pairs"]) for c in d["comparisons"]]')" = \
		"[('fast', 'old (earlier)', 'slower', 0), ('old (earlier)', 'slow', 'slower', 0)]" ]
	# Of builds the build is the unit.
	python3 - <<-'EOF'
	import json
	samples = [[[30 + 0.01 * (i * 7 % 10) + 0.001 * k] for k in range(5)] for i in range(10)]
	json.dump({"schema": "tare/1", "design": {"name": "solo", "levels": ["build", "run", "iteration"]}, "stopped": {},
	           "subjects": [{"name": "built", "metrics": {"x": {"unit": "MB/s", "better": "higher", "n": 50, "samples": samples}}}]},
	          open("built.json", "w"))
	EOF
	run "$TARE" run --progress none --rank --with built.json -r 20 --json doc --design shuffled --seed 2 -S default --pi 'x:MB/s:column=1' \
		-n slow 'echo 10.$$' -n fast 'echo 90.$$'
	[ "$status" -eq 0 ]
	[[ "$output" == *"best first: fast > built (earlier) > slow"* ]]
	# One command against old ones.
	run "$TARE" run --progress none --rank --with old.json --json doc -S default --pi 'x:MB/s:column=1' -n new 'echo 90.$$'
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["ranking"], d["comparisons"][0]["verdict"], d["stopped"]["reason"]')" = "(['new', 'old (earlier)'], 'slower', 'verdict')" ]
	[ "$(json doc 'round(d["comparisons"][0]["ci"]["level"], 9)')" = 0.99 ]
	run "$TARE" run --progress none --rank --welch -r 12 --json doc --design shuffled -S default --pi 'x:MB/s:column=1' \
		-n slow 'echo 10.$$' -n fast 'echo 90.$$'
	[ "$status" -eq 0 ]
	[ "$(json doc 'd["ranking"], d["comparisons"][0]["pairs"], d["comparisons"][0]["verdict"]')" = "(['fast', 'slow'], 0, 'slower')" ]
	run "$TARE" run --with old.json true false
	[ "$status" -eq 2 ]
	run "$TARE" run --rank --with old.json true
	[ "$status" -eq 2 ]
	[[ "$output" == *"has no metric 'wall'"* ]]
}

@test "work: the time of a round may be a number that the command prints" {
	run "$TARE" run --progress none --no-save --work 1:64:MB --min-round 1ms -r 12 --pi 't:s:column=2' --metric t --json doc \
		"awk -v w={work} 'BEGIN { print w, 0.5 + w / 20 }'"
	[ "$status" -eq 0 ]
	[ "$(json doc '"{speed:.6f} {alpha:.6f}".format(**d["subjects"][0]["work"])')" = "20.000000 0.500000" ]
	run "$TARE" run --work 1:64:MB --pi 'n:MB:column=1' --metric n "echo {work}"
	[ "$status" -eq 2 ]
	[[ "$output" == *"work amounts need a metric that is a time, not 'n'"* ]]
}

@test "work: several commands, each with amounts of its own, compared by the time of a unit of work" {
	run "$TARE" run --progress none --json doc --metric cpu --work 1:64 --min-round 1us -r 12 -n one 'echo {work}' -n two 'printf {work}' 
	[ "$status" -eq 0 ]
	[[ "$output" == *"compared by the time of a unit of work"* ]]
	[ "$(json doc '[len(s["metrics"]["work"]["samples"]) for s in d["subjects"]]')" = "[12, 12]" ]
	[ "$(json doc '[(c["base"], c["new"], c["metric"], c["pairs"]) for c in d["comparisons"]]')" = "[('one', 'two', 'cpu', 0)]" ]
	# None begins a round that the time no longer holds, whoever used the time.
	"$TARE" run --progress none --json doc --work 1:64 --min-round 1h --max-time 590ms -S default 'sleep 0.2; : {work}' 'sleep 0.2 ; : {work}' >said
	[ "$(json doc '[len(s["metrics"]["work"]["samples"]) for s in d["subjects"]], d["stopped"]["reason"]')" = "([1, 1], 'budget')" ]
	run "$TARE" run --work 1:64 'echo {work}' 'echo none'
	[ "$status" -eq 2 ]
	run "$TARE" run --work 1:64 --rank 'echo {work}' 'printf {work}'
	[ "$status" -eq 2 ]
}

@test "overhead of unit readings: pairs with and without, told by the environment" {
	run "$TARE" run --progress none -r 3 -w 0 --overhead --json doc -S default --pi 'x::units:column=1' \
		'echo $TARE_READINGS >>log; [ $TARE_READINGS = 0 ] || seq 40'
	[ "$status" -eq 0 ]
	[[ "$output" == *"unit readings cost "*"10 pairs"* ]]
	[ "$(grep -c 0 log)" -eq 10 ]
	[ "$(grep -c 1 log)" -eq 14 ]
	[ "$(json doc 'd["subjects"][0]["overhead"]["pairs"], len(m["x"]["samples"])')" = "(10, 3)" ]
	# A time that was given holds for it too.
	rm log
	run "$TARE" run --progress none -r 1 -w 0 --max-time 250ms --overhead --json doc -S default --pi 'x::units:column=1' \
		'echo $TARE_READINGS >>log; sleep 0.1; seq 40'
	[ "$status" -eq 0 ]
	[ "$(json doc '[w["text"] for w in d["warnings"] if w["code"] == "overhead"]')" = "['what unit readings cost was not measured: no time was left for it (--max-time)']" ]
	[ "$(wc -l <log)" -le 2 ] # a busy machine may have the time for a trial run alone, which is then kept
	[ "$(json doc 'd["subjects"][0].get("overhead")')" = None ]
	run "$TARE" run --overhead true
	[ "$status" -eq 2 ]
}

@test "what a user of Pilot types is answered with the line to type" {
	run "$TARE" run_program --preset quick -- true
	[ "$status" -eq 2 ]
	[[ "$output" == *"did you mean 'tare run'?"* ]]
	for pi in throughput,MB/s,0,1,1 'a,MB/s,0,1,1:b,MB/s,1,1,1'; do
		run "$TARE" run --preset quick --pi "$pi" true
		[ "$status" -eq 2 ]
		[[ "$output" == *"'rate:MB/s:harmonic:column=1'"* ]]
	done
	for option in --work-amount=1,9 --wps --ci-perc=0.1 --confidence-level=0.9 --ac=0.1 --session-limit=9 --valid-rc=1 --env=A=1; do
		run "$TARE" run "$option" true
		[ "$status" -eq 2 ]
		[[ "$output" != *"lists the options"* ]]
	done
	seq 50 | awk '{ print 100 + $1 * 7919 % 13 }' >readings
	run "$TARE" analyze --changes readings
	[ "$status" -eq 0 ]
	[ "$output" = "no change shown in 50 values" ]
	run "$TARE" run --no-save --preset normal --max-time 300ms --pi 'x:s:regex=([0-9]+)' -S default 'echo 1$$'
	[[ "$output" == *"next: a longer --max-time; "* ]]
}
