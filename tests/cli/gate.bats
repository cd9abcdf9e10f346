#!/usr/bin/env bats
# Only what was measured whole can hold a gate, and every output says what the exit code says.

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print(($2))" "$1"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	spin="$(dirname "$TARE")/bench/spin"
	python3 - <<-'PY'
	import json, random
	random.seed(4)
	def times(mean, n=30):
	    return [random.gauss(mean, mean / 1000) for _ in range(n)]
	def hyperfine(name, *entries):
	    json.dump({"results": [dict({"command": "work", "exit_codes": [0] * 30}, **e) for e in entries]}, open(name, "w"))
	hyperfine("old.json", {"times": times(1)})
	hyperfine("held.json", {"times": times(1)})
	hyperfine("broken.json", {"times": times(1.2)})
	hyperfine("open.json", {"times": [random.gauss(1.02, 0.05) for _ in range(30)]})
	hyperfine("exits.json", {"times": times(0.8), "exit_codes": [1] * 30})
	hyperfine("signals.json", {"times": times(0.8), "exit_codes": [0] * 29 + [None]})
	hyperfine("short.json", {"times": times(0.8), "exit_codes": [0] * 28})
	hyperfine("none.json", {"times": times(0.8), "exit_codes": []})
	hyperfine("zero.json", {"times": [0.0] * 30})
	hyperfine("lost.json", {"times": [None] * 20 + times(1, 10)})
	hyperfine("twice.json", {"times": times(1)}, {"times": times(5)})
	hyperfine("two.json", {"times": times(1)}, {"times": times(1)})
	with open("infinite.json", "w") as out:
	    out.write(open("lost.json").read().replace("null", "1e999"))
	for name, mean in ("table.csv", 1), ("infinite.csv", 1):
	    with open(name, "w") as out:
	        print("subject,value,unit", file=out)
	        for i in range(30):
	            print(f"work,{'inf' if name[0] == 'i' and i < 20 else random.gauss(mean, 0.001)},s", file=out)
	def google(name, failing):
	    json.dump({"context": {}, "benchmarks": [dict({"name": "BM", "run_name": "BM", "run_type": "iteration",
	        "repetitions": 30, "repetition_index": i, "iterations": 9, "real_time": random.gauss(100, 0.1),
	        "cpu_time": 100, "time_unit": "ns"}, **({"error_occurred": True, "error_message": "boom"} if i < failing
	        else {})) for i in range(30)]}, open(name, "w"))
	google("google.json", 0)
	google("google-failed.json", 24)
	for name, mark in ("marked-by-text.json", "true"), ("marked-by-number.json", 1):
	    d = json.load(open("google.json"))
	    d["benchmarks"][3]["error_occurred"] = mark
	    json.dump(d, open(name, "w"))
	def table(name, codes):
	    with open(name, "w") as out:
	        print("name,wall (s),Exit code", file=out)
	        for code in codes:
	            print(f"work,{random.gauss(1, 0.001)},{code}", file=out)
	def pairs(name, slow, times, rare=0):
	    with open(name, "w") as out:
	        print("name,pair,wall (s)", file=out)
	        for i in range(1500):
	            disturbed = 10 if random.random() < rare else 1
	            print(f"work,{i},{random.gauss(1, 0.01) * disturbed * (times if random.random() < slow else 1)}", file=out)
	pairs("even.csv", 0, 1)
	pairs("tail.csv", 0.04, 3)
	pairs("rare.csv", 0, 1, 0.03)
	pairs("rare-and-slow.csv", 0.15, 1.3, 0.03)
	table("exits-none.csv", [0] * 30)
	table("exits-some.csv", [0] * 18 + [3] * 12)
	table("exits-empty.csv", [0] * 28 + ["", "SIGSEGV"])
	def words(name, header, words):
	    with open(name, "w") as out:
	        print(f"name,wall (s),{header}", file=out)
	        for word in words:
	            print(f"work,{random.gauss(1, 0.001)},{word}", file=out)
	words("status-fine.csv", "status", ["ok", "passed", "", "COMPLETED", "0"] * 6)
	for header in "status", "State", "outcome", "result":
	    words(f"words-{header}.csv", header, ["ok"] * 25 + ["failed", "Failure", "timed out", "KILLED", "crashed"])
	words("status-strange.csv", "status", ["ok"] * 29 + ["purple"])
	words("status-mixed.csv", "status", ["ok"] * 28 + ["purple", "error"])
	for header in "status", "outcome", "state", "result":
	    words(f"all-dnf-{header}.csv", header, ["dnf"] * 30)
	    words(f"some-dnf-{header}.csv", header, ["dnf", "ok"] * 15)
	words("warm.csv", "state,success", ["warm,true", "cold,true"] * 15)
	words("codes-first.csv", "status", [139, 0, 1] * 10)
	words("codes-later.csv", "status", [0, 1, 139] * 10)
	words("codes-http.csv", "status", [200, 201, 204] * 10)
	words("result-numbers.csv", "result", [5] * 30)
	for header, good, bad in ("success", "true", "false"), ("OK", "yes", "no"), ("passed", "True", "False"), ("failed", "no", "yes"), \
	        ("timed_out", "False", "True"), ("rc", 0, 1), ("retcode", 0, 1), ("crashed", 0, 1), ("success-number", 1, 0), \
	        ("timeout", "false", "true"), ("is_error", 0, 3), ("OOM-killed", "FALSE", "TRUE"), ("valid", "true", "false"):
	    column = header.removesuffix("-number")
	    words(f"flag-{header}-good.csv", column, [good] * 30)
	    words(f"flag-{header}-bad.csv", column, [good] * 27 + [bad] * 3)
	words("numbers.csv", "timeout,error", ["1,0.2"] * 30)
	words("two-flags.csv", "crashed,timed_out", ["0,0"] * 29 + ["0,1"])
	with open("successes.csv", "w") as out:
	    print("name,success", *("work,1" for _ in range(30)), sep="\n", file=out)
	for name, value in ("plain.txt", None), ("zeros.txt", 0):
	    with open(name, "w") as out:
	        for _ in range(30):
	            print(random.gauss(1, 0.001) if value is None else value, file=out)
	PY
}

