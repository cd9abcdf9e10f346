#!/usr/bin/env bats
# tare compare, as a user types it.

setup() {
	cd "$BATS_TEST_TMPDIR"
	python3 - <<-'PY'
	import random
	random.seed(3)
	def suite(name, factors):
	    with open(name, "w") as out:
	        print("subject,value,unit", file=out)
	        for subject, factor in factors.items():
	            for _ in range(30):
	                print(f"{subject},{random.gauss(0.1 * factor, 0.0005)},s", file=out)
	suite("old.csv", {"alpha": 1, "beta": 1, "gamma": 1, "gone": 1})
	suite("new.csv", {"alpha": 1.05, "beta": 0.9, "gamma": 1, "fresh": 1})
	suite("same.csv", {"alpha": 1, "beta": 1, "gamma": 1, "gone": 1})
	suite("moved.csv", {c: 1.2 for c in ("alpha", "beta", "gamma", "gone", "d", "e", "f")})
	suite("before.csv", {c: 1 for c in ("alpha", "beta", "gamma", "gone", "d", "e", "f")})
	PY
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print(($2))" "$1"
}

# NAME METRIC WALL NET [OF-SUBJECT]: a document of two commands that METRIC decided; the net time of b is NET, all wall
# times are about WALL. With OF-SUBJECT the metric stands with the subjects and nothing is compared.
judged() {
	python3 - "$@" <<-'PY'
	import json, random, sys
	name, metric, wall, net, own = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), sys.argv[5:]
	random.seed(name)
	def values(mean):
	    return {"unit": "s", "better": "lower", "samples": [[random.gauss(mean, mean / 1000)] for _ in range(30)]}
	subjects = [{"name": s, "metrics": {"wall": values(wall), "net": values(n), "cpu": values(n / 2)}}
	            for s, n in (("a", 1), ("b", net))]
	for subject in subjects if own else []:
	    subject["metric"] = metric
	comparisons = [] if own else [{"metric": metric, "base": "a", "new": "b"}]
	json.dump({"schema": "tare/1", "design": {"name": "turns", "levels": ["run", "iteration"]}, "subjects": subjects,
	           "comparisons": comparisons}, open(name, "w"))
	PY
}

@test "matched by name, unmatched ones named, geometric mean" {
	run "$TARE" compare old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *alpha*slower* ]]
	[[ "$output" == *beta*faster* ]]
	[[ "$output" == *"gone: only in the old data"* ]]
	[[ "$output" == *"fresh: only in the new data"* ]]
	[[ "$output" == *"geometric mean"* ]]
}

@test "a saved comparison of two files is reported under the names that compare gave" {
	for side in 1 2; do
		for name in Foo Bar; do
			for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
				echo "Benchmark$name-8   1000   $((1000 * side + i * 7 % 12)).0 ns/op"
			done
		done >"o$side.txt"
	done
	"$TARE" compare --json saved.json --junit ours.xml o1.txt o2.txt
	run "$TARE" report --text saved.json
	[[ "$output" == *"Foo is "*" times slower ("*"Bar (old) "*"Foo (new) "* ]]
	[[ "$output" != *"#2"* ]]
	"$TARE" report --junit theirs.xml saved.json
	[ "$(grep '<testcase' ours.xml)" = "$(grep '<testcase' theirs.xml)" ]
}

@test "a mean of fewer benchmarks than there are says of how many, and of one there is none" {
	printf 'subject,run,wall\na,1,1\na,2,1.1\na,3,1.2\nb,1,2\nb,2,2.1\nb,3,2.2\nc,1,3\n' >some.csv
	run "$TARE" compare some.csv some.csv
	[[ "$output" == *"geometric mean of 2 "* ]]
	run "$TARE" compare --markdown - some.csv some.csv
	[[ "$output" == *"Geometric mean of 2: "* ]]
	grep -v ^b some.csv >one.csv
	run "$TARE" compare one.csv one.csv
	[[ "$output" == *"undecided"* && "$output" != *"geometric mean"* ]]
}

