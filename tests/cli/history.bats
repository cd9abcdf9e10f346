#!/usr/bin/env bats
# What was saved and what looks into it, as a user types it.

load saved

@test "a run is saved with all that is needed to find and repeat it" {
	measure --name first --tag a --tag b --seed 7 -n one "$spin 1000" -n two "$spin 2000"
	run "$TARE" history list
	[ "$status" -eq 0 ]
	[[ "$output" == *"@1"*"first"*"4"*"done"*"a, b"* ]]
	run "$TARE" history show @first
	[ "$status" -eq 0 ]
	[[ "$output" == *"seed        7"* ]]
	[[ "$output" == *"'$spin 1000'"* ]]
	[[ "$output" == *"sha256    $(sha256sum <"$spin" | cut -d' ' -f1)"* ]]
	[[ "$output" == *"mean cpu"* ]]
	[ "$(sql 'SELECT count(*) FROM round')" = 0 ]
	[ "$(sql "SELECT sum(chunk.n) FROM chunk JOIN series ON series.id = chunk.series WHERE metric = 'cpu'")" = 8 ]
}

@test "a saved result reads like its document" {
	measure --json doc -n one "$spin 1000" -n two "$spin 2000"
	"$TARE" analyze @last --json a >/dev/null
	"$TARE" analyze doc --json b >/dev/null
	run python3 -c '
import json
a, b = json.load(open("a")), json.load(open("b"))
del a["argv"], b["argv"]
assert a == b'
	[ "$status" -eq 0 ]
	measure -n one "$spin 1000" -n two "$spin 2000"
	run "$TARE" compare @last~1 @2 --metric cpu
	[ "$status" -eq 0 ]
	[[ "$output" == *"one"* ]]
	[ "$("$TARE" export @1 --format csv --metric cpu 2>/dev/null | grep -c cpu)" = 8 ]
}

@test "--no-save and --dry-run save nothing, an unknown name is told" {
	measure --no-save "$spin 1000"
	"$TARE" run --dry-run "$spin 1000" >/dev/null
	[ ! -e "$store" ]
	run "$TARE" history list
	[ "$status" -eq 5 ]
	[[ "$output" == *"nothing was saved yet"* ]]
	measure "$spin 1000"
	run "$TARE" analyze @nobody
	[ "$status" -eq 5 ]
	[[ "$output" == *"no saved experiment is '@nobody'"* ]]
	run "$TARE" history show 99
	[ "$status" -eq 5 ]
	run "$TARE" history dance
	[ "$status" -eq 2 ]
	[[ "$output" == *"list, show,"* ]]
}

@test "a project has its own store" {
	mkdir -p project/below
	cd project
	run "$TARE" init
	[ "$status" -eq 0 ]
	[ -e .tare/tare.db ]
	run "$TARE" init
	[ "$status" -eq 0 ]
	[[ "$output" == *"already"* ]]
	cd below
	measure --name mine "$spin 1000"
	[ ! -e "$store" ]
	run "$TARE" history
	[[ "$output" == *"mine"* ]]
	run "$TARE" history --store ../.tare/tare.db
	[[ "$output" == *"mine"* ]]
	run "$TARE" init /nowhere/at/all
	[ "$status" -eq 1 ]
}

@test "filters" {
	measure --name uno --tag x "$spin 1000"
	measure --name two --tag x --tag y "$spin 2000"
	run "$TARE" history list --tag x --csv -
	[ "${#lines[@]}" -eq 3 ]
	run "$TARE" history list --tag x --tag y --csv -
	[ "${#lines[@]}" -eq 2 ]
	run "$TARE" history list --subject '*spin 2000' --csv -
	[ "${#lines[@]}" -eq 2 ]
	run "$TARE" history list --name uno --csv -
	[ "${#lines[@]}" -eq 2 ]
	run "$TARE" history list --since 2200-01-01
	[ "$status" -eq 0 ]
	[[ "$output" == *"no saved experiment matches"* ]]
	mkdir fresh
	(cd fresh && "$TARE" init >/dev/null && env -u TARE_STORE "$TARE" history) >said
	grep -q "nothing is saved here yet: 'tare run'" said
	run "$TARE" history list -n 1 --csv -
	[[ "$output" == *"two"* && "$output" != *"uno"* ]]
	run "$TARE" history list --since tomorrow
	[ "$status" -eq 2 ]
	[[ "$output" == *"--since"* ]]
}