# CODE STATE WORDS TARE-ARGUMENTS…: the exit code, and that every output agrees with it
all_outputs() {
	local code=$1 state=$2 words=$3
	shift 3
	rm -f d.json t.md j.xml p.html
	run "$TARE" "$@" --gate 2% --json d.json --markdown t.md --junit j.xml --html p.html
	echo "$output"
	[ "$status" -eq "$code" ]
	[[ "${lines[-1]}" == "verdict: "*" gate=$state limit=2%"* ]]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"the gate of 2 % "*"$words"* ]]
	[ "$(python3 -c 'import json; print(json.load(open("d.json"))["gate"]["state"])')" = "$state" ]
	grep -qF "the gate of 2 % " t.md
	grep -qF "$words" t.md
	grep -qF '<p class="gate">the gate of 2' p.html
	grep -qF "$words" p.html
	if [ "$code" -eq 0 ]; then
		grep -q '<testsuites.* failures="0" errors="0"' j.xml
	elif [ "$code" -eq 3 ]; then
		grep -q '<testsuites.* failures="1" errors="0"' j.xml
	else
		grep -q '<testsuites.* failures="0" errors="[1-9]' j.xml
	fi
}

@test "every output agrees with the exit code: files" {
	all_outputs 0 held held compare old.json held.json
	all_outputs 3 broken "is broken" compare old.json broken.json
	all_outputs 4 open "stays open" compare old.json open.json
	all_outputs 5 failed "30 of 30 runs failed (exit 1)" compare old.json exits.json
	all_outputs 5 failed "30 of 30 values of wall are times of 0 or below" compare old.json zero.json
	all_outputs 4 open "20 of 30 values of wall are infinite or not numbers" compare old.json lost.json
}

@test "every output agrees with the exit code: commands" {
	all_outputs 3 broken "is broken" run --no-save -r 8 --metric cpu "$spin 400000" "$spin 4000000"
	all_outputs 0 held held run --no-save -r 8 --metric cpu "$spin 4000000" "$spin 400000"
	all_outputs 5 failed "8 of 8 runs failed (exit 1)" run --no-save -i -r 8 true false
	all_outputs 5 failed "(signal 11" run --no-save -i -r 8 --shell default true 'kill -SEGV $$'
}

@test "every output agrees with the exit code: a failure ends it" {
	all_outputs 5 failed "exit 1 in run" run --no-save -r 8 true false
	cat >sometimes <<-'SH'
	#!/bin/sh
	echo >>count
	test "$(wc -l <count)" -lt 8
	SH
	chmod +x sometimes
	all_outputs 5 failed "exit 1 in run" run --no-save -r 12 true ./sometimes
}

@test "every output agrees with the exit code: there is nothing to compare" {
	sed 's/"work"/"other"/g' two.json >other.json
	all_outputs 5 failed "no benchmark is in both" compare two.json other.json
	all_outputs 5 failed "matches the filter" compare old.json held.json --filter nothing
	all_outputs 5 failed "there is no metric" compare old.json held.json --metric none
	all_outputs 5 failed "there is no such program" run --no-save /missing/program true
	all_outputs 5 failed "nothing was saved" run --baseline main true
	"$TARE" run --quiet -r 3 true
	all_outputs 5 failed "there is no baseline" run --baseline main true
	all_outputs 5 failed "there is no baseline" compare --baseline main old.json
	all_outputs 1 failed "missing.json" run --append missing.json true true
	[ "$("$TARE" history list | grep -c '^@')" -eq 1 ]
}

@test "every output agrees with the exit code: what is measured cannot be made" {
	git init -q .
	for content in old new; do
		echo $content >source
		git add source
		git -c user.name=a -c user.email=a@b.c commit -q -m $content
	done
	all_outputs 5 failed "of HEAD" run --no-save --git HEAD~1..HEAD --build "grep -q old source" true
	all_outputs 5 failed "of HEAD" bench --no-save --git HEAD~1..HEAD --build "grep -q old source" --program ./source
	all_outputs 5 failed "build 1 of 3 failed" run --no-save --levels build,run --builds 3 --build false true true
	all_outputs 5 failed "setup 'false' failed" run --no-save --setup false true true
	all_outputs 5 failed "there is no such program" bench --no-save ./missing ./missing
}

@test "a run that took too long fails a gate, with another exit code where -i goes on" {
	run "$TARE" run --no-save -r 3 --gate 2% --timeout 0.1 true 'sleep 5'
	[ "$status" -eq 124 ]
	run "$TARE" run --no-save -i -r 3 --gate 2% --timeout 0.1 true 'sleep 5'
	[ "$status" -eq 5 ]
	[[ "${lines[-1]}" == *" gate=failed limit=2%" ]]
}

@test "a file of an older hyperfine, without exit codes, can hold a gate" {
	sed 's/"exit_codes": \[[^]]*\], //' old.json >older.json
	! grep exit_codes older.json
	run "$TARE" compare --gate 2% older.json older.json
	[ "$status" -eq 0 ]
}

# Nothing was measured: the tables have a header, and no older row is taken for an answer.
empty_outputs() { # CODE TARE-ARGUMENTS…
	local code=$1 file outputs=() forms="csv export-json export-csv export-markdown export-asciidoc export-orgmode latex"
	shift
	for file in $forms; do
		echo STALE >"old.$file"
		outputs+=("--$file" "old.$file")
	done
	run "$TARE" "$@" --gate 2% "${outputs[@]}"
	echo "$output"
	[ "$status" -eq "$code" ]
	! grep STALE old.*
	[[ "$(cat old.csv)" == "subject,metric,unit,run,iteration,"*"value" && "$(wc -l <old.csv)" -eq 1 ]]
	[ "$(cat old.export-csv)" = "command,mean,stddev,median,user,system,min,max" ]
	[ "$(json old.export-json d)" = "{'results': []}" ]
	[ "$(wc -l <old.export-markdown)" -eq 2 ]
	for file in old.csv old.export-json; do
		run "$TARE" compare --gate 2% old.json "$file"
		[ "$status" -eq 5 ]
		[[ "${lines[-1]}" == *" gate=failed limit=2%" ]]
	done
}

@test "where nothing was measured no output keeps what was in it" {
	empty_outputs 5 run --no-save 'sh -c "exit 4"' true
	empty_outputs 5 run --no-save /missing/program true
	empty_outputs 5 run --baseline main true
	empty_outputs 1 run --append missing.json true true
}

@test "an output that cannot be written holds no gate" {
	run "$TARE" run --no-save -r 8 --metric cpu --gate 2% --json /dev/full --junit j.xml "$spin 4000000" "$spin 400000"
	[ "$status" -eq 1 ]
	[[ "${lines[-1]}" == "verdict: failed "*" gate=failed limit=2%" ]]
	grep -q '<testsuites.* errors="[1-9]' j.xml
	run "$TARE" compare --gate 2% --json /dev/full old.json held.json
	[ "$status" -eq 1 ]
	[[ "${lines[-1]}" == "verdict: failed "*" gate=failed limit=2%" ]]
}