@test "failures in the files of other tools are told" {
	for side in 0 1; do
		python3 -c 'import json, sys; print(json.dumps({"results": [{"command": "work",
			"times": [1 + i / 1000 for i in range(30)], "exit_codes": [int(sys.argv[1])] * 30}]}))' $side >$side.json
	done
	run "$TARE" compare --gate 5% 0.json 1.json
	[[ "$output" == *"note: 1.json: 'work': 30 of 30 runs failed (exit 1)"* ]]
	run "$TARE" compare --markdown note.md 0.json 1.json
	grep -q "work.*30 of 30 runs failed" note.md
}

@test "the gate: exit codes and last line" {
	run "$TARE" compare --gate 2% old.csv new.csv
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower ratio=1.0"*" low="*" high="*" confidence=99 gate=broken limit=2% name=alpha" ]]
	run "$TARE" compare --gate 2% old.csv same.csv
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 10% old.csv new.csv
	[ "$status" -eq 4 ] # a benchmark vanished: never green
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"the gate of 10 % stays open: gone is missing in the new data; --allow-missing "* ]]
	[ "$(sed -n '/^the gate/,/^verdict:/p' <<<"$output" | grep -v ^verdict: | awk 'length > 80')" = "" ]
	[ "${lines[-1]}" = "verdict: undecided ratio=- low=- high=- confidence=99 gate=open limit=10% name=gone" ]
	run "$TARE" compare --gate 10% --allow-missing old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "${lines[-1]}" == "verdict: slower ratio=1.0"*" name=alpha" && "$output" != *"stays open"* ]]
	# What is worse than missing is told instead.
	run "$TARE" compare --gate 2% old.csv new.csv
	[[ "${lines[-1]}" == *" name=alpha" && "$output" != *"stays open"* ]]
	# One is left of several, and a document has standard output.
	grep -E 'subject|gamma' new.csv >one.csv
	"$TARE" compare --gate 10% --confidence 95 --csv - old.csv one.csv >table.csv 2>err || [ $? -eq 4 ]
	tr -s ' \n' ' ' <err | grep -q "the gate of 10 % stays open: alpha and 2 more are missing in the new data; --allow-missing"
	[ "$(tail -n 1 err)" = "verdict: undecided ratio=- low=- high=- confidence=95 gate=open limit=10% name=alpha" ]
	! grep -q verdict: table.csv
	"$TARE" compare --help | grep -q -e --allow-missing
	run "$TARE" compare --gate 2% old.csv missing.csv
	[ "$status" -eq 1 ]
	[[ "${lines[-1]}" == "verdict: failed ratio=- low=- high=- confidence=99 gate=failed limit=2%" ]]
	export XDG_DATA_HOME="$PWD/data"
	run "$TARE" compare --gate 2% --baseline nosuch new.csv
	[ "$status" -eq 5 ]
	[[ "${lines[-1]}" == "verdict: failed ratio=- low=- high=- confidence=99 gate=failed limit=2%" ]]
}

@test "the confidence is told as it was asked for" {
	for level in 97.5 95 99.9; do
		run "$TARE" compare --gate 2% --confidence $level --filter alpha --latex - old.csv new.csv
		[ "$status" -eq 3 ]
		[[ "$output" == *", $level %)"* ]]
		[[ "$output" == *"Intervals are at $level "* ]]
		[[ "${lines[-1]}" == *" confidence=$level gate="* ]]
	done
}

@test "a filter is for the names of benchmarks, also where each file has one" {
	for file in old new; do
		grep -E 'subject|alpha' $file.csv >$file-one.csv
	done
	run "$TARE" compare --filter alpha old-one.csv new-one.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"new-one.csv is "*"slower than old-one.csv"* ]]
	run "$TARE" compare --filter beta old-one.csv new-one.csv
	[ "$status" -eq 5 ]
	run "$TARE" compare --filter 'old-one*' old-one.csv new-one.csv
	[ "$status" -eq 5 ]
}

