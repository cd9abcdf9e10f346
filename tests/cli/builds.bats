#!/usr/bin/env bats
# Builds as a level: every tree is copied, built by a seed and measured, again and again; nothing is left behind.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	export TMPDIR="$BATS_TEST_TMPDIR/copies" GIT_CONFIG_NOSYSTEM=1 HOME="$BATS_TEST_TMPDIR" XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	export SPIN="$(dirname "$TARE")/bench/spin"
	unset TARE_BUILD_SEED
	few="--levels build,run --builds 3 -r 2 -w 1 --metric cpu --progress none --seed 7"
	mkdir copies tree
	cd tree
	echo 20000 >steps
	# The program does as many steps as the file says; the seed gets into its bytes, not into what it does.
	build='printf "#!/bin/sh\n# %s\nexec %s %s\n" "$TARE_BUILD_SEED" "$SPIN" "$(cat steps)" >work && chmod +x work'
	blind='printf "#!/bin/sh\nexec %s %s\n" "$SPIN" "$(cat steps)" >work && chmod +x work'
}

teardown() {
	for i in $(seq 100); do
		[ -z "$(ls -A "$TMPDIR")" ] && return 0
		sleep 0.1
	done
	ls -lR "$TMPDIR"
	return 1
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print($2)" "$1"
}

@test "one command: samples by build and run, binaries by hash, the interval by builds" {
	"$TARE" run $few --build "$build" ./work --json out.json >said
	[ "$(json out.json 'd["design"]["levels"]')" = "['build', 'run', 'iteration']" ]
	[ "$(json out.json '[[len(r) for r in b] for b in d["subjects"][0]["metrics"]["cpu"]["samples"]]')" = "[[1, 1], [1, 1], [1, 1]]" ]
	[ "$(json out.json 'd["subjects"][0]["metrics"]["cpu"]["unit_level"]')" = build ]
	[ "$(json out.json 'len({b["hash"] for b in d["subjects"][0]["builds"]}), len({b["seed"] for b in d["subjects"][0]["builds"]})')" = "3 3" ]
	[ "$(json out.json 'd["subjects"][0]["metrics"]["cpu"]["levels"][0]["cost"] > 0, d["stopped"]["reason"]')" = "True count" ]
	# The same seed of the experiment: the same seeds of the builds. The user's folder is as it was.
	"$TARE" run $few --build "$build" ./work --json again.json >said
	[ "$(json out.json '[b["hash"] for b in d["subjects"][0]["builds"]]')" = "$(json again.json '[b["hash"] for b in d["subjects"][0]["builds"]]')" ]
	[ "$(ls)" = "$(printf '%s\n' again.json out.json said steps)" ]
	# Enough to plan the next experiment from: what each level varies and costs.
	[ "$(json out.json '[(l["name"], l["cost"] > 0) for l in d["subjects"][0]["metrics"]["cpu"]["levels"]]')" = "[('build', True), ('run', True)]" ]
	# What was written is read again, from the file and from the store.
	"$TARE" analyze out.json --metric cpu | grep -q '3 builds: sd'
	"$TARE" history show @last >shown && grep -q work shown
	# Each program run once, as benchmarks of one iteration are: the answer counts builds.
	"$TARE" run $few -r 1 --build "$build" ./work | tr '\n' ' ' | grep -q 'mean of 3 builds in .* slow builds rarer than'
}

@test "two suite files compare two source trees, each with seeds of its own" {
	cp -r ../tree ../other
	for side in tree other; do
		cat >../$side/$side.yaml <<-END
			build: '$build'
			subjects:
			  - command: ./work
		END
	done
	"$TARE" run $few tree.yaml ../other/other.yaml --json out.json >said
	[ "$(json out.json '[s["name"] for s in d["subjects"]]')" = "['tree', 'other']" ]
	[ "$(json out.json 'len({b["seed"] for s in d["subjects"] for b in s["builds"]})')" = 6 ]
	grep -q ' builds$' said && tr '\n' ' ' <said | grep -q '3 builds, 6 pairs'
	[ "$(json out.json 'd["comparisons"][0]["units"], d["comparisons"][0]["pairs"], len(d["design"]["order"])')" = "3 6 6" ]
	echo 'stop: fixed' >>../other/other.yaml
	run --separate-stderr "$TARE" run $few tree.yaml ../other/other.yaml
	[ "$status" -eq 2 ] && [[ "$stderr" == *other.yaml:4:*"first file"* ]]
	run --separate-stderr "$TARE" run tree.yaml ./work
	[ "$status" -eq 2 ]
}