@test "of several outputs that are asked for, one that cannot be written keeps no other from being written, and no gate holds" {
	echo '<testsuites failures="0" errors="0"/>' >j.xml
	run "$TARE" compare --gate 2% --html /dev/full --junit j.xml --markdown t.md old.json held.json
	[ "$status" -eq 1 ]
	[[ "${lines[-1]}" == "verdict: failed "*" gate=failed limit=2%" ]]
	grep -q '<testsuites.* failures="0" errors="1"' j.xml
	grep -q 'the gate of 2 % failed: an output could not be written' j.xml
	grep -q 'the gate of 2 % failed: an output could not be written' t.md
	rm j.xml
	"$TARE" compare --gate 2% --junit j.xml old.json held.json >/dev/full || status=$?
	[ "$status" -eq 1 ]
	grep -q '<testsuites.* failures="0" errors="1"' j.xml
	# An output whose folder is missing is found before anything is measured or read.
	for command in "run --no-save true true" "compare old.json held.json"; do
		echo '<testsuites failures="0" errors="0"/>' >j.xml
		run "$TARE" $command --gate 2% --json missing/d.json --junit j.xml
		[ "$status" -eq 1 ]
		[[ "${lines[-1]}" == "verdict: failed "*" gate=failed limit=2%" ]]
		grep -q '<testsuites.* failures="0" errors="1"' j.xml
	done
	# Where the output that fails comes last, the exit code and the last line agree all the same.
	run "$TARE" compare --gate 2% --json d.json --junit /dev/full old.json held.json
	[ "$status" -eq 1 ]
	[ -s d.json ]
	[[ "${lines[-1]}" == "verdict: failed "*" gate=failed limit=2%" ]]
}

@test "failures in files of other tools hold no gate" {
	run "$TARE" compare --gate 2% old.json short.json
	[ "$status" -eq 5 ]
	[[ "$output" == *"2 of 30 runs failed (no exit code)"* ]]
	run "$TARE" compare --gate 2% old.json none.json
	[ "$status" -eq 5 ]
	[[ "$output" == *"30 of 30 runs failed (no exit code)"* ]]
	run "$TARE" compare --gate 2% old.json signals.json
	[ "$status" -eq 5 ]
	[[ "$output" == *"1 of 30 runs failed (signal)"* ]]
	run "$TARE" compare --gate 2% google.json google-failed.json
	[ "$status" -eq 5 ]
	[[ "$output" == *"24 of 30 runs failed (boom)"* ]]
	run "$TARE" compare --gate 2% google.json google.json
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 2% old.json infinite.json
	[ "$status" -eq 4 ]
	run "$TARE" compare --gate 2% table.csv infinite.csv
	[ "$status" -eq 4 ]
	[[ "$output" == *"20 of 30 values of value are infinite"* || "$output" == *"20 of 30 values of wall are infinite"* ]]
}

# OLD NEW CODE WORDS: the exit code of the gate, and that the reason is said
gated() {
	run "$TARE" compare --gate 5% "$1" "$2"
	echo "$1 $2: $output"
	[ "$status" -eq "$3" ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"$4"* ]]
}

