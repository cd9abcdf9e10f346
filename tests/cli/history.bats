#!/usr/bin/env bats
# The store and what looks into it, as a user types it.

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	store="$XDG_DATA_HOME/tare/tare.db"
	spin="$(dirname "$TARE")/bench/spin"
}

measure() { # options and commands: a short experiment that is saved
	"$TARE" run --progress none --quiet -r 4 --metric cpu "$@" >out 2>err
}

sql() { # STATEMENT: rows of the store, as Python prints them
	python3 -c 'import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]' "$store" "$1"
}

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
	[[ "$output" == *"no saved experiment is like that"* ]]
	run "$TARE" history list -n 1 --csv -
	[[ "$output" == *"two"* && "$output" != *"uno"* ]]
	run "$TARE" history list --since tomorrow
	[ "$status" -eq 2 ]
	[[ "$output" == *"--since"* ]]
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

@test "what is measured is printed and rescued when it cannot be saved" {
	mkdir -p "$(dirname "$store")"
	seq 5000 >"$store"
	run "$TARE" run --progress none -r 4 --metric cpu --gate 50% -n one "$spin 1000" -n two "$spin 1000"
	[[ "$output" == *"mean cpu"*"verdict:"* ]]
	[[ "$output" == *"the result is not in the store"*"not a database"* ]]
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
	run "$TARE" analyze tare-rescue-*.json
	[ "$status" -eq 0 ]
	rm -f "$store" tare-rescue-*
	measure "$spin 1000"
	python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("PRAGMA user_version = 77")' "$store"
	run "$TARE" run --progress none -r 4 "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"newer tare (schema 77"* ]]
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
}

@test "killed at random moments" {
	python3 "$SOURCE_ROOT/tests/cli/store_kills.py" "$TARE" 10
}

@test "a killed run can be looked at" {
	"$TARE" run --progress none --design turns --metric cpu -r 100000 "$spin 1000" "$spin 1000" >/dev/null &
	run=$!
	until [ -e "$store" ] && [ "$(sql 'SELECT count(*) FROM round' 2>/dev/null || echo 0)" -gt 12 ]; do sleep 0.1; done
	kill -9 $run
	wait $run || true
	run "$TARE" history list
	[[ "$output" == *"killed"* ]]
	run "$TARE" history show @last
	[ "$status" -eq 0 ]
	[[ "$output" == *"its finished rounds are here"*"mean cpu"* ]]
	run "$TARE" analyze @last --metric cpu
	[ "$status" -eq 0 ]
	run "$TARE" history verify
	[[ "$output" == *"1 of them were killed"* ]]
}

@test "names, tags and units of any kind" {
	long=$(python3 -c 'print("x" * 10000)')
	bad=$(printf 'a\xff\xfe\x80b')
	for name in "'; DROP TABLE experiment;--" '"quoted" \ back' "$(printf 'tab\tnew\nline\x1b[31mred')" "$bad" "$long" '%s%n' '-'; do
		measure --name "$name" --tag "$name" --pi "rate:$(printf '%.60s' "$name" | tr -d ':'):regex=([0-9]+)" -n "$name" "echo 5"
		run "$TARE" history list --tag "$name"
		[ "$status" -eq 0 ]
		run "$TARE" history show @last
		[ "$status" -eq 0 ]
		[[ "$output" != *$'\x1b[31m'* ]]
		run "$TARE" history list --subject "$name" --csv -
		[ "$status" -eq 0 ]
		"$TARE" history export @last >doc
		"$TARE" analyze @last >/dev/null
	done
	[ "$(sql 'SELECT count(*) FROM experiment')" = 7 ]
	[ "$(sql 'PRAGMA integrity_check')" = ok ]
	run "$TARE" history trend --all
	[ "$status" -eq 0 ]
	run "$TARE" history verify
	[ "$status" -eq 0 ]
}

@test "no place to write, a full disk, a lock that is held" {
	XDG_DATA_HOME=/proc/self run "$TARE" run --progress none -r 4 --metric cpu "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"mean "*"the result is not in the store"*"it was written to ./tare-rescue-"* ]]
	rm tare-rescue-*
	trap '' XFSZ
	(ulimit -f 200; "$TARE" run --progress none -r 150 --metric cpu -n a "$spin 1000" -n b "$spin 1000" >out 2>err)
	trap - XFSZ
	grep -q "mean " out
	grep -q "the result is not in the store" err
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
	[ "$(sql 'PRAGMA integrity_check')" = ok ]
	rm tare-rescue-*
	measure "$spin 1000"
	python3 -c '
import sqlite3, sys, time
d = sqlite3.connect(sys.argv[1], isolation_level=None)
d.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(60)' "$store" >held &
	holder=$!
	until grep -q held held; do sleep 0.05; done
	run "$TARE" run --progress none -r 4 --metric cpu "$spin 1000"
	kill $holder
	[ "$status" -eq 0 ]
	[[ "$output" == *"mean "*"the result is not in the store"*"another process holds it"* ]]
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
}

@test "several at once" {
	for i in 1 2 3; do
		"$TARE" run --progress none -q -r 20 --metric cpu --name "n$i" "$spin 1000" >/dev/null 2>err$i &
	done
	wait
	[ "$(cat err1 err2 err3)" = "" ]
	# A round that found the store busy is written with the next one: the samples are all there.
	[ "$(sql "SELECT count(*) FROM experiment WHERE state = 'done'")" = 3 ]
	for i in 1 2 3; do
		"$TARE" analyze --json doc "@n$i" >/dev/null
		[ "$(python3 -c 'import json; print(json.load(open("doc"))["subjects"][0]["metrics"]["cpu"]["n"])')" = 20 ]
	done
}

@test "verify, prune, merge, export" {
	for i in 1 2 3; do measure --name "n$i" --tag t "$spin 1000"; done
	run "$TARE" history verify
	[[ "$output" == *"3 experiments"*"all whole"* ]]
	"$TARE" history export -o docs
	[ "$(ls docs)" = "$(printf 'tare-%d.json\n' 1 2 3)" ]
	run "$TARE" history merge --store other.db "$store"
	[ "$output" = "3 experiments added, 0 were there already" ]
	run "$TARE" history merge --store other.db "$store"
	[ "$output" = "0 experiments added, 3 were there already" ]
	"$TARE" history export @2 >a
	"$TARE" history export @2 --store other.db >b
	cmp a b
	run "$TARE" history prune
	[ "$status" -eq 2 ]
	run "$TARE" history prune --keep 1 --dry-run
	[ "$output" = "2 experiments would go" ]
	run "$TARE" history prune --keep 1
	[ "$output" = "2 experiments removed" ]
	[ "$(sql 'SELECT count(*) FROM chunk')" -gt 0 ]
	[ "$(sql 'SELECT count(*) FROM subject')" = 1 ]
	run "$TARE" history list
	[[ "$output" == *"n3"* && "$output" != *"n2"* ]]
	run "$TARE" history merge nothing.db
	[ "$status" -eq 5 ]
}

@test "a damaged store is told and the rest of it is read" {
	for i in 1 2 3; do measure "$spin 1000"; done
	python3 -c '
import sqlite3, sys
d = sqlite3.connect(sys.argv[1])
d.execute("UPDATE chunk SET data = substr(data, 1, 2) WHERE series IN (SELECT series.id FROM series JOIN subject ON subject.id = series.subject WHERE experiment = 2)")
d.commit()' "$store"
	run "$TARE" history verify
	[ "$status" -eq 1 ]
	[[ "$output" == *"experiment 2: its samples are damaged"*"1 problems were found"* ]]
	run "$TARE" analyze @2
	[ "$status" -eq 1 ]
	run "$TARE" history export @1 @3 -o docs
	[ "$status" -eq 0 ]
	dd if=/dev/urandom of="$store" bs=2048 seek=3 count=6 conv=notrunc 2>/dev/null
	run "$TARE" history verify
	[ "$status" -eq 1 ]
	measure "$spin 1000" || true
	grep -q "not in the store" err
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

@test "machines are never mixed" {
	{ history_of 30 99 1 | sed '1s/$/,host/;2,$s/$/,fast/'; history_of 30 99 1 | sed '1d;s/$/,slow/' | sed 's/,20\./,40./;s/,19\./,39./'; } >table.csv
	"$TARE" history import table.csv
	run "$TARE" history changes
	[ "$status" -eq 0 ]
	[[ "$output" == *"results of different machines are looked at apart"* ]]
	[[ "$output" == *"4 of 4 histories show no change"* ]]
	run "$TARE" history trend sort --host slow -n 2
	[[ "$output" == *"on slow"* && "$output" != *"on fast"* ]]
}

@test "a rescued document can be imported" {
	mkdir -p "$(dirname "$store")"
	seq 5000 >"$store"
	measure -n one "$spin 1000" -n two "$spin 2000"
	rm "$store"
	run "$TARE" history import tare-rescue-*.json
	[ "$output" = "1 results added" ]
	run "$TARE" history show @last
	[[ "$output" == *"mean cpu"* ]]
	run "$TARE" history import tare-rescue-*.json
	[ "$output" = "0 results added, 1 were there already" ]
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
