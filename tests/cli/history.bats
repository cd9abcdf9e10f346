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
	[[ "$output" == *"list, show"* ]]
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