@test "runs that are missing or failed hold no gate, whichever tool wrote the file" {
	python3 - <<-'PY'
	import json, random
	random.seed(5)
	def times(n=20, mean=100):
	    return [round(random.gauss(mean, 0.1), 3) for _ in range(n)]
	def write(name, value):
	    open(name, "w").write(value if isinstance(value, str) else json.dumps(value))
	def go(values, end):
	    return "goos: linux\npkg: p\n" + "".join(f"BenchmarkA-8 1000 {v} ns/op\n" for v in values) + end
	for name, values, end in ("old", times(), "PASS\nok p 1s\n"), ("held", times(), "PASS\nok p 1s\n"), \
	        ("fail", times(), "--- FAIL: BenchmarkA\n    a_test.go:3: wrong\nFAIL\nexit status 1\nFAIL\tp\t1s\n"), \
	        ("panic", times(), "panic: runtime error\n\ngoroutine 1 [running]:\n"), \
	        ("fatal", times(), "fatal error: all goroutines are asleep - deadlock!\n"), \
	        ("late", times(), "PASS\nexit status 3\nFAIL\tp\t1s\n"), \
	        ("cut", times(), "BenchmarkA-8 1000 99.9"), ("word", times(), "BenchmarkA-8 1000 boom ns/op\nPASS\nok p 1s\n"), \
	        ("prints", times(), "BenchmarkA-8 1000 lines printed\n 1000 100.0 ns/op\nPASS\nok p 1s\n"), \
	        ("nan", times() + ["NaN", "+Inf"] * 5, "PASS\nok p 1s\n"):
	    write(f"go-{name}.txt", go(values, end))
	def events(name, *ends):
	    rows = [{"Action": "start", "Package": "p"}] + [{"Action": "output", "Package": "p", "Output": f"BenchmarkA-8 1000 {v} ns/op\n"}
	        for v in times()] + [dict({"Package": "p"}, **end) for end in ends]
	    write(name, "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
	events("events-old.txt", {"Action": "output", "Output": "PASS\n"}, {"Action": "pass"})
	events("events-held.txt", {"Action": "pass"})
	events("events-fail.txt", {"Action": "output", "Output": "PASS\n"}, {"Action": "fail"})
	events("events-test.txt", {"Action": "fail", "Test": "BenchmarkA"}, {"Action": "pass"})
	events("events-cut.txt")
	# The failure of another package is not that of this one.
	write("go-other.txt", go(times(), "PASS\nok p 1s\n") + "pkg: q\nFAIL\tq [build failed]\n")
	def jmh(name, forks, kept=5):
	    write(name, [{"jmhVersion": "1.36", "benchmark": "a.B.c", "mode": "avgt", "forks": 20, "measurementIterations": 5,
	        "primaryMetric": {"scoreUnit": "ns/op", "rawData": [times(kept) for _ in range(forks)]}}])
	jmh("jmh-old.json", 20)
	jmh("jmh-held.json", 20)
	jmh("jmh-forks.json", 12)
	jmh("jmh-short.json", 20, 2)
	def pyperf(name, lost, what):
	    runs = [{"warmups": [[1, 1.0]]}] + [{"values": times(3)} if i >= lost else what for i in range(20)]
	    write(name, {"version": "1.0", "benchmarks": [{"metadata": {"name": "p"}, "runs": runs}]})
	pyperf("pyperf-old.json", 0, {})
	pyperf("pyperf-held.json", 0, {})
	pyperf("pyperf-lost.json", 15, {"values": []})
	pyperf("pyperf-none.json", 15, {"metadata": {}})
	pyperf("pyperf-null.json", 15, {"values": None, "warmups": [[1, 1.0]]})
	def google(name, count, benchmark="BM"):
	    write(name, {"context": {}, "benchmarks": [{"name": benchmark, "run_name": benchmark, "run_type": "iteration", "repetitions": 30,
	        "repetition_index": i, "iterations": 9, "real_time": t, "time_unit": "ns"} for i, t in enumerate(times(count))]})
	google("google-short.json", 12)
	google("google-renamed.json", 30, "BM_other")
	def edited(name, key, value):
	    d = json.load(open("google.json"))
	    d["benchmarks"][7][key] = value
	    if value is None:
	        del d["benchmarks"][7][key]
	    write(name, d)
	edited("google-untimed.json", "real_time", None)
	edited("google-message.json", "error_message", "boom")
	edited("google-none.json", "iterations", 0)
	header = "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message\n"
	rows = [f'"BM",9,{t},{t},ns,,,,,\n' for t in times(30)]
	write("google.csv", header + "".join(rows))
	write("google-cut.csv", header + "".join(rows) + '"BM",9,')
	hyperfine = json.load(open("old.json"))
	hyperfine["results"][0]["times"] = hyperfine["results"][0]["times"][:12]
	write("untimed.json", hyperfine)
	wide = "".join(f"{a},{b}\n" for a, b in zip(times(30), times(30)))
	write("wide.csv", "alpha,beta\n" + wide)
	write("wide-nan.csv", "alpha,beta\n" + wide + "nan,100\n")
	write("wide-gap.csv", "alpha,beta\n100,100\n,100\n" + wide)
	write("wide-short.csv", "alpha,beta\n" + wide + ",100\n")
	def net(name, bad):
	    write(name, {"HostEnvironmentInfo": {}, "Benchmarks": [{"Type": "B", "Method": "c", "Measurements": [{"IterationMode": "Workload",
	        "IterationStage": "Result", "LaunchIndex": i, "Operations": 1, "Nanoseconds": "NaN" if i < bad else t} for i, t in enumerate(times(30))]}]})
	net("net-old.json", 0)
	net("net-held.json", 0)
	net("net-nan.json", 20)
	for name, state in ("old", "completed"), ("held", "completed"), ("aborted", "aborted-with-statistics"):
	    write(f"tiny-{name}.json", [{"name": "t", "result": {"state": state, "latency": {"mean": 1.0, "rme": 1}}}])
	for name, success in ("old", "true"), ("held", "true"), ("failed", "false"):
	    write(f"catch-{name}.xml", f'''<?xml version="1.0"?>
	<Catch2TestRun name="t" rng-seed="1">
	  <TestCase name="tc">
	    <BenchmarkResults name="b" samples="100">
	      <mean value="100" lowerBound="1" upperBound="2" ci="0.95"/>
	    </BenchmarkResults>
	    <OverallResult success="{success}"/>
	  </TestCase>
	</Catch2TestRun>
	''')
	def table(name, *columns):
	    write(name, "name," + ",".join(columns) + "\n" + "".join("x," + ",".join(map(str, times(len(columns)))) + "\n" for _ in range(30)))
	table("both.csv", "time (s)", "rss (bytes)")
	table("swapped.csv", "rss (bytes)", "time (s)")
	table("rss.csv", "rss (bytes)")
	PY
	gated go-old.txt go-held.txt 0 held
	gated go-old.txt go-other.txt 0 held
	gated go-old.txt go-fail.txt 5 "1 of 21 runs failed (FAIL)"
	gated go-old.txt go-panic.txt 5 "1 of 21 runs failed (panic)"
	gated go-old.txt go-nan.txt 4 "10 of 30 values of wall are infinite or not numbers"
	gated go-old.txt go-fatal.txt 5 "1 of 21 runs failed (fatal error)"
	gated go-old.txt go-late.txt 5 "1 of 21 runs failed (FAIL)"
	gated go-old.txt go-cut.txt 5 "1 of 21 runs failed (no value)"
	gated go-old.txt go-word.txt 5 "1 of 21 runs failed (no value)"
	gated go-old.txt go-prints.txt 0 held
	gated events-old.txt events-held.txt 0 held
	gated events-old.txt events-fail.txt 5 "1 of 21 runs failed (FAIL)"
	gated events-old.txt events-test.txt 5 "1 of 21 runs failed (FAIL)"
	gated events-old.txt events-cut.txt 5 "1 of 21 runs failed (broken off)"
	gated jmh-old.json jmh-held.json 0 held
	gated jmh-old.json jmh-forks.json 5 "8 of 20 runs failed (no value)"
	gated jmh-old.json jmh-short.json 5 "20 of 20 runs failed (fewer iterations than requested)"
	gated pyperf-old.json pyperf-held.json 0 held
	gated pyperf-old.json pyperf-lost.json 5 "15 of 20 runs failed (no value)"
	gated pyperf-old.json pyperf-none.json 5 "15 of 20 runs failed (no value)"
	gated pyperf-old.json pyperf-null.json 5 "15 of 20 runs failed (no value)"
	gated google.json google-short.json 5 "18 of 30 runs failed (no value)"
	gated google.json google-untimed.json 5 "1 of 30 runs failed (no value)"
	gated google.json google-message.json 5 "1 of 30 runs failed (boom)"
	gated google.json google-none.json 5 "1 of 30 runs failed (no iterations)"
	gated google.csv google.csv 0 held
	gated google.csv google-cut.csv 5 "1 of 31 runs failed (no value)"
	gated old.json untimed.json 5 "18 of 30 runs failed (no value)"
	gated wide.csv wide-nan.csv 4 "1 of 31 values of value are infinite or not numbers"
	gated wide.csv wide-gap.csv 4 "1 of 32 values of value are infinite or not numbers"
	gated wide.csv wide-short.csv 0 held # a column may be shorter
	gated net-old.json net-held.json 0 held
	gated net-old.json net-nan.json 4 "20 of 30 values of wall are infinite or not numbers"
	gated tiny-old.json tiny-held.json 4 "stays open" # a value each
	gated tiny-old.json tiny-aborted.json 5 "1 of 1 run failed (aborted-with-statistics)"
	gated catch-old.xml catch-held.xml 4 "stays open"
	gated catch-old.xml catch-failed.xml 5 "1 of 1 run failed (its test case failed)"
	# What the old data were judged by, or their only benchmark, is missing in the new data.
	gated both.csv swapped.csv 0 held
	gated both.csv rss.csv 4 "x, time is missing in the new data"
	gated google.json google-renamed.json 4 "BM is missing in the new data"
	run "$TARE" compare --gate 5% --allow-missing google.json google-renamed.json
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 5% --metric rss both.csv rss.csv
	[ "$status" -eq 0 ]
}

@test "a mark of failure of any kind holds no gate" {
	for file in marked-by-text marked-by-number; do
		run "$TARE" compare --gate 2% google.json $file.json
		[ "$status" -eq 5 ]
		[[ "$output" == *"1 of 30 runs failed (error)"* ]]
	done
}

@test "exit codes of a table count as they do in a file of hyperfine" {
	run "$TARE" compare --gate 2% exits-none.csv exits-none.csv
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 2% exits-none.csv exits-some.csv
	[ "$status" -eq 5 ]
	[[ "$output" == *"12 of 30 runs failed (exit 3)"* ]]
	run "$TARE" compare --gate 2% -i=3 exits-none.csv exits-some.csv
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 2% -i=3 exits-none.csv exits-empty.csv
	[ "$status" -eq 5 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"2 of 30 runs failed (no exit code in 1, exit SIGSEGV in 1)"* ]]
	run "$TARE" compare --gate 2% --columns exit= exits-none.csv exits-some.csv
	[ "$status" -eq 0 ]
	# a row for each metric of a run: a run fails once
	printf 'subject,run,metric,value,unit,exit_code\n' >long.csv
	for run in $(seq 30); do
		printf 'work,%s,wall,1.00%s,s,%s\nwork,%s,cpu,1.00%s,s,%s\n' $run $run $((run < 4)) $run $run $((run < 4))
	done >>long.csv
	run "$TARE" compare --gate 50% long.csv long.csv
	[ "$status" -eq 5 ]
	[[ "$output" == *"3 of 30 runs failed (exit 1)"* ]]
}