@test "a filter leaves out the notes about what it leaves out" {
	for file in old new; do
		{ echo 'benchmark,wall (s)'
		  for i in $(seq 30); do echo "alpha,1.0$((i * 7 % 10))"; done
		  for i in 1 2 3; do echo "beta,1.0$i"; done; } >$file-few.csv
	done
	run "$TARE" compare old-few.csv new-few.csv
	[[ "$output" == *"beta: only 3 runs"* ]]
	run "$TARE" compare --filter alpha --json few.json old-few.csv new-few.csv
	[ "$status" -eq 0 ]
	[[ "$output" != *beta* && "$output" == *"measured at different times"* ]]
	[ "$(jq '[.warnings[] | select(.text | startswith("beta"))] | length' few.json)" = 0 ]
	run "$TARE" compare --filter beta old-few.csv new-few.csv
	[[ "$output" == *"3 runs: too few"* ]]
}

@test "filter, sort, only-changed, Markdown, CSV, JSON" {
	run "$TARE" compare --filter '^a' old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *alpha* && "$output" != *beta* ]]
	run "$TARE" compare --filter '-^a' old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" != *alpha* && "$output" == *beta* ]]
	run "$TARE" compare --filter '*a' old.csv new.csv
	[ "$status" -eq 2 ]
	[[ "$output" == *"--filter: '*a' is not a regular expression"* ]]
	run "$TARE" compare --only-changed old.csv new.csv
	[[ "$output" != *gamma* ]]
	run "$TARE" compare --sort change --csv table.csv --markdown table.md --json doc.json old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$(sed -n 2p table.csv)" == beta,* ]]
	grep -q '^| ' table.md
	grep -q '<details>' table.md
	python3 -c 'import json; d = json.load(open("doc.json")); assert len(d["comparisons"]) == 3'
}

@test "a result is never overwritten by a document, and documents may lack a file" {
	"$TARE" compare --json old.json old.csv new.csv >/dev/null
	cp old.json kept
	run "$TARE" compare --markdown old.csv new.csv # the form of all commands: FILE, then what is compared
	[ "$status" -eq 2 ]
	for option in --markdown --junit --latex; do
		run "$TARE" report $option old.json
		[ "$status" -eq 0 ]
		cmp old.json kept
		run "$TARE" report old.json $option
		[ "$status" -eq 0 ]
		"$TARE" report old.json $option own
		[ "$(cat own)" = "$output" ]
		"$TARE" report $option old.json -o other
		cmp own other
	done
	"$TARE" report old.json --markdown table.md --junit tests.xml -o page.html
	grep -q '^| ' table.md
	grep -q '<testsuite' tests.xml
	grep -q '<html' page.html
	run "$TARE" report --markdown --junit old.json
	[ "$status" -eq 2 ]
	[[ "$output" == *"only one document"* ]]
}

@test "--plot draws all that fits, or one by its name" {
	run "$TARE" compare --plot ratio old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"change of new against base"* && "$output" != *"values, "* ]]
	run "$TARE" compare --plot=density old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" != *"change of new against base"* && "$output" == *"values, "* ]]
	run "$TARE" compare --plot old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"change of new against base"* && "$output" == *"values, "* ]]
	run "$TARE" analyze --plot acf new.csv
	[ "$status" -eq 0 ]
	run "$TARE" compare --plot pairs old.csv new.csv
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare report RESULT --plot pairs"* ]]
	run "$TARE" compare --plot=pie old.csv new.csv
	[ "$status" -eq 2 ]
}

@test "a test by ranks speaks of medians, not of the total, in every document" {
	run "$TARE" compare --method mann-whitney --filter alpha --html ranks.html --latex - old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"The ratio is that of the medians over units"* ]]
	[[ "$output" != *"total is the ratio"* ]]
	grep -q '<dt>median</dt>' ranks.html
	[ "$(grep -c '>total<' ranks.html)" -eq 0 ]
	# The same name twice: which is which.
	[ "$(grep -c '<h3 class="name">[^<]* (base)</h3>' ranks.html)" -eq 1 ]
	[ "$(grep -c '<h3 class="name">[^<]* (new)</h3>' ranks.html)" -eq 1 ]
	# It has no interval: no dash in the place of one.
	run "$TARE" compare --method mann-whitney --markdown table.md --html ranks.html old.csv new.csv
	[ "$status" -eq 0 ]
	grep -q '^Geometric mean: .* %$' table.md
	grep -q '>geometric mean [^<]*%</p>' ranks.html
}

