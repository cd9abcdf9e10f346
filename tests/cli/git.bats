#!/usr/bin/env bats
# --git: two commits built in worktrees of their own, compared, and nothing left behind, whatever happens.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	export TMPDIR="$BATS_TEST_TMPDIR/worktrees" GIT_CONFIG_NOSYSTEM=1 HOME="$BATS_TEST_TMPDIR"
	programs="$(dirname "$TARE")/tests/programs"
	few="--progress none -r 4 --metric cpu"
	mkdir worktrees
	git init -q -b main repository
	cd repository
	git config user.name somebody
	git config user.email somebody@example.org
	mkdir -p src/part
	commit 200000 old
	git tag start
	commit 400000 old
	git checkout -q -b feature
	commit 2000000 new
	# The program of a commit does as many steps as its file says.
	build='printf "#!/bin/sh\nexec %s %s\n" "$SPIN" "$(cat steps)" >work && chmod +x work'
	export SPIN="$(dirname "$TARE")/bench/spin"
}

commit() { # STEPS SUITE
	echo "$1" >src/steps
	echo "$2" >src/suite
	echo "$1" >src/part/steps
	git add . && git commit -q -m "$1 steps"
}

teardown() {
	# Whatever was tested: nothing is left.
	nothing_left
}

nothing_left() {
	for i in $(seq 100); do
		[ "$(git -C "$BATS_TEST_TMPDIR/repository" worktree list | wc -l)" -eq 1 ] && [ -z "$(ls -A "$TMPDIR")" ] && return 0
		sleep 0.1
	done
	git -C "$BATS_TEST_TMPDIR/repository" worktree list
	ls -lR "$TMPDIR"
	return 1
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print($2)" "$1"
}

fingerprint() { # of the checkout, the index and the branches
	(cd "$BATS_TEST_TMPDIR/repository" && find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 sha256sum &&
		sha256sum .git/index .git/HEAD && stat -c '%Y %i' .git/index && git for-each-ref)
}

@test "one command in two commits: the base is built and measured, then the head" {
	cd src
	before=$(fingerprint)
	run "$TARE" run $few --git start..main --build "$build" --json "$BATS_TEST_TMPDIR/doc" ./work
	[ "$status" -eq 0 ]
	[[ "$output" == *"building start $(git rev-parse --short start): "*"building main $(git rev-parse --short main): "* ]]
	[ "$(json ../../doc '[s["name"].split()[0] for s in d["subjects"]]')" = "['start', 'main']" ]
	[ "$(json ../../doc 'd["comparisons"][0]["pairs"]')" = 4 ]
	[ "$(fingerprint)" = "$before" ]
}

@test "started in a subdirectory, it builds and measures there" {
	cd src/part
	run "$TARE" run $few --git main..feature --build "$build" --output inherit 'sh -c "pwd; cat steps"'
	[ "$status" -eq 0 ]
	[[ "$output" == *"/base/src/part"* && "$output" == *"/head/src/part"* ]]
	[[ "$output" == *$'\n'400000$'\n'* && "$output" == *$'\n'2000000$'\n'* ]]
	git rm -q -r . && git commit -q -m "no part" && cd ..
	mkdir -p part && cd part
	run "$TARE" run $few --git main ./work
	[ "$status" -eq 2 ]
	[[ "$output" == *"has no folder src/part/"* ]]
}

@test "without a base: the merge base with the main branch; three dots; a second end" {
	cd src
	git checkout -q main && commit_elsewhere=$(git rev-parse --short HEAD)
	echo 5 >steps && git commit -q -a -m later && git checkout -q feature
	run "$TARE" run $few --git .. --build "$build" ./work
	[ "$status" -eq 0 ]
	[[ "$output" == *"building base $commit_elsewhere: "* ]]
	run "$TARE" run $few --git main...feature --build "$build" ./work
	[ "$status" -eq 0 ]
	[[ "$output" == *"building base $commit_elsewhere: "* ]]
	git checkout -q main
	run "$TARE" run $few --git .. --build "$build" ./work
	[ "$status" -eq 2 ]
	[[ "$output" == *"is on main already"*"--git HEAD~1"* ]]
	# A remote's main branch comes before the local one.
	git update-ref refs/remotes/origin/main start
	run "$TARE" run $few --git .. --build "$build" ./work
	[ "$status" -eq 0 ]
	[[ "$output" == *"building base $(git rev-parse --short start): "* ]]
}

@test "changes that are not committed are said and not measured; one commit twice is said" {
	cd src
	echo 7 >steps
	before=$(fingerprint)
	run "$TARE" run $few --git main --build "$build" --output inherit 'cat steps'
	[ "$status" -eq 0 ]
	[[ "$output" == *"not committed are not measured"* ]]
	[[ "$output" == *2000000* && "$output" != *$'\n'7$'\n'* ]]
	[ "$(fingerprint)" = "$before" ]
	run "$TARE" run $few --git feature..HEAD --build "$build" ./work
	[ "$status" -eq 0 ]
	[[ "$output" == *"are the same commit"* ]]
	run "$TARE" run $few --git start..main --build "$build" ./work
	[[ "$output" != *"not committed"* ]]
}