# The ratio, its interval and the state of the last line, as the limit of 2 % has it.
last_line_agrees() {
	python3 - "${lines[-1]}" <<-'PY'
	import sys
	line = dict(word.split("=") for word in sys.argv[1].split()[2:])
	low, ratio, high = (float(line[key]) for key in ("low", "ratio", "high"))
	assert 0 <= low <= ratio <= high, line
	assert line["gate"] != "broken" or low > 1.02, line
	assert line["gate"] != "held" or high < 1.02, line
	PY
}

@test "a gate that the total broke shows the total in the headline and in the last line" {
	run "$TARE" compare --gate 2% even.csv tail.csv
	[ "$status" -eq 3 ]
	[[ "${lines[0]}" == *" % slower than "*" in total "* ]]
	last_line_agrees
	run "$TARE" compare --gate 2% even.csv even.csv
	[ "$status" -eq 0 ]
	last_line_agrees
}

@test "an open gate says why an interval beyond its limit is not enough" {
	python3 - <<-'PY'
	import json
	for name, slower in ("old.csv", 1), ("new.csv", 1.036):
	    with open(name, "w") as out:
	        print("subject,run,wall", file=out)
	        for b in range(20):
	            for i in range(20):
	                print(f"b{b},{i},{(1 + (i * 7 % 20 - 9.5) / 380) * (slower if b == 3 else 1)}", file=out)
	for name, mean in ("old.json", 1), ("new.json", 1.1):
	    rounds = [mean * (1 + (i * 7 % 20 - 9.5) / 3800) for i in range(20)]
	    json.dump({"machine_info": {}, "version": "4.0.0", "benchmarks": [{"name": "test_a", "fullname": "x.py::test_a",
	               "stats": {"min": min(rounds), "max": max(rounds), "mean": mean, "rounds": 20, "data": rounds}}]}, open(name, "w"))
	PY
	run "$TARE" compare --gate 2% old.csv new.csv
	[ "$status" -eq 4 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"b3 may be worse by more: total [+2."*" at 98 %, which is not certain enough among 20 comparisons"* ]]
	run "$TARE" compare --gate 2% old.json new.json
	[ "$status" -eq 4 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *" may be worse by more: total ["*" at 99 %; only one run on a side"* ]]
}

@test "a gate that the usual run held says that the total may be worse" {
	python3 - <<-'PY'
	import random
	random.seed(3)
	for name, slow in ("old.csv", 1), ("new.csv", 14):
	    with open(name, "w") as out:
	        print("name,pair,wall (s)", file=out)
	        for i in range(300):
	            print(f"work,{i},{random.gauss(1, 0.01) * (slow if i % 83 == 7 else 1)}", file=out)
	PY
	run "$TARE" compare --gate 8% old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"the gate of 8 % held: typical ["*" at 98 %; the total may be worse by more: ["* ]]
}

@test "a gate that slow runs broke says so" {
	run "$TARE" compare --gate 2% rare.csv rare-and-slow.csv --json d.json --junit j.xml --markdown t.md
	echo "$output"
	[ "$status" -eq 3 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"the gate of 2 % is broken: rare-and-slow.csv has 1"*" percentage points more slow runs ("*"); the gate allows 6 verdict: "* ]]
	[[ "${lines[-1]}" == "verdict: slower "*" low=- high=- confidence=99 gate=broken limit=2%" ]]
	grep -qF "points more slow runs" j.xml
	grep -qF "points more slow runs" t.md
	[ "$(json d.json 'd["comparisons"][0]["gate_ci"]')" = None ]
	[[ "$(json d.json 'd["comparisons"][0]["gate_why"]')" == *"the gate allows 6" ]]
}