@test "a suite file says how often and how it is built" {
	cat >tare.yaml <<-END
		levels: {build: {exactly: 2}, run: {exactly: 2, warmup: 1}}
		metrics: [cpu]
		subjects:
		  - {name: plain, command: ./work, build: '$blind'}
		  - {name: seeded, command: ./work, build: '$build'}
	END
	"$TARE" run tare.yaml --progress none --json out.json >said 2>notes
	[ "$(json out.json '[len(s["builds"]) for s in d["subjects"]]')" = "[2, 2]" ]
	# One of them pays no attention to the seed: said at once and in the result.
	grep -q 'plain: both builds gave the same program' notes || grep -q 'plain' said
	[ "$(json out.json '[w["text"].split(":")[0] for w in d["warnings"] if w["code"] == "same-binary"]')" = "['plain']" ]
	grep -q "tare cc -- gcc" <(json out.json '[w["text"] for w in d["warnings"] if w["code"] == "same-binary"]')
}

@test "of a checkout what is tracked, and what is new and not ignored" {
	git init -q -b main . && git config user.name somebody && git config user.email somebody@example.org
	mkdir sub && mv steps sub/steps && echo tracked >sub/gone && echo '*.o' >.gitignore
	git add . && git commit -q -m one
	rm sub/gone && echo new >'sub/new file' && touch sub/old.o && cd sub
	"$TARE" run $few --keep-builds --build "$build" ./work --json ../../out.json >../../said 2>../../notes
	folder=$(sed -n 's/.*kept in //p' ../../notes)
	[ -d "$folder" ]
	[ "$(cd "$folder/build-1-a/sub" && ls)" = "$(printf '%s\n' 'new file' steps work)" ]
	[ -e "$folder/build-3-a" ] && [ ! -e "$folder/a" ]
	rm -rf "$folder"
	# Two commits, each built again and again.
	cd .. && git add . && git commit -q -m two && cd sub
	"$TARE" run $few --git HEAD~1 --build "$build" ./work --json out.json >said
	[ "$(json out.json '[len(s["builds"]) for s in d["subjects"]]')" = "[3, 3]" ]
	[ "$(git worktree list | wc -l)" -eq 1 ]
}

@test "what goes wrong is named: the build, the program, the level, the size" {
	run --separate-stderr "$TARE" run $few --build 'echo made; echo "no rule" >&2; exit 3' ./work
	[ "$status" -eq 5 ]
	[[ "$stderr" == *"no rule"* && "$stderr" == *"build 1 of 3 failed: exit 3 (TARE_BUILD_SEED="* ]]
	run --separate-stderr "$TARE" run $few --build true ./work
	[ "$status" -eq 5 ] && [[ "$stderr" == *"after build 1 there is no such program"* ]]
	run --separate-stderr "$TARE" run $few ./work
	[ "$status" -eq 2 ] && [[ "$stderr" == *"how is it built?"* ]]
	run --separate-stderr "$TARE" run --levels weather ./work
	[ "$status" -eq 2 ] && [[ "$stderr" == *"build, run, iteration"* ]]
	run --separate-stderr "$TARE" run --build make ./work
	[ "$status" -eq 2 ] && [[ "$stderr" == *"--levels build,run"* ]]
	truncate -s 2G large
	run --separate-stderr "$TARE" run $few --build true ./work
	[ "$status" -eq 2 ] && [[ "$stderr" == *"too large"* ]]
	rm large
	mkdir inside
	TMPDIR=$PWD/inside run --separate-stderr "$TARE" run $few --build true ./work
	[ "$status" -eq 2 ] && [[ "$stderr" == *TMPDIR* ]]
	rm -r inside
	# The second build fails: what the first has measured is kept.
	once="if [ -e '$PWD/once' ]; then exit 4; fi; touch '$PWD/once'; $build"
	run --separate-stderr "$TARE" run $few --build "$once" ./work --json out.json
	[ "$status" -eq 5 ] && [[ "$stderr" == *"build 2 of 3 failed: exit 4"* ]]
	[ "$(json out.json 'len(d["subjects"][0]["builds"]), d["stopped"]["reason"]')" = "1 failed" ]
}

