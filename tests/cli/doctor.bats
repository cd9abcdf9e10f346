#!/usr/bin/env bats
# tare doctor, as a user types it.
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	machines="$SOURCE_ROOT/tests/machines"
}

snapshot() {
	"$machines/unpack" "$machines/$1" "$BATS_TEST_TMPDIR/$1"
}

# columns TEXT: the widest line, in characters.
columns() {
	python3 -c 'import sys; print(max(len(line) for line in sys.argv[1].splitlines()))' "$1"
}

@test "this machine: little CPU time, exit 0, 80 columns, no colour into a pipe" {
	{ TIMEFORMAT='%U %S' && time "$TARE" doctor >out; } 2>used
	output=$(cat out)
	awk 'END { exit !($1 + $2 < 1.5) }' used # beside half a second that it looks on
	[[ "$output" == *"it to measure"* ]]
	[[ "$output" != *$'\e'* ]]
	[ "$(columns "$output")" -le 80 ]
}

@test "without root, and without any permission that can be taken away" {
	[ "$(id -u)" -eq 0 ] || skip "is not root anyway"
	command -v setpriv >/dev/null || skip "no setpriv"
	cp "$TARE" tare
	chmod 755 . tare
	run setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set -all "$BATS_TEST_TMPDIR/tare" doctor
	[[ "$output" != *"ermission denied"* ]] || skip "nobody may not enter this folder"
	[ "$status" -eq 0 ]
	[[ "$output" == *"it to measure"* ]]
}

@test "a machine that is ready" {
	snapshot quiet
	run "$TARE" doctor --root quiet
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "Intel(R) Core(TM) i5-9600K CPU @ 3.70GHz, Debian GNU/Linux 12 (bookworm),"* ]]
	[[ "$output" == *"Fit to measure."* ]]
	[[ "$output" != *"Bad"* ]]
	[[ "$output" == *"✔ isolated CPUs    2-3: quiet places for tare run --cpus 2-3"* ]]
}

@test "a machine that is not: what is bad comes first, with its cost and a command" {
	snapshot container-v2
	run "$TARE" doctor --root container-v2
	[ "$status" -eq 0 ]
	[ "${lines[1]}" = "Bad" ]
	[ "${lines[2]}" = "  ✘ CPU quota        1.5 of 4 CPUs (cgroup version 2), stopped 3 times just now" ]
	[[ "$output" == *'$ docker update --cpus 4 CONTAINER'* ]]
	[[ "$output" == *"Not fit to measure yet. First, CPU quota: lift the quota"* ]]
	[ "$(columns "$output")" -le 80 ]
}

@test "every snapshot fits 80 columns, with Unicode and without" {
	for machine in quiet server cloud-vm container-v2 container-v1 one-cpu arm64 laptop; do
		snapshot "$machine"
		run "$TARE" doctor --root "$machine"
		[ "$status" -eq 0 ]
		[ "$(columns "$output")" -le 80 ]
		run "$TARE" doctor --ascii --root "$machine"
		[ "$status" -eq 0 ]
		[ "$(columns "$output")" -le 80 ]
		[ "$(printf %s "$output" | LC_ALL=C tr -d '\000-\177' | wc -c)" -eq 0 ]
	done
}

@test "an empty machine is not known, and that is no failure" {
	mkdir nothing
	run "$TARE" doctor --root nothing
	[ "$status" -eq 0 ]
	[[ "$output" == *"Not known"* ]]
	[[ "$output" == *"? swap             /proc/meminfo does not show it"* ]]
}

@test "JSON: to a file beside the text, or to standard output" {
	snapshot laptop
	run --separate-stderr "$TARE" doctor --root laptop --json -
	[ "$status" -eq 0 ]
	[[ "$stderr" == *"Not fit to measure yet"* ]]
	printf %s "$output" | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["schema"] == "tare-doctor/1" and d["fit"] is False
assert d["host"]["cpu"].startswith("12th Gen") and d["summary"].endswith("plug it in.")
found = {f["name"]: f for f in d["findings"]}
assert len(found) == len(d["findings"]) == 29
assert d["findings"][0]["name"] == "power" and d["findings"][0]["state"] == "bad"
assert found["caches"]["state"] == "unknown" and found["caches"]["value"] is None and found["caches"]["value_why"]
assert found["swap"]["number"] == 500000 * 1024 and found["swap"]["unit"] == "bytes"
assert found["turbo"]["command"].startswith("echo 1 | sudo tee")
for f in found.values():
    assert set(f) - {"value_why", "number", "unit"} == {"name", "title", "state", "value", "cost", "advice", "command"}
'
	run "$TARE" doctor --root laptop --json found.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"Not fit to measure yet"* ]]
	[ "$(python3 -c 'import json; print(json.load(open("found.json"))["version"])')" = "$("$TARE" --version | cut -d' ' -f2)" ]
}

@test "colour on demand, and never when it is not wanted" {
	snapshot laptop
	run "$TARE" doctor --root laptop --color always
	[[ "$output" == *$'\e[31m✘\e[0m'* ]]
	run "$TARE" doctor --root laptop --color never
	[[ "$output" != *$'\e'* ]]
}

@test "exit 1 when it cannot look or write, 2 for wrong options" {
	run "$TARE" doctor --root no-such-folder
	[ "$status" -eq 1 ]
	[[ "$output" == *"no-such-folder"* ]]
	run "$TARE" doctor --json no/such/folder.json
	[ "$status" -eq 1 ]
	snapshot quiet
	run bash -c '"$TARE" doctor --root quiet >/dev/full'
	[ "$status" -eq 1 ]
	run "$TARE" doctor --jsn x
	[ "$status" -eq 2 ]
	[[ "$output" == *"--json"* ]]
	run "$TARE" doctor me
	[ "$status" -eq 2 ]
	[[ "$output" == *"takes no arguments"* ]]
}

@test "help fits a screen; the man page has every option and every finding" {
	run "$TARE" doctor --help
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -le 24 ]
	[ "$(columns "$output")" -le 80 ]
	page="$SOURCE_ROOT/man/tare-doctor.1"
	for option in json color ascii root; do
		grep -q -- "\\\\-\\\\-$option" "$page"
	done
	snapshot quiet
	"$TARE" doctor --root quiet --json - 2>/dev/null |
		python3 -c 'import json, sys; print("\n".join(f["name"] for f in json.load(sys.stdin)["findings"]))' |
		while read -r name; do
			sed 's/\\-/-/g' "$page" | grep -Eq "^\.B(R)? .*\b$name\b" || { echo "man page lacks $name"; exit 1; }
		done
}