@test "invocations of one process are no runs, by no method" {
	python3 - <<-'EOF'
	import json
	for name, factor in (("old", 1), ("new", 1.5)):
	    iterations = [[[1000 * factor, 300], [1100 * factor, 80 + i], [5000 * factor, 1]] for i in range(5)]
	    json.dump([{"jmhVersion": "1.37", "benchmark": "p.B.x", "mode": "sample", "threads": 1, "forks": 1,
	                "primaryMetric": {"score": 1020 * factor, "scoreUnit": "us/op", "rawDataHistogram": [iterations]}}], open(name + ".json", "w"))
	EOF
	"$TARE" analyze old.json --json doc >/dev/null
	# The mean of all, not of the slowest one of each iteration.
	[ "$(json doc '0.00102 < d["subjects"][0]["metrics"][list(d["subjects"][0]["metrics"])[0]]["mean"] < 0.00105')" = True ]
	for method in verdict fieller welch bootstrap; do
		run "$TARE" compare --method $method --gate 2% old.json new.json
		[ "$status" -eq 4 ]
		[[ "${lines[-1]}" == "verdict: undecided "* ]]
	done
}

@test "a base of 0 has no ratio, by no method" {
	{ echo subject,value; yes zero,0 | head -30; for i in $(seq 30); do echo some,$((i > 18)); done; } >zero.csv
	for method in mann-whitney welch; do
		run "$TARE" analyze --method $method --json - zero.csv
		[ "$status" -eq 0 ]
		[[ "$output" == *'"verdict": "undecided"'* && "$output" == *"there is no ratio"* ]]
	done
}

@test "undecided is not unchanged" {
	for i in 1 2 3; do echo "a,$i,$((i * 7 % 5 + 10))"; echo "b,$i,$((i * 3 % 5 + 10))"; done >rows
	{ echo subject,run,value; cat rows; } >one.csv
	{ echo subject,run,value; sed 's/0$/1/' rows; } >two.csv
	run "$TARE" compare --markdown - one.csv two.csv
	[[ "$output" == *"No change is shown; 2 of 2 are undecided."* ]]
	run "$TARE" compare --only-changed one.csv two.csv
	[[ "$output" == *"No change is shown; 2 of 2 are undecided."* ]]
}

@test "documents are compared by the metric that decided in both" {
	judged old.json net 1 1
	judged slow-wall.json net 1.3 1
	run "$TARE" compare --gate 5% old.json slow-wall.json
	[ "$status" -eq 0 ]
	[[ "$output" == *$'\njudged by net\n'* && "${lines[-1]}" == "verdict: same "* ]]
	"$TARE" compare --csv - --markdown table.md old.json slow-wall.json 2>/dev/null >table.csv
	[ "$(cut -d, -f1,2,10 table.csv | tr '\n' ' ')" = "benchmark,metric,verdict a,net,same b,net,same " ]
	grep -qx 'judged by net' table.md
	# Asked for, and where nothing was compared.
	run "$TARE" compare --metric wall --gate 5% old.json slow-wall.json
	[ "$status" -eq 3 ]
	[[ "$output" != *"judged by"* ]]
	judged own.json net 1.3 1 subject
	run "$TARE" compare --gate 5% old.json own.json
	[ "$status" -eq 0 ]
	# From the store, and as a baseline.
	export XDG_DATA_HOME="$PWD/data"
	"$TARE" history import old.json slow-wall.json
	"$TARE" history baseline set main @1 --force
	run "$TARE" compare --gate 5% --baseline main @2
	[ "$status" -eq 0 ]
	[[ "$output" == *$'\njudged by net\n'* ]]
}