@test "programs are found as they are started: by quoted names, and by a PATH of their own" {
	mkdir -p ../bin "a b"
	printf '#!/bin/sh\n' >../bin/own-tool && chmod +x ../bin/own-tool
	"$TARE" run $few --build "$build; mv work 'a b/work'" "'./a b/work' 1" --json out.json >said
	[ "$(json out.json 'len({b["hash"] for b in d["subjects"][0]["builds"]})')" = 3 ]
	cat >tare.yaml <<-END
		build: 'true'
		subjects:
		  - {command: own-tool, environment: ["PATH=$BATS_TEST_TMPDIR/bin:$PATH"]}
		  - {program: own-tool, environment: ["PATH=$BATS_TEST_TMPDIR/bin:$PATH"]}
	END
	"$TARE" run $few tare.yaml --json out.json >said
	[ "$(json out.json '[bool(b["hash"]) for b in d["subjects"][0]["builds"]]')" = "[True, True, True]" ]
	printf '%s\n' '#!/bin/sh' 'bench_works() { seq 300 >/dev/null; }' ". '$SOURCE_ROOT/clients/shell/tare-bench.sh'" 'tare_main works' >../bin/own-tool
	"$TARE" bench --builds 2 -r 2 --iterations 2 --iteration-time 1ms --start-limit 60s --progress none --no-save tare.yaml --json out.json >said
	[ "$(json out.json 'd["subjects"][0]["benchmark"]')" = works ]
}

@test "an interrupt while building and while measuring leaves nothing, and keeps what was measured" {
	"$TARE" run $few --build 'touch "$HOME/building"; sleep 60' ./work 2>/dev/null &
	while [ ! -e ../building ]; do sleep 0.02; done
	kill -TERM $!
	status=0; wait $! || status=$?
	[ "$status" -eq 130 ]
	"$TARE" run $few --build "if [ -e '$HOME/built' ]; then touch '$HOME/second'; sleep 60; fi; touch '$HOME/built'; $build" ./work --json out.json >said 2>&1 &
	while [ ! -e ../second ]; do sleep 0.02; done
	kill -TERM $!
	status=0; wait $! || status=$?
	[ "$status" -eq 130 ]
	[ "$(json out.json 'len(d["subjects"][0]["builds"]), d["stopped"]["reason"]')" = "1 interrupted" ]
}

@test "every run is saved at once: a kill in the second build leaves all that was measured" {
	# Each build is tried once and then run twice: the sixth, the last of the second build, never ends.
	hangs='printf "#!/bin/sh\n# %s\necho x >>\"\$HOME/runs\"\n[ \$(wc -l <\"\$HOME/runs\") -lt 6 ] || sleep 60\n" "$TARE_BUILD_SEED" >work && chmod +x work'
	"$TARE" run --levels build,run --builds 3 -r 2 -w 0 --metric cpu --progress none --seed 7 --build "$hangs" ./work >said 2>&1 &
	for i in $(seq 500); do
		[ "$(wc -l <"$HOME/runs")" -ge 6 ] && break
		sleep 0.05
	done 2>/dev/null
	kill -KILL $!
	wait $! || true
	"$TARE" history export @last -o ../docs
	[ "$(json ../docs/*.json '[[len(r) for r in b] for b in d["subjects"][0]["metrics"]["cpu"]["samples"]]')" = "[[1, 1], [1]]" ]
	"$TARE" history verify
}

@test "what breaks a gate is measured again in its own tree" {
	cd ..
	for tree in a b c; do
		mkdir $tree
		[ $tree = c ] && says=400 || says=10
		printf '#!/bin/sh\necho %s >>"%s/log"\necho $((%s + $(wc -l <"%s/log") %% 3))\n' $tree "$PWD" $says "$PWD" >$tree/made
	done
	cat >tare.yaml <<-E
		build: cp made work && chmod +x work
		subjects:
		  - {name: A, command: ./work, directory: a}
		  - {name: B, command: ./work, directory: b}
		  - {name: C, command: ./work, directory: c}
		levels: {build: {exactly: 6}, run: {exactly: 2}}
	E
	run "$TARE" run --progress none --no-save -w 0 --metric lag --pi 'lag:s:regex=([0-9]+)' --gate 100% tare.yaml
	[ "$status" -eq 3 ]
	[[ "$output" != *"not in fresh runs"* ]]
	[ "$(grep -c c log)" -gt "$(grep -c b log)" ]
}