@test "a column of words that says a run failed holds no gate" {
	run "$TARE" compare --gate 2% status-fine.csv status-fine.csv
	[ "$status" -eq 0 ]
	[[ "$output" != *"not used"* ]]
	for header in status State outcome result; do
		run "$TARE" compare --gate 2% status-fine.csv words-$header.csv
		[ "$status" -eq 5 ]
		[[ "$output" == *"5 of 30 runs failed"* ]]
		[[ "$output" == *"status failed"* ]]
	done
	run "$TARE" compare --gate 2% status-fine.csv status-strange.csv
	[ "$status" -eq 5 ]
	[[ "$output" == *"1 of 30 runs failed (status purple)"* ]]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"column status: purple is not known to mean success or failure, and counts as failed (--columns status= leaves the column out)"* ]]
	run "$TARE" compare --gate 2% status-fine.csv status-mixed.csv
	[ "$status" -eq 5 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"2 of 30 runs failed (status purple in 1, status error in 1)"* ]]
	# A column that has no other words may be about something else, unless it is called status or outcome.
	for header in status outcome; do
		run "$TARE" compare --gate 2% status-fine.csv all-dnf-$header.csv
		[ "$status" -eq 5 ]
		[[ "$output" == *"30 of 30 runs failed (status dnf)"* ]]
	done
	for header in state result; do
		run "$TARE" compare --gate 2% status-fine.csv all-dnf-$header.csv
		[ "$status" -eq 0 ]
		[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"column $header: dnf is not known to mean success or failure, and the column is not used"* ]]
		run "$TARE" compare --gate 2% status-fine.csv some-dnf-$header.csv
		[ "$status" -eq 5 ]
		[[ "$output" == *"15 of 30 runs failed (status dnf)"* ]]
	done
	# The state is about something else, and another column says how the runs ended.
	run "$TARE" compare --gate 2% status-fine.csv warm.csv
	[ "$status" -eq 0 ]
	# Numbers are exit codes, whichever comes first; the usual ones of HTTP are fine.
	for codes in first later; do
		run "$TARE" compare --gate 2% status-fine.csv codes-$codes.csv
		[ "$status" -eq 5 ]
		[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"20 of 30 runs failed (status 1"*" in 10, status 1"*" in 10)"* ]]
	done
	run "$TARE" compare --gate 2% status-fine.csv codes-http.csv
	[ "$status" -eq 0 ]
	[[ "$output" != *"not used"* ]]
	run "$TARE" compare --gate 2% --columns status= status-fine.csv words-status.csv
	[ "$status" -eq 0 ]
	for header in success OK passed failed timed_out rc retcode crashed success-number timeout is_error OOM-killed valid; do
		run "$TARE" compare --gate 2% flag-$header-good.csv flag-$header-good.csv
		[ "$status" -eq 0 ]
		[[ "$output" != *"not used"* ]]
		run "$TARE" compare --gate 2% flag-$header-good.csv flag-$header-bad.csv
		[ "$status" -eq 5 ]
		[[ "$output" == *"3 of 30 runs failed ("* ]]
	done
	run "$TARE" compare --gate 2% flag-rc-good.csv two-flags.csv
	[ "$status" -eq 5 ]
	[[ "$output" == *"1 of 30 runs failed (timedout yes)"* ]]
	# What may as well be a limit or an error of the mean says nothing of failures, and alone the numbers are the values.
	run "$TARE" compare --gate 2% flag-rc-good.csv numbers.csv
	[ "$status" -eq 0 ]
	run "$TARE" analyze successes.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *success* && "$output" != *failed* ]]
	# numbers are what they were: values
	run "$TARE" analyze result-numbers.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"result"* ]]
}

# HEADERS CELLS…: a table of 30 runs whose rows have these cells in turn
table() {
	python3 - "$@" >table.csv <<-'PY'
	import sys
	print(f"name,wall (s),{sys.argv[1]}")
	for i in range(30):
	    print(f"work,{1 + i * 7 % 5 / 1000},{sys.argv[2 + i * (len(sys.argv) - 2) // 30]}")
	PY
}

@test "a column that says how runs ended is heeded whatever its first row says" {
	table note fine
	mv table.csv fine.csv
	local cells
	for cells in "failed||yes" "failed||1" "failed|2" "failed||wrong answer" "success|1.0|0.0" "success|1||1" "success|True|nan|True" \
	        "success|T|F" "success|Y|N" "state|5|failed" "error||boom" "error|connection refused" "error|404 Not Found" \
	        "error_message||boom" "exception|None|OSError" "signal|0|9" "signal|SIGSEGV" "ret|0|1" "Exitval,Signal|0,0|0,11" \
	        "Exitval,Signal|1,0" "exit,exit code|0,0|0,1"; do
		IFS='|' read -ra row <<<"$cells"
		table "${row[@]}"
		run "$TARE" compare --gate 2% fine.csv table.csv
		[ "$status" -eq 5 ] || { echo "$cells: $status $output"; return 1; }
		[[ "${lines[-1]}" == *" gate=failed limit=2%" ]]
	done
	# The error of a mean, a limit, and columns without a word.
	for cells in "error|0.3" "error|12.5 us" "error|± 3 %" "error||none" "error|-|NaN" "timeout|10|30" "failed|no|0" "failed|0" "failed|" \
	        "success|yes|1" "success|" "signal|0|" "signal|0.5" "exception|" "exit,exit code|0,0"; do
		IFS='|' read -ra row <<<"$cells"
		table "${row[@]}" ""
		[ "${#row[@]}" -eq 1 ] || table "${row[@]}"
		run "$TARE" compare --gate 2% fine.csv table.csv
		[ "$status" -eq 0 ] || { echo "$cells: $status $output"; return 1; }
	done
}

@test "another command is not compared in the place of one that has no values" {
	table note fine
	printf 'name,wall (s)\n' >lost.csv
	sed '1d; s/,fine//; s/work/other/' table.csv >>lost.csv
	run "$TARE" compare --gate 2% table.csv lost.csv
	[ "$status" -eq 0 ]
	for cell in "" nan; do
		sed "\$ a work,$cell" lost.csv >named.csv
		run "$TARE" compare --gate 2% table.csv named.csv
		[ "$status" -eq 5 ]
		[[ "$output" == *"nothing can be compared"* ]]
	done
	python3 - <<-'PY'
	import json
	d = json.load(open("old.json"))
	d["results"] = [{"command": "work", "mean": 1}, dict(d["results"][0], command="other")]
	json.dump(d, open("named.json", "w"))
	PY
	run "$TARE" compare --gate 2% old.json named.json
	[ "$status" -eq 5 ]
}

@test "plain numbers that are all 0 hold no gate" {
	run "$TARE" compare --gate 2% plain.txt zeros.txt
	[ "$status" -eq 4 ]
	[[ "$output" == *"stays open: zeros.txt: 30 of 30 values of value are 0"* ]]
	run "$TARE" compare --gate 2% zeros.txt zeros.txt
	[ "$status" -eq 4 ]
}