@test "a failing build: its last lines, exit 5, the gate's last line" {
	cd src
	run "$TARE" run $few --gate 2% --git main --build 'seq 100; echo broken >&2; exit 3' ./work
	[ "$status" -eq 5 ]
	[[ "$output" == *$'\n100\nbroken\n'*"the build of main "*" failed: exit 3"* ]]
	[[ "$output" != *$'\n50\n'* ]]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
	# The second one.
	run "$TARE" run $few --git main --build 'grep -q 400000 steps' ./work
	[ "$status" -eq 5 ]
	[[ "$output" == *"the build of HEAD "*" failed: exit 1"*"printed nothing"* ]]
	run "$TARE" run $few --git main --build 'kill -9 $$' ./work
	[ "$status" -eq 5 ]
	[[ "$output" == *"killed by signal 9"* ]]
	# A build that leaves folders that cannot be written to.
	run "$TARE" run $few --git main --build 'mkdir -p a/b && touch a/b/c && chmod -R a-w a; exit 1' ./work
	[ "$status" -eq 5 ]
	# A program that the build does not make.
	run "$TARE" run $few --git main ./work
	[ "$status" -eq 5 ]
	[[ "$output" == *"no such program"* ]]
}

interrupt_when() { # SIGNAL FILE: sends the signal to tare when the file is there; the exit status is in $status
	for i in $(seq 200); do
		[ -e "$2" ] && break
		sleep 0.05
	done
	[ -e "$2" ]
	kill -"$1" $pid
	status=0
	wait $pid || status=$?
}

@test "Ctrl-C while it builds: exit 130, nothing of it runs on" {
	cd src
	"$TARE" run $few --git main --build "echo \$\$ >'$BATS_TEST_TMPDIR/running'; sleep 1000 & sleep 1000" ./work 2>err &
	pid=$!
	interrupt_when TERM "$BATS_TEST_TMPDIR/running"
	[ "$status" -eq 130 ]
	nothing_left
	[ -z "$(pgrep -s "$(cat "$BATS_TEST_TMPDIR/running")" || true)" ]
	rm err
}

@test "Ctrl-C while it measures: exit 130, what was measured is told" {
	cd src
	"$TARE" run --progress none --git main --max-time 60s --precision 0.001% --stop precision --build "$build" \
		--json "$BATS_TEST_TMPDIR/doc" "sh -c 'touch $BATS_TEST_TMPDIR/running; ./work'" >"$BATS_TEST_TMPDIR/said" 2>&1 &
	pid=$!
	interrupt_when TERM "$BATS_TEST_TMPDIR/running"
	[ "$status" -eq 130 ]
}

@test "killed for good, its janitor still tidies" {
	cd src
	"$TARE" run $few --git main --build "touch '$BATS_TEST_TMPDIR/running'; sleep 1000" ./work 2>/dev/null &
	pid=$!
	interrupt_when KILL "$BATS_TEST_TMPDIR/running"
	[ "$status" -eq 137 ]
	nothing_left
}

@test "inside a hook: the user's index stays his" {
	cd src
	before=$(fingerprint)
	GIT_DIR="$PWD/../.git" GIT_INDEX_FILE="$PWD/../.git/index" GIT_WORK_TREE="$PWD/.." \
		run "$TARE" run $few --git main --build "$build" ./work
	[ "$status" -eq 0 ]
	[ "$(fingerprint)" = "$before" ]
	# Hooks of the repository are not run.
	printf '#!/bin/sh\ntouch %s\n' "$BATS_TEST_TMPDIR/hooked" >../.git/hooks/post-checkout
	chmod +x ../.git/hooks/post-checkout
	run "$TARE" run $few --git main --build "$build" ./work
	[ "$status" -eq 0 ]
	[ ! -e "$BATS_TEST_TMPDIR/hooked" ]
}

@test "tare bench: a program of two commits" {
	cd src
	build="mkdir build && ln -s $programs/suite-\$(cat suite) build/suite"
	few="--progress none -r 12 --iterations 4 --iteration-time 100us"
	run "$TARE" bench $few --git main --build "$build" --program build/suite --filter 'heavier|lighter' --json "$BATS_TEST_TMPDIR/doc"
	[ "$status" -eq 0 ]
	[ "$(json "$BATS_TEST_TMPDIR/doc" '[(c["verdict"], c["base"].split()[0]) for c in d["comparisons"]]')" = "[('slower', 'main'), ('faster', 'main')]" ]
	nothing_left
	run "$TARE" bench $few --gate 2% --git main..feature --build "$build" --filter heavier build/suite
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower "* ]]
	run "$TARE" bench --git main --build "$build" --list build/suite
	[ "$status" -eq 0 ]
	[[ "$output" == *"# only_old: not in HEAD "* ]]
	run "$TARE" bench $few --git main --build "$build" --program build/other
	[ "$status" -eq 5 ]
}

@test "bad use: exit 2" {
	run "$TARE" run --git nothing-like-it ./work
	[ "$status" -eq 2 ]
	[[ "$output" == *"no commit 'nothing-like-it'"* ]]
	for words in "--git main a b" "--git main" "--build x ./work" "--git -x ./work" "--git main -L n 1,2 ./work" \
		"--git main 'a" "--git main..-x ./work"; do
		run "$TARE" run $words
		[ "$status" -eq 2 ]
	done
	for words in "--git main a b" "--git main" "--program x" "--git main --vary A=1,2 x" "--git main --program x y"; do
		run "$TARE" bench $words
		[ "$status" -eq 2 ]
	done
	cd "$BATS_TEST_TMPDIR"
	GIT_CEILING_DIRECTORIES="$BATS_TEST_TMPDIR" run "$TARE" run --git main ./work
	[ "$status" -eq 2 ]
	[[ "$output" == *"not the checkout of a git repository"* ]]
}