@test "a word that nothing is done with is an error" {
	measure --name n "$spin 1000"
	for words in 'list n' 'trend a b' 'changes a b' 'baseline list b' 'baseline remove a b' 'baseline set a @1 @1 @1' 'baseline set a @1 @1 @1 @1'; do
		run "$TARE" history $words
		[[ "$status" -eq 2 && "$output" == *"one word too many for history ${words%% *}"* ]] || { echo "$words: $output" >&2; false; }
	done
}

@test "commit and changes of the checkout" {
	git --version || skip "no git"
	git init -q . && git checkout -q -b trunk
	echo a >a && git add a && git -c user.name=n -c user.email=e commit -qm m
	measure "$spin 1000"
	run "$TARE" history show
	[[ "$output" == *"commit      $(git rev-parse HEAD) on trunk"$'\n'* ]]
	echo b >a
	measure "$spin 1000"
	run "$TARE" history show
	[[ "$output" == *"on trunk, with changes"* ]]
}

history_of() { # N AT FACTOR: a table of N results that change by FACTOR from row AT on, with 1 % noise
	python3 -c '
import random, sys
n, at, factor = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
made = random.Random(1)
print("time,commit,benchmark,mean_ms")
for i in range(n):
    for name in ("sort", "merge"):
        change = factor if i >= at and name == "sort" else 1
        print(f"{1700000000 + 86400 * i},c{i:03d},{name},{20 * change * made.gauss(1, 0.01):.4f}")' "$@"
}

@test "changes of an imported history: size and place with intervals" {
	history_of 80 50 1.05 >table.csv
	run "$TARE" history import table.csv
	[ "$status" -eq 0 ]
	[ "$output" = "80 results added" ]
	run "$TARE" history import table.csv
	[ "$output" = "0 results added, 80 were there already" ]
	run "$TARE" history changes
	[ "$status" -eq 0 ]
	[[ "$output" == *"sort  mean, 80 results from 2023-11-14 to 2024-02-01"* ]]
	[[ "$output" == *"slower: +"*" at 95 %, from "*" ms to "*" ms"* ]]
	[[ "$output" == *"after @"*" and not later than @"* ]]
	[[ "$output" == *"1 of 2 histories show no change"* ]]
	run "$TARE" history changes --min-change 20%
	[[ "$output" == *"2 of 2 histories show no change"* ]]
	run "$TARE" history changes --csv -
	[ "${#lines[@]}" -eq 2 ]
	[[ "${lines[1]}" == sort,mean,* ]]
	run "$TARE" history trend sort -n 5
	[ "$status" -eq 0 ]
	[[ "$output" == *"change"*"@80 2024-02-01 c079"* ]]
	run "$TARE" history trend nothing
	[ "$status" -eq 5 ]
	run "$TARE" history import
	[ "$status" -eq 2 ]
	run "$TARE" history import --columns value=x table.csv
	[ "$status" -eq 2 ]
}

@test "rows of the same moment are one result of all their values" {
	printf '%s\n' time,commit,name,value,unit,low,high 2024-01-01,a,sort,42,s,41,43 2024-01-01,a,sort,44,s,43,45 2024-01-01,a,sort,49,s,48,50 \
		2024-01-01,a,once,5,s,4,6 >table.csv
	run "$TARE" history import table.csv
	[ "$output" = "1 result added" ]
	[ "$(sql 'SELECT name, n, mean, median, low < 42, high > 49 FROM series JOIN subject ON subject.id = series.subject WHERE n > 1')" = "sort 3 45.0 44.0 1 1" ]
	[ "$(sql 'SELECT name, mean, median, low, high FROM series JOIN subject ON subject.id = series.subject WHERE n = 1')" = "once 5.0 5.0 4.0 6.0" ]
	run "$TARE" history trend sort --csv -
	[[ "${lines[1]}" == *",45,"* ]]
}

@test "standard input is imported, with the options" {
	measure --name mine -n one "$spin 1000"
	"$TARE" history export @1 >doc.json
	run "$TARE" history import --store s.db --name given --tag t - <doc.json
	[ "$status" -eq 0 ]
	[ "$output" = "1 result added" ]
	run "$TARE" history list --store s.db --csv -
	[[ "${lines[1]}" == *given* && "${lines[1]}" == *t* ]]
	history_of 3 9 1 | gzip >table.csv.gz
	run "$TARE" history import - <table.csv.gz
	[ "$output" = "3 results added" ]
	echo '{"results": [{"command": "x", "times": [1, 2, 3]}]}' >h.json
	run "$TARE" history import --better higher --name speeds - <h.json
	[ "${lines[-1]}" = "1 result added" ]
	[ "$(sql "SELECT experiment.name, better FROM series JOIN subject ON subject.id = series.subject JOIN experiment ON experiment.id = experiment WHERE subject.name = 'x'")" = "speeds higher" ]
	run "$TARE" history import --better higher --name again h.json
	[ "$output" = "0 results added, 1 was there already" ]
	run "$TARE" history import - </dev/null
	[ "$status" -ne 0 ]
	[[ "$output" == *"standard input"*"empty"* || "$output" == *"empty"*"standard input"* ]]
}