@test "a comparison of two sessions is judged anew as it was judged, not as the sessions stopped" {
	for side in 1 2; do
		for i in {10..29}; do echo "$side.$((i * 7 % 20 + 10))"; done | "$TARE" analyze - --json $side.json >/dev/null
		python3 - $side.json <<'END'
import json, sys
document = json.load(open(sys.argv[1]))
document["stopped"].update(reason="precision", rule="auto", looks="precision", alpha=0.05)
json.dump(document, open(sys.argv[1], "w"))
END
	done
	"$TARE" compare 1.json 2.json --json both.json >/dev/null
	"$TARE" analyze both.json --json again.json >/dev/null
	python3 - <<'END'
import json
both, again = (json.load(open(name + ".json"))["comparisons"][0]["ci"] for name in ("both", "again"))
assert both == again and both["level"] == 0.99 and both["method"] == "Fieller, t", (both, again)
END
}

@test "documents that different metrics decided: the first that both have, and that is said" {
	judged old.json net 1 1
	judged new.json cpu 1.3 1
	run "$TARE" compare --gate 5% old.json new.json
	[ "$status" -eq 3 ]
	[[ "${output//$'\n'     / }" == *"the old data was judged by net, the new by cpu: compared by wall"* ]]
	[[ "$output" == *"(--metric chooses)"* ]]
	run "$TARE" compare --metric cpu --gate 5% old.json new.json
	[ "$status" -eq 0 ]
	[[ "$output" != *"was judged by"* ]]
	# One does not say.
	judged silent.json "" 1.3 1
	run "$TARE" compare --gate 5% old.json silent.json
	[ "$status" -eq 3 ]
	[[ "$output" != *"judged by"* ]]
}

@test "benchmarks that are compared by different metrics: each row names its own" {
	judged old.json net 1 1 subject
	judged new.json net 1.3 1 subject
	sed -i 's/"metric": "net"/"metric": "cpu"/2' old.json new.json
	run "$TARE" compare old.json new.json
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "benchmark "*" metric "* ]]
	[[ "$output" == *$'\n'"a "*" net "*same*$'\n'"b "*" cpu "*same* && "$output" != *"judged by"* ]]
}

@test "a comparison in a document that names no metric is read" {
	judged old.json net 1 1
	sed -i 's/"metric": "net", "base"/"base"/' old.json
	for command in "report --text" "compare old.json"; do
		run "$TARE" $command old.json
		[ "$status" -eq 0 ]
	done
}

@test "a suite that moves as one is said to be the machine" {
	run "$TARE" compare before.csv moved.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"the whole suite moved by about +20"* ]]
}

@test "units that differ are not compared; one file is not enough" {
	judged a.json wall 1 1
	judged b.json wall 1 1
	sed -i 's/"net": {"unit": "s"/"net": {"unit": "bytes"/' b.json
	run "$TARE" compare a.json b.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"is in 's' in one and in 'bytes'"* ]]
	run "$TARE" compare old.csv
	[ "$status" -eq 2 ]
	run "$TARE" compare old.csv nothing-here
	[ "$status" -eq 1 ]
}

