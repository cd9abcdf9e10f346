#!/usr/bin/env bats
# A CI engineer: gates, exit codes, files for the server, baselines.

load hour

setup_file() {
	hour_begins
	cd "$BATS_FILE_TMPDIR/work"
	git init -q -b main .
	git config user.name somebody
	git config user.email somebody@example.org
	echo 'sleep 0.01' >work.sh
	git add . && git commit -q -m fast
	echo 'sleep 0.1' >work.sh
	git commit -q -a -m slow
}
setup() { hour_goes_on; }

@test "exit codes of a gate" {
	types 0 tare help gate
	sees "exit 3" "exit 4"
	types 3 tare run -r 12 --gate 5% 'sleep 0.01' 'sleep 0.1'
	types 0 tare run -r 12 --gate 5% 'sleep 0.1' 'sleep 0.01'
	types 5 tare run -r 5 --gate 5% true false
	types 2 tare run --gate 5% true
	sees "nothing to compare with"
	types 2 tare run --gate much true true
	sees "--gate"
}

@test "a branch against its base" {
	types 3 tare run -r 12 --git HEAD~1 --gate 10% --markdown table.md --junit tests.xml --json result.json 'sh work.sh'
	grep -q '<failure' tests.xml
	grep -q '|' table.md
	types 0 git status --porcelain --untracked-files=no
	[ -z "$output" ]
	types 0 tare report --markdown result.json
	types 0 tare report --junit result.json -o again.xml
	types 0 tare report --metrics result.json
	sees "# TYPE"
}

@test "the step summary" {
	export GITHUB_STEP_SUMMARY="$PWD/summary.md"
	types 3 tare run -r 12 --gate 5% 'sleep 0.01' 'sleep 0.1'
	[ -s summary.md ]
}

@test "files of two jobs, and a baseline" {
	types 0 tare run -r 30 --json base.json -n work 'sleep 0.01'
	types 0 tare run -r 30 --json head.json -n work 'sleep 0.1'
	types 3 tare compare --gate 5% base.json head.json --junit compare.xml
	types 0 tare history list
	types 2 tare history baseline set main @last
	sees "--force"
	types 0 tare history baseline set main @last --force
	types 0 tare history baseline list
	sees main
	types 0 tare run -r 12 --baseline main --gate 50% -n work 'sleep 0.01'
	types 3 tare run -r 12 --baseline main --gate 50% -n work 'sleep 0.8'
	types 5 tare run -r 3 --baseline nobody -n work true
}