@test "what is there already is not imported again" {
	measure --json doc.json -n one "$spin 1000" -n two false -i
	history_of 2 9 1 >table.csv
	echo '{"results": [{"command": "x", "times": [1, 2, 3]}]}' >h.json
	"$TARE" history import table.csv h.json
	"$TARE" history export --all -o all
	run "$TARE" history import doc.json all/*.json
	[ "$status" -eq 0 ]
	[ "$output" = "0 results added, 5 were there already" ]
	measure -n one "$spin 1000"
	"$TARE" history export @last >last.json
	run "$TARE" history import --store other.db last.json doc.json
	[ "$output" = "2 results added" ]
	run "$TARE" history import --store other.db last.json
	[ "$output" = "0 results added, 1 was there already" ]
}

@test "subjects that differ in their parameters or programs have histories of their own" {
	printf '[%s]' "$(for size in 10 20; do
		printf '%s{"benchmark": "b.Sort", "mode": "avgt", "params": {"size": "%s"},' "$([ $size = 10 ] || echo ,)" $size
		printf '"primaryMetric": {"scoreUnit": "s/op", "rawData": [[%s, 2, 3]]}}' $size
	done)" >jmh.json
	run "$TARE" history import jmh.json
	[ "${lines[-1]}" = "1 result added" ]
	[ "$(sql 'SELECT name FROM subject')" = "b.Sort size=10"$'\n'"b.Sort size=20" ]
	"$TARE" history export @1 >doc.json
	run "$TARE" history import jmh.json doc.json
	[ "$output" = "0 results added, 2 were there already" ]
	printf '%s\n' subject,program,value sort,p,1 sort,q,2 sort,p,3 sort,q,4 >table.csv
	"$TARE" analyze table.csv --json doc.json >/dev/null
	"$TARE" history import --store p.db doc.json
	run "$TARE" history list --store p.db --subject 'sort (q)' --csv -
	[ "${#lines[@]}" -eq 2 ]
}

@test "text of a tool is one result" {
	printf 'goos: linux\nBenchmarkFoo-8   \t 100\t 12 ns/op\nBenchmarkFoo-8   \t 100\t 14 ns/op\n' >go.txt
	run "$TARE" history import go.txt
	[ "${lines[-1]}" = "1 result added" ]
	[[ "$output" == *"1 result does not say when it was measured"* ]]
	sed 's/^goos/runstamp: 20220109T213214\ngoos/' go.txt >stamped.txt
	run "$TARE" history import --store stamped.db stamped.txt
	[ "$output" = "1 result added" ]
	echo '{"context": {"date": "01/18/18 10:20"}, "benchmarks": [{"name": "a", "real_time": 5, "time_unit": "ns"}]}' >odd-date.json
	run "$TARE" history import --store stamped.db odd-date.json
	[[ "$output" == *"1 result does not say when it was measured"* ]]
	[ "$(sql 'SELECT metric, unit, n FROM series')" = "wall s 2" ]
	printf '%s\n' subject,parameter:n,metric,unit,better,run,iteration,value s,1,score,,higher,1,1,5 s,1,score,,higher,2,1,6 \
		s,2,score,,higher,1,1,50 >samples.csv
	run "$TARE" history import samples.csv
	[ "${lines[-1]}" = "1 result added" ]
	[ "$(sql "SELECT name, better, n FROM subject JOIN series ON subject = subject.id WHERE series.metric = 'score'")" = \
		"s n=1 higher 2"$'\n'"s n=2 higher 1" ]
	printf '1.5\n1.6\n' >plain.txt
	run "$TARE" history import plain.txt
	[ "$status" -eq 1 ]
	[[ "$output" == *"plain.txt"*"first line"* ]]
}

@test "machines are never mixed" {
	{ history_of 30 99 1 | sed '1s/$/,host/;2,$s/$/,fast/'; history_of 30 99 1 | sed '1d;s/$/,slow/' | sed 's/,20\./,40./;s/,19\./,39./'; } >table.csv
	"$TARE" history import table.csv
	run "$TARE" history changes
	[ "$status" -eq 0 ]
	[[ "$output" == *"results of different machines are shown separately"* ]]
	[[ "$output" == *"4 of 4 histories show no change"* ]]
	run "$TARE" history trend sort --host slow -n 2
	[[ "$output" == *"on slow"* && "$output" != *"on fast"* ]]
}

@test "a history that is too short shows nothing, and that is said" {
	history_of 9 5 2 >table.csv
	"$TARE" history import table.csv
	run "$TARE" history changes sort
	[ "$status" -eq 0 ]
	[ "$output" = "only 9 results: too few to find changes (at least 24)" ]
	run "$TARE" history changes sort --min-points 14
	[ "$output" = "only 9 results: too few to find changes (at least 28)" ]
	run "$TARE" history changes
	[ "$output" = "2 of 2 histories have too few results to find changes (at least 24)" ]
	"$TARE" report --history --subject sort -o short.html
	grep -q '<h1>only 9 results: too few to find changes (at least 24)</h1>' short.html
	! grep -qi 'no change' short.html
}

shared() { # the folder of others' data, or skip
	data="${TARE_SHARED:-$SOURCE_ROOT/../shared}/data"
	[ -d "$data" ] || skip "no data of others beside the checkout"
}

@test "TigerBeetle, VictoriaMetrics: the changes that others found" {
	shared
	"$TARE" history import --store t.db "$data/apache-otava/tigerbeetle.csv"
	run "$TARE" history changes --store t.db --min-change 5% --csv -
	[ "$(printf '%s\n' "${lines[@]}" | cut -d, -f4 | tr '\n' ' ')" = "id 16 72 " ] # numbers from 1: 15 and 71
	"$TARE" history import --store v.db --unit % --columns value=med,low=min,high=max,subject=type "$data/grambow-histories/app_bootstrap_vm.csv"
	run "$TARE" history changes --store v.db "simple queries" --csv -
	[[ "${lines[1]}" == "simple queries,med,"*",11,11,"* ]] # commit 11
}

@test "YJIT and Mozilla: what the maintainers and the experts marked" {
	shared
	"$TARE" history import --store y.db --columns value=mean_ms "$data/yjit-metrics/history/aarch64_prod_ruby_with_yjit.csv.gz"
	"$TARE" history changes --store y.db --min-change 0 --csv y.csv
	python3 - "$data" <<-'END'
		import csv, gzip, sys
		rows = list(csv.DictReader(gzip.open(sys.argv[1] + "/yjit-metrics/history/aarch64_prod_ruby_with_yjit.csv.gz", "rt")))
		times = sorted({row["timestamp_utc"] for row in rows})
		found = {}
		for row in csv.DictReader(open("y.csv")):
		    found.setdefault(row["subject"], []).append(int(row["id"]) - 1)
		for benchmark, when in [("activerecord", "2023-01-10-080000"), ("activerecord", "2023-01-20-080000"),
		                        ("railsbench", "2023-01-20-080000"), ("hexapdf", "2023-01-20-080000"),
		                        ("psych-load", "2023-01-20-080000"), ("mail", "2023-01-20-080000")]:
		    place = sum(time < when for time in times)
		    assert any(abs(at - place) <= 2 for at in found[benchmark]), (benchmark, when, place, found[benchmark])
	END
	for labels in "$data"/mozilla-perf-annotated/series/*.labels.json; do
		rm -f m.db*
		"$TARE" history import --store m.db --columns value=value,time= "${labels%.labels.json}.csv.gz" >/dev/null
		"$TARE" history changes --store m.db --min-change 0 --csv m.csv
		python3 - "$labels" <<-'END'
			import csv, json, sys
			marks = list(json.load(open(sys.argv[1]))["annotations"].values())
			found = [int(row["id"]) - 1 for row in csv.DictReader(open("m.csv"))]
			votes = lambda place: sum(any(abs(mark - place) <= 5 for mark in expert) for expert in marks)
			for place in {mark for expert in marks for mark in expert}:
			    if 4 * votes(place) >= 3 * len(marks):
			        assert any(abs(at - place) <= 5 for at in found), (sys.argv[1], place)
			assert sum(votes(at) == 0 for at in found) <= 5, (sys.argv[1], found)
		END
	done
}

@test "a folder that is imported is answered with what to give" {
	mkdir results
	for folder in results results/; do
		run "$TARE" history import $folder
		[ "$status" -eq 1 ]
		[ "${lines[0]}" = "tare: $folder: is a folder" ]
		[ "${lines[1]}" = "give its files, for example: tare history import results/*.json" ]
	done
}