@test "no metric in common is said, and is an error where it is so of all" {
	for unit in ms MB/s; do
		for name in a b; do
			for i in $(seq 12); do echo "$name,$i"; done
		done | sed "1iname,$unit" >"${unit%/*}.csv"
	done
	for gate in "" "--gate 2%"; do
		run "$TARE" compare $gate ms.csv MB.csv
		[ "$status" -eq 5 ]
		[[ "$output" == *"no metric in common (old: value in s; new: MB/s in bytes/s); --columns"* ]]
		[[ "$output" == *"'tare analyze FILE' shows"* ]]
	done
	[[ "${lines[-1]}" == "verdict: failed "* ]]
	printf 'subject,value,unit\nalpha,1,MB\nalpha,2,MB\nbeta,3,MB\n' >other.csv
	run "$TARE" compare old.csv other.csv
	[ "$status" -eq 5 ]
	[[ "$output" == *"(old: value in s; new: value in bytes)"* ]]
	# Some of them: the others are compared, and the gate does not hold.
	sed '/alpha\|gamma/s/s$/MB/' same.csv >some.csv
	run "$TARE" compare --gate 2% old.csv some.csv
	[ "$status" -eq 4 ]
	[[ "${output//$'\n'     /}" == *"no metric in common (old: value in s; new: value in bytes);"*"(alpha; gamma)"* ]]
	[[ "$output" == *beta*same* && "${lines[0]}" != *metric* && "$output" != *"judged by"* && "$output" != *"is in 's' in one"* ]]
	# Asked for, and one has it alone.
	judged a.json wall 1 1
	judged b.json wall 1 1
	sed -i 's/"net":/"other":/' a.json
	run "$TARE" compare --metric net --metric wall a.json b.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"a: 'net' is not in both (old: wall in s; new: wall in s, net in s)"* ]]
}

# A machine that moves by 30 % between pairs, 2 % between the two programs.
pairs() {
	python3 - <<-'PY'
	import random
	random.seed(1)
	old, new = [], []
	for pair in range(400):
	    drift = random.lognormvariate(0, 0.3)
	    old.append(f"p{pair},{5 * drift * random.gauss(1, 0.01):.6f}")
	    new.append(f"p{pair},{5.1 * drift * random.gauss(1, 0.01):.6f}")
	random.shuffle(new)
	def table(name, header, rows):
	    open(name, "w").write("\n".join([header, *rows]) + "\n")
	table("a.csv", "pair,time_ms", old)
	table("b.csv", "pair,time_ms", new)
	table("short.csv", "pair,time_ms", new[:-3])
	table("other.csv", "pair,time_ms", ["x" + row for row in new])
	table("twice.csv", "pair,time_ms", new + new[:1])
	table("nameless.csv", "time_ms", [row.split(",")[1] for row in new])
	table("suite-a.csv", "benchmark,pair,time_ms", [f"{b},{row}" for b in "xy" for row in old])
	table("suite-b.csv", "benchmark,pair,time_ms", ["x," + row for row in new] + ["y,q" + row for row in new])
	table("turns.csv", "subject,pair,time_ms", ["A," + row for row in old] + ["B," + row for row in new])
	PY
}

@test "pairs across two files by their keys, whatever the order" {
	pairs
	run "$TARE" compare -v a.csv b.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"b.csv is 1.94 % slower than a.csv"*"400 pairs"* ]]
	[[ "$output" == *typical*total*"slow share"* ]]
	"$TARE" compare a.csv b.csv --json paired.json >out
	"$TARE" compare --columns pair= a.csv b.csv --json single.json >out
	python3 - <<-'PY'
	import json
	paired, single = (json.load(open(f))["comparisons"][0] for f in ("paired.json", "single.json"))
	width = lambda c: c["total"]["ci"]["high"] - c["total"]["ci"]["low"]
	assert paired["pairs"] == 400 and paired["units"] == 15, paired
	assert single["pairs"] == 0 and single["verdict"] == "undecided", single
	assert 5 * width(paired) < width(single), (width(paired), width(single))
	PY
	run "$TARE" compare a.csv short.csv
	[[ "$output" == *"397 pairs"* ]] # all that have a partner
	[[ "$output" == *"3 values have no partner in the other file and are left out"* ]]
}

@test "no keys, no keys in common and pairs inside a file are no pairs across files" {
	pairs
	for new in other.csv nameless.csv; do
		run "$TARE" compare a.csv "$new"
		[ "$status" -eq 0 ]
		[[ "$output" == *"400 runs each"* && "$output" != *typical* ]]
	done
	run "$TARE" compare a.csv other.csv
	[[ "$output" == *"no pair in common: not paired"* ]]
	run "$TARE" compare turns.csv turns.csv
	[ "$status" -eq 0 ]
	[ "$("$TARE" compare turns.csv turns.csv --csv - 2>/dev/null | cut -d, -f14 | tr '\n' ' ')" = "pairs 0 0 " ]
	[ "$("$TARE" compare --columns pair=pair turns.csv turns.csv --csv - 2>/dev/null | cut -d, -f14 | tr '\n' ' ')" = "pairs 400 400 " ]
	run "$TARE" compare a.csv twice.csv
	[ "$status" -eq 1 ]
	[[ "$output" == *"occurs twice"*"--columns"* ]]
}