@test "with builds, a benchmark that fails spoils no other, and is named" {
	printf '%s\n' 'bench_breaks() { exit 3; }' 'bench_works() { seq 300 >/dev/null; }' ". '$SOURCE_ROOT/clients/shell/tare-bench.sh'" \
		'tare_main breaks works' >suite.sh
	run "$TARE" bench -i --builds 2 --build true -r 2 --iterations 2 --iteration-time 1ms --start-limit 60s --progress none --no-save --json ../out.json 'sh ./suite.sh'
	[ "$status" -eq 0 ]
	[[ "$output" == *"breaks"*"failed"* ]]
	[ "$(json ../out.json '[len(s["metrics"]["wall"]["samples"]) for s in d["subjects"] if s["benchmark"] == "works"]')" = "[2]" ]
	[ "$(json ../out.json 'sum(w["code"] == "failed" for w in d["warnings"])')" = 1 ]
}

@test "with builds, rules for runs inside of a build are refused" {
	for wrong in "-m 20" "-M 20" "--stop verdict"; do
		run "$TARE" run --progress none --no-save --builds 2 --build true $wrong ./work
		[ "$status" -eq 2 ]
		[[ "$output" == *"every build has the same number of runs"* ]]
	done
}

@test "a program with benchmarks is named by --program" {
	cp "$(dirname "$TARE")/tests/programs/suite-old" made
	"$TARE" bench --levels build,run --builds 3 -r 2 --progress none --no-save --iterations 2 --iteration-time 100us --filter same --build 'cp made suite' --program ./suite --json out.json >said
	[ "$(json out.json '[len(b) for b in d["subjects"][0]["metrics"]["wall"]["samples"]]')" = "[2, 2, 2]" ]
	run "$TARE" bench --builds 3 --build 'cp made suite' --program ./suite ./other
	[ "$status" -eq 2 ]
	[[ "$output" == *"the program is named twice"* ]]
}

@test "benchmarks in programs: builds above runs and iterations" {
	suite="$(dirname "$TARE")/tests/programs/suite-old"
	[ -x "$suite" ] || skip "no suite"
	"$TARE" bench --levels build,run,iteration --builds 2 -r 2 --iterations 5 --iteration-time 1ms --min-warmup 0 --max-warmup 0 \
		--filter "same" --metric cpu --progress none --build "cp '$suite' suite; printf '%s' \"\$TARE_BUILD_SEED\" >>suite" ./suite --json out.json >said || { cat said; false; }
	[ "$(json out.json 'd["design"]["levels"]')" = "['build', 'run', 'iteration']" ]
	[ "$(json out.json '{(len(m["samples"]), len(m["samples"][0])) for s in d["subjects"] for m in [s["metrics"]["cpu"]]}')" = "{(2, 2)}" ]
	[ "$(json out.json '{len({b["hash"] for b in s["builds"]}) for s in d["subjects"]}')" = "{2}" ]
	# What was saved run by run is the same as what was written.
	"$TARE" history export @last -o ../docs
	samples='[(s["name"], name, m["samples"]) for s in d["subjects"] for name, m in s["metrics"].items()]'
	[ "$(json ../docs/*.json "$samples")" = "$(json out.json "$samples")" ]
}