@test "tables of tare keep what failed" {
	"$TARE" run --no-save -i -r 12 -n a true --csv old.csv
	"$TARE" run --no-save -i -r 12 -n a false --csv failed.csv --json failed.json
	"$TARE" export failed.json --format csv -o exported.csv
	"$TARE" export failed.json --format gbench -o google.json
	run "$TARE" compare --gate 1000% old.csv google.json
	[ "$status" -eq 5 ]
	[[ "$output" == *"'a' failed: exit 1"* ]]
	[ "$(json google.json '[b["error_message"] for b in d["benchmarks"]]')" = "$(json failed.json '["exit 1"] * 12')" ]
	sort -r failed.csv >sorted.csv
	for file in failed exported sorted; do
		run "$TARE" compare --gate 1000% old.csv $file.csv
		[ "$status" -eq 5 ]
		[[ "$output" == *"12 of 12 runs failed (exit 1)"* ]]
	done
	run "$TARE" compare --gate 1000% --metric rss -i=1 old.csv failed.csv
	[ "$status" -eq 0 ]
	sed '1s/value/failures,value/; 2,$s/,\([^,]*\)$/,session interrupted,\1/' old.csv >interrupted.csv
	run "$TARE" compare --gate 1000% old.csv interrupted.csv
	[ "$status" -eq 4 ]
	[[ "$output" == *"its session was interrupted"* ]]
}

@test "an interrupted session is called so wherever it is reported again, and so is its gate" {
	printf '%s\n' '#!/bin/sh' 'echo x >>log' '[ "$(wc -l <log)" -ne 60 ] || kill -INT "$(cat pid)"' >counted
	chmod +x counted
	run bash -c 'echo $$ >pid; exec "$0" run -q --no-save --design turns -r 5000 --gate 0.0001% --json i.json --junit i.xml "./counted a" "./counted b"' "$TARE"
	[ "$status" -eq 130 ]
	grep -q 'the gate of 0.0001 % stays open: interrupted"' i.xml
	for command in "report --text" "report --markdown -"; do
		run "$TARE" $command i.json
		[[ "$output" == *"the session was interrupted: these are the values until then"* ]]
		[[ "$output" == *"the gate of 0.0001 % stays open: interrupted"* ]]
	done
	run "$TARE" analyze i.json
	[[ "$output" == *"the session was interrupted: these are the values until then"* ]]
	"$TARE" compare --gate 2% --json d.json old.json broken.json || [ $? -eq 3 ]
	run "$TARE" report --text d.json
	[[ "$output" == *"the gate of 2 % is broken: broken.json is worse by more: total"* ]]
}

@test "a name that is there twice is gated twice, or keeps the gate open" {
	run "$TARE" compare --gate 2% old.json twice.json
	[ "$status" -eq 4 ]
	[[ "${lines[-1]}" == *"gate=open limit=2% name=work #2" ]]
	run "$TARE" compare --gate 2% two.json twice.json
	[ "$status" -eq 3 ]
}

@test "-i of compare welcomes exit codes" {
	run "$TARE" compare --gate 2% -i exits.json exits.json
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 2% exits.json exits.json
	[ "$status" -eq 5 ]
	run "$TARE" compare --gate 2% -i old.json exits.json
	[ "$status" -eq 5 ]
	run "$TARE" compare --gate 2% -i=1,2 old.json exits.json
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 2% --ignore-failure=2 old.json exits.json
	[ "$status" -eq 5 ]
	run "$TARE" compare --gate 2% -i=300 old.json exits.json
	[ "$status" -eq 2 ]
}

@test "-i of run names who failed and how; -i=CODES takes these and no others" {
	run "$TARE" run --no-save -i -r 5 true false
	[ "$status" -eq 0 ]
	[[ "$output" == *"false: 5 of 5 runs failed (exit 1)"* ]]
	run "$TARE" run --no-save -i=1 -r 5 true false
	[ "$status" -eq 0 ]
	[[ "$output" != *failed* ]]
	run "$TARE" run --no-save --ignore-failure=2,3 -r 5 true false
	[ "$status" -eq 5 ]
}

@test "what was stored broken off, killed or failed holds no gate" {
	mark() { # STATE: of the newest experiment
		python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(
			"UPDATE experiment SET state = ?, pid = 1 << 22 WHERE id = (SELECT max(id) FROM experiment)",
			sys.argv[2:]); d.commit()' "$XDG_DATA_HOME/tare/tare.db" "$1"
	}
	"$TARE" run --quiet -r 12 --metric cpu "$spin 40000000"
	"$TARE" run --quiet -r 12 --metric cpu "$spin 1000"
	run "$TARE" compare --gate 2% @1 @2
	[ "$status" -eq 0 ]
	for state in interrupted running; do
		mark "$state"
		run "$TARE" compare --gate 2% @1 @2
		[ "$status" -eq 4 ]
		[[ "${lines[-1]}" == *" gate=open limit=2%" ]]
		# So it is with files that were made of it; a document knows no "killed".
		"$TARE" export @1 --format json -o base.json
		for format in json csv; do
			rm -f part.*
			run "$TARE" export @2 --format $format -o part.$format
			[ "$status" -eq 0 ]
			[[ "$output" == *"the session was "*": these are the values until then"* ]]
			run "$TARE" compare --gate 2% base.json part.$format
			[ "$status" -eq 4 ]
			[[ "${lines[-1]}" == *" gate=open limit=2%"* ]]
		done
	done
	mark failed
	run "$TARE" compare --gate 2% @1 @2
	[ "$status" -eq 5 ]
}

@test "a session that was interrupted stays so where its values are put together with others, or are stored" {
	"$TARE" run --no-save --quiet -r 12 -n a --metric rss --json whole.json true
	for end in interrupted failed; do
		sed "s/\"reason\": *\"count\"/\"reason\": \"$end\"/" whole.json >part.json
		! cmp -s whole.json part.json
		"$TARE" export part.json --format csv -o part.csv
		for part in part.json part.csv; do
			"$TARE" analyze whole.json $part --json second.json
			"$TARE" analyze $part whole.json --json first.json
			"$TARE" analyze $part --json only.json
			rm -rf "$XDG_DATA_HOME"
			"$TARE" history import $part
			for new in second.json first.json only.json @last; do
				run "$TARE" compare --gate 1000% --metric rss whole.json $new
				[ "$status" -eq $([ $end = failed ] && echo 5 || echo 4) ] || { echo "$end $part $new: $output"; return 1; }
			done
		done
		run "$TARE" export part.json --format jmh -o part.jmh
		[[ "$output" == *"this format cannot say that the session did not end as planned"* ]]
	done
	"$TARE" run --no-save --quiet -i -r 12 --json bad.json false
	for format in jmh go pyperf bmf gha; do
		run "$TARE" export bad.json --format $format -o bad.$format
		[[ "$output" == *"this format has no place for failed runs"* ]]
	done
	for format in gbench hyperfine csv json; do
		run "$TARE" export bad.json --format $format -o bad.$format
		[[ "$output" != *"no place for failed runs"* ]]
	done
}