@test "a suite where one benchmark has pairs: the other is not paired by its place" {
	pairs
	run "$TARE" compare suite-a.csv suite-b.csv --csv out.csv
	[ "$status" -eq 0 ]
	[ "$(cut -d, -f1,14 out.csv | tr '\n' ' ')" = "benchmark,pairs x,400 y,0 " ]
	"$TARE" compare suite-a.csv suite-b.csv --json doc.json >out
	"$TARE" analyze doc.json --json again.json >out
	python3 - <<-'PY'
	import json
	metrics = [s["metrics"]["time"] for s in json.load(open("doc.json"))["subjects"]]
	sets = [m.get("pair_set", 0) for m in metrics]
	assert sets[0] == sets[2] and sets[1] != sets[3], sets
	assert sets == [s["metrics"]["time"].get("pair_set", 0) for s in json.load(open("again.json"))["subjects"]]
	PY
}

@test "a time of 0 is never left out in silence" {
	pairs
	sed '60s/,.*/,0/' a.csv >zero.csv
	run "$TARE" compare zero.csv b.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"slower than zero.csv in total"* && "$output" != *typical* ]]
	[[ "$output" == *"1 time is 0, the first in line 60"* ]]
	[[ "$output" == *"the first in pair"*"only the total is"* ]]
}

@test "two files of different times say so; of different machines the headline does" {
	for side in old:1.0:2 new:1.3:2 elsewhere:1.3:4; do
		python3 - "$side" <<-'PY'
		import json, sys
		name, scale, cpus = sys.argv[1].split(":")
		values = [[float(scale) * (1 + 0.001 * (i * 7 % 20))] for i in range(20)]
		json.dump({"schema": "tare/1", "design": {"name": "solo", "levels": ["run", "iteration"]}, "stopped": {},
		           "host": {"cpu": "x", "cpus": int(cpus)},
		           "subjects": [{"name": "x", "metrics": {"wall": {"unit": "s", "better": "lower", "n": 20, "samples": values}}}]},
		          open(name, "w"))
		PY
	done
	run "$TARE" compare old new
	[ "$status" -eq 0 ]
	[[ "$output" == "new is 30"*" slower than old"*"note: measured at different times: the difference includes what the machine did"* ]]
	[[ "$output" != *"but on different machines"* ]]
	run "$TARE" compare --color always old elsewhere
	[[ "${output//$'\n'/ }" == *"slower than old"*", but on different machines"*"measured at different times"* ]]
	[[ "$output" != *$'\e[31melsewhere'* ]]
}

@test "a ratio near the smallest number is never infinite" {
	python3 -c 'import random
made = random.Random(1)
with open("old.txt", "w") as old, open("new.txt", "w") as new, open("smallest.txt", "w") as smallest:
    for i in range(40):
        print(made.gauss(1, 0.01), file=old)
        print(f"{made.uniform(1, 1.01)}e-99", file=new)
        print(f"{made.uniform(1, 1.01):.5f}e-310", file=smallest)'
	for method in fieller bootstrap mann-whitney; do
		run "$TARE" compare old.txt new.txt --method $method --html page.html --markdown table.md
		[ "$status" -eq 0 ]
		[ "${lines[0]}" = "new.txt is more than 1e15 times faster than old.txt" ]
		! grep -qwi 'inf' page.html table.md
		! grep -qw 'inf' <<<"$output"
	done
	run "$TARE" compare old.txt smallest.txt
	[[ "$status" -eq 0 && "$output" == "cannot compare smallest.txt with old.txt: values this large or this small"* ]]
}