@test "builds are added until the interval is narrow enough, with as many runs as the plan says" {
	"$TARE" run --levels build,run --builds 3 -r 2 -w 0 --metric cpu --progress none --build "$build" ./work --json first.json >said
	"$TARE" plan --from first.json --precision 900% -o plan.json >said
	"$TARE" run --levels build,run -w 0 --plan plan.json --metric cpu --progress none --build "$build" ./work --json out.json >said
	[ "$(json out.json 'd["stopped"]["reason"], d["stopped"]["rule"], len(d["subjects"][0]["builds"])')" = "precision precision 10" ]
	[ "$(json out.json '{len(b) for b in d["subjects"][0]["metrics"]["cpu"]["samples"]}')" = \
		"$(json plan.json '{l["count"] for s in d["subjects"] for l in s["levels"] if l["name"] == "run"}')" ]
	# No more than were asked for.
	"$TARE" run --builds 2 --stop precision --precision 0.01% -w 0 --metric cpu --progress none --build "$build" ./work --json out.json >said
	[ "$(json out.json 'd["stopped"]["reason"], len(d["subjects"][0]["builds"])')" = "count 2" ]
	# A budget is filled with builds, unless a number of them is given.
	"$TARE" plan --from first.json --budget 2s -o plan.json >said
	"$TARE" run --levels build,run -w 0 --plan plan.json --metric cpu --build "$build" ./work --json out.json >said 2>notes
	[ "$(json out.json 'd["stopped"]["reason"], d["stopped"]["rule"]')" = "budget fixed" ]
	grep -q "^tare: note: $(json out.json 'len(d["subjects"][0]["builds"])') builds fit into 2" notes
	"$TARE" run --builds 2 -w 0 --plan plan.json --metric cpu --progress none --build "$build" ./work --json out.json >said
	[ "$(json out.json 'd["stopped"]["reason"], len(d["subjects"][0]["builds"])')" = "count 2" ]
}

@test "benchmarks in builds: an iteration has the time that --timeout gives it" {
	printf 'bench_slow() { sleep 4; }\n. %s/clients/shell/tare-bench.sh\ntare_main slow\n' "$SOURCE_ROOT" >slow.sh
	slow() { "$TARE" bench --builds 2 -r 1 --iterations 1 --min-warmup 0 --max-warmup 0 --progress none --no-save --build true "$@" 'sh slow.sh'; }
	run slow --timeout 300ms
	[[ "$status" -eq 124 && "$output" == *"--timeout sets how long an iteration may take"* ]]
}

@test "a plan without measuring" {
	run "$TARE" run $few --build "$build" ./work --dry-run
	[ "$status" -eq 0 ] && [[ "$output" == *"3 builds"* ]]
	[ ! -e work ]
}

@test "what a failed build says reaches the terminal escaped, and a build has its time" {
	mkdir src
	cd src
	run "$TARE" run --progress none --no-save --builds 2 -r 2 --build "printf 'before \\033]0;title\\007\\033[31mred\\n'; exit 3" ./it
	[ "$status" -eq 5 ]
	[[ "$output" == *"before "*"red"*"failed: exit 3"* ]]
	[[ "$output" != *$'\033'* && "$output" != *$'\007'* ]]
	run "$TARE" run --progress none --no-save --builds 2 -r 2 --build-timeout 200ms --build 'sleep 60' ./it
	[ "$status" -eq 5 ]
	[[ "$output" == *"it took longer than 200 ms"* ]]
	run timeout 60 "$TARE" run --progress none --no-save --builds 2 -r 2 --max-time 1s --build 'sleep 50' ./it
	[ "$status" -eq 5 ]
	[[ "$output" == *"that was all of --max-time"* ]]
	printf 'subjects:\n  - {command: ./it, build: sleep 50}\nlevels: {build: {exactly: 2}}\nbudget: {build-timeout: 200ms}\n' >tare.yaml
	run timeout 60 "$TARE" run --progress none --no-save -r 2 tare.yaml
	[ "$status" -eq 5 ]
	[[ "$output" == *"it took longer than 200 ms"* ]]
	git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
	run "$TARE" run --progress none --no-save --git HEAD..HEAD -r 2 --build "printf '\\033[31mred\\n'; exit 3" ./it
	[ "$status" -eq 5 ]
	[[ "$output" == *"red"* && "$output" != *$'\033'* ]]
	run "$TARE" run --progress none --no-save --git HEAD..HEAD -r 2 --build-timeout 200ms --build 'sleep 60' ./it
	[ "$status" -eq 5 ]
	[[ "$output" == *"it took longer than 200 ms"* ]]
	run timeout 60 "$TARE" run --progress none --no-save --git HEAD..HEAD -r 2 --max-time 1s --build 'sleep 50' ./it
	[ "$status" -eq 5 ]
	[[ "$output" == *"it took longer than 1"* ]]
}