@test "a session with --pi is judged by its own index wherever it is compared" {
	cat >rate <<-'SH'
	#!/bin/sh
	awk -v m="$1" 'BEGIN { srand(); print m + rand() " MB/s" }'
	sleep "$2"
	SH
	chmod +x rate
	index='rate:MB/s:higher:regex=([0-9.]+) MB/s'
	# 20 % less throughput, in half of the time.
	"$TARE" run --quiet --progress none -r 8 --pi "$index" './rate 100 0.1'
	"$TARE" run --quiet --progress none -r 8 --pi "$index" './rate 80 0.05'
	run "$TARE" compare --gate 2% @1 @2
	[ "$status" -eq 3 ]
	[[ "$output" == *"judged by rate"* ]]
	run "$TARE" history baseline set main @1 @2
	[ "$status" -eq 2 ]
	"$TARE" history baseline set --force main @1
	run "$TARE" run --quiet --progress none -r 8 --gate 2% --baseline main --pi "$index" './rate 80 0.05'
	[ "$status" -eq 3 ]
	[[ "$output" == *"judged by rate"* ]]
	run "$TARE" history trend
	[ "$status" -eq 0 ]
	[[ "$output" == *" rate, "* && "$output" != *wall* ]]
	run "$TARE" history trend --csv -
	[[ "${lines[1]}" == *",rate,MB/s,"* ]]
	run "$TARE" history list
	[[ "$output" == *" rate "* && "$output" != *" wall "* ]]
	# So it is with tables, of one command too.
	"$TARE" export --format csv @1 >one.csv
	"$TARE" export --format csv @2 >two.csv
	run "$TARE" compare --gate 2% one.csv two.csv
	[ "$status" -eq 3 ]
	[[ "$output" == *" rate"* ]]
	# So it is with files of results that are added.
	"$TARE" export --format json @1 >one.json
	XDG_DATA_HOME=$PWD/other "$TARE" history import one.json
	XDG_DATA_HOME=$PWD/other run "$TARE" history trend
	[[ "$output" == *" rate, "* && "$output" != *wall* ]]
}

@test "a comparison that fails early writes all that was asked for, and none of it is green" {
	echo '{' >broken.json
	printf 'name,value\na,1\n' >good.csv
	for gate in "" "--gate 2%"; do
		for files in "broken.json good.csv" "good.csv broken.json" "good.csv missing.json" "broken.json broken.json"; do
			rm -f out.*
			run "$TARE" compare $gate --json out.json --markdown out.md --html out.html --csv out.csv --junit out.xml $files
			[ "$status" -eq 1 ]
			grep -q '<testsuites .*tests="1" failures="0" errors="1"' out.xml
			grep -q 'Nothing was compared' out.md
			[ "$(json out.json 'd["stopped"]["reason"]')" = failed ]
			[ -z "$gate" ] || [ "$(json out.json 'd["gate"]["state"]')" = failed ]
			[ -z "$gate" ] || grep -q 'gate of 2 % failed' out.md
			grep -q '</html>' out.html
			[ "$(wc -l <out.csv)" -eq 1 ]
		done
	done
}

@test "processes that are left behind from the fifth iteration on hold no gate, and are gone" {
	ln -s "$(dirname "$TARE")/tests/measure/hostile" old
	printf '#!/bin/sh\nLEAVES=1 exec ./hostile-late "$@"\n' >new
	ln -s old hostile-late
	chmod +x new
	few="--progress none --no-save -r 8 --iterations 6 --iteration-time 100us --filter leaves_late --gate 200%"
	run "$TARE" bench $few ./old ./old
	[ "$status" -eq 0 ]
	for ignore in "" -i; do
		run "$TARE" bench $few $ignore --junit junit.xml ./old ./new
		[ "$status" -eq 4 ]
		[[ "${lines[-1]}" == "verdict: "*" gate=open limit=200%"* ]]
		[[ "$output" == *"leaves_late on ./new: it leaves processes behind"* ]]
		grep -q '<testsuites .*errors="1"' junit.xml
	done
	[ -z "$(pgrep -f hostile-late || true)" ]
}

@test "a program that crashes, fails or hangs when it is to end holds no gate" {
	build="$(dirname "$TARE")"
	few="--progress none --no-save --metric cpu -r 8 --iterations 4 --iteration-time 100us --filter lighter"
	ln -s "$build/tests/programs/suite-old" old
	ln -s "$build/tests/programs/suite-new" new
	for end in 'exit 9' 'kill -SEGV $$' 'exec sleep 60'; do
		printf '#!/bin/sh\n./new "$@"\n%s\n' "$end" >ends
		chmod +x ends
		for ignore in "" -i; do
			run "$TARE" bench $few $ignore --gate 2% ./old ./ends
			[ "$status" -eq 5 ]
			[[ "${lines[-1]}" == "verdict: failed "*" gate=failed limit=2%"* ]]
		done
	done
}

@test "a column that is a rate by its name breaks a gate where it drops" {
	local column shape
	for column in requests_per_second ops_per_sec requests_per_s throughput rps MB/s bandwidth_GBps; do
		for shape in "" name,; do
			python3 - "$shape$column" "${shape:+srv,}" <<-'PY'
			import sys
			for name, base in ("old", 1000), ("new", 800):
			    with open(f"rate-{name}.csv", "w") as f:
			        f.write(sys.argv[1] + "\n" + "".join(f"{sys.argv[2]}{base + i * 7 % 5}\n" for i in range(20)))
			PY
			run "$TARE" compare --gate 2% rate-old.csv rate-new.csv
			[ "$status" -eq 3 ] || { echo "$shape$column: $status"; return 1; }
			[[ "${lines[-1]}" == "verdict: slower "*" gate=broken limit=2%" ]]
			"$TARE" analyze rate-new.csv | head -1 | grep -q '(higher is better)'
		done
	done
}
