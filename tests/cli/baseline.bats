#!/usr/bin/env bats
# Baselines, results that are gone on with, and gates that measure twice.

load saved

numbers() { # FILE MEAN [SPREAD [NAME]]: hyperfine's document of 20 times about MEAN
	python3 -c '
import json, random, sys
made = random.Random(float(sys.argv[2]))
mean, spread = float(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 0.01
name = sys.argv[4] if len(sys.argv) > 4 else "sort"
json.dump({"results": [{"command": name, "times": [max(0.1, mean * made.gauss(1, spread)) for _ in range(20)]}]}, open(sys.argv[1], "w"))' "$@"
}

@test "a baseline needs two results that agree" {
	numbers a.json 1.0
	"$TARE" history import a.json
	run "$TARE" history baseline set main
	[ "$status" -eq 2 ]
	[[ "$output" == *"there is only one"* ]]
	numbers b.json 1.5
	"$TARE" history import b.json
	run "$TARE" history baseline set main @1
	[ "$status" -eq 2 ]
	[[ "$output" == *"'sort' differs between them"* ]]
	numbers c.json 1.001
	"$TARE" history import c.json
	run "$TARE" history baseline set main @1 @3
	[ "$status" -eq 0 ]
	[ "$output" = "@1 is the baseline now; @3 agrees with it" ]
	run "$TARE" history baseline set other @2 --force
	[ "$status" -eq 0 ]
	numbers d.json 1.002 0.6
	"$TARE" history import d.json
	run "$TARE" history baseline set noisy @4 @1
	[ "$status" -eq 2 ]
	[[ "$output" == *"scatters too much to tell"* ]]
	run "$TARE" history baseline
	[[ "$output" == *"main"*"@1"*"other"*"@2"* ]]
	run "$TARE" compare --baseline main @3
	[ "$status" -eq 0 ]
	run "$TARE" compare --baseline main @2 --gate 10%
	[ "$status" -eq 3 ]
	run "$TARE" history prune --all --dry-run
	[[ "$output" == "2 experiments would go; baselines"* ]]
	run "$TARE" history prune --all
	[[ "$output" == "2 experiments removed; baselines"* ]]
	"$TARE" history baseline remove other
	run "$TARE" history baseline
	[[ "$output" != *"other"* ]]
	run "$TARE" run --baseline main "$spin 1000"
	[ "$status" -eq 2 ]
	[[ "$output" == *"was measured on another machine"* ]]
	run "$TARE" run --baseline nobody "$spin 1000"
	[ "$status" -eq 5 ]
}

@test "the other result of a baseline is of the same subject, not of one that has its name in it" {
	numbers a.json 1.0
	numbers b.json 1.001
	numbers c.json 1.5 0.01 "sort -r"
	numbers d.json 1.002 0.01 "[s]ort"
	"$TARE" history import a.json b.json c.json d.json
	run "$TARE" history baseline set main @2
	[ "$status" -eq 0 ]
	[ "$output" = "@2 is the baseline now; @1 agrees with it" ]
	run "$TARE" history baseline set pattern @4
	[ "$status" -eq 2 ]
	[[ "$output" == *"there is only one"* ]]
}

@test "a run against a baseline" {
	measure -n s "$spin 1000"
	"$TARE" history baseline set main --force
	run "$TARE" run --progress none -r 10 --metric cpu --baseline main --gate 1000% -n s "$spin 9000000"
	[[ "$output" == *"against the baseline 'main' (@1), measured at another time:"*" s "*"s (main)"* ]]
	[[ "$output" == *"side by side"* ]]
	[[ "$output" == *"verdict: "* ]]
	run "$TARE" run --progress none -r 10 --metric cpu --baseline main --gate 1000% --csv /dev/full -n s "$spin 1000"
	[ "$status" -eq 1 ]
	[[ "$output" == *"No space left"*"measured at another time:"*"verdict: "* ]]
	run "$TARE" run --baseline main --no-save "$spin 1000"
	[ "$status" -eq 2 ]
}

@test "a run that could not be saved is not compared with a baseline, and never holds a gate" {
	measure -n s "$spin 1000"
	"$TARE" history baseline set main --force
	sql 'CREATE TRIGGER full BEFORE INSERT ON experiment BEGIN SELECT RAISE(FAIL, "no room"); END'
	run "$TARE" run --progress none -r 4 --metric cpu --baseline main -n s "$spin 1000"
	[ "$status" -eq 1 ]
	[[ "$output" == *"--baseline: what was measured is not in the store"* ]]
	run "$TARE" run --progress none -r 4 --metric cpu --baseline main --gate 1000% -n s "$spin 1000" -n t "$spin 1000"
	[ "$status" -eq 1 ]
	[ "$(grep -c '^verdict: ' <<<"$output")" = 1 ]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
}

junit() { # FILE: tests, failures and errors
	python3 -c 'import sys, xml.etree.ElementTree as e; r = e.parse(sys.argv[1]).getroot(); print(*map(r.get, ("tests", "failures", "errors")))' "$1"
}

gate() { # FILE: how the gate stands, and why
	python3 -c 'import json, sys; g = json.load(open(sys.argv[1]))["gate"]; print(g["state"], g["why"])' "$1"
}

@test "a baseline's verdict is in the files too" {
	index="--progress none -w 1 -r 12 --metric lag --pi lag:s:regex=([0-9]+)"
	few="$index --baseline main --junit r.xml --markdown r.md"
	export GITHUB_STEP_SUMMARY="$PWD/summary.md"
	"$TARE" run $index -n s "echo 5"
	"$TARE" history baseline set main --force
	run "$TARE" run $few --gate 20% --json doc -n s "echo 9"
	[ "$status" -eq 3 ]
	[ "$(junit r.xml)" = "1 1 0" ]
	grep -q "slower" r.md
	cmp r.md summary.md
	[ "$(python3 -c 'import json; print(len(json.load(open("doc"))["subjects"]))')" = 1 ]
	[[ "$(gate doc)" == "broken against the baseline 'main': s is worse by more: "* ]]
	run "$TARE" run $few --gate 20% --json doc --html page -n s "echo 5"
	[ "$status" -eq 0 ]
	[ "$(junit r.xml)" = "1 0 0" ]
	[ "$(gate doc)" = "held against the baseline 'main'" ]
	grep -q '<p class="gate">the gate of 20.*held' page
	run "$TARE" run $few --gate 20% --json /dev/full -n s "echo 5"
	[ "$status" -eq 1 ]
	[[ "${lines[-1]}" == "verdict: failed "*" gate=failed limit=20%" ]]
	[ "$(junit r.xml)" = "1 0 1" ]
	# No comparison: no green report.
	rm r.md
	run "$TARE" run $few --gate 20% -n s "sh -c 'echo 5; echo >>count; exec test \$(wc -l <count) -lt 9'"
	[ "$status" -eq 5 ]
	[ "$(junit r.xml)" = "1 0 1" ]
	[ -s r.md ]
	grep -q 'error message="the gate of 20 % failed: s: exit 1 in run' r.xml
	"$TARE" run $index -n s "echo 5" -n t "echo 5"
	"$TARE" history baseline set main --force
	run "$TARE" run $few --gate 20% --json doc -n other "echo 5"
	[ "$status" -eq 5 ]
	[ "$(gate doc)" = "failed no benchmark is in both" ]
	grep -q 'error message="the gate of 20 % failed: no benchmark is in both' r.xml
	grep -q 'the gate of 20 % failed: no benchmark is in both' r.md
	[[ "${lines[-2]}${lines[-1]}" == *"verdict: failed "* ]]
	[ "$(junit r.xml)" = "1 0 1" ]
}

@test "a baseline's test case has the name of the command, every time, and another command is another test" {
	index="--progress none -w 1 -r 12 --metric lag --pi lag:s:regex=([0-9]+) --gate 20% --baseline main --junit r.xml"
	"$TARE" run ${index%% --gate*} -n s "echo 5"
	"$TARE" history baseline set main --force
	for i in 1 2; do
		"$TARE" run $index -n s "echo 5"
		grep -q '<testcase classname="lag" name="s">' r.xml
	done
	run "$TARE" run $index --json doc -n other "echo 5"
	[ "$status" -eq 4 ]
	[ "$(gate doc)" = "open against the baseline 'main': s is missing in the new data; -n gives a command that name" ]
	[[ "$output" == *"s: only in the old data; compared with other"* ]]
	run "$TARE" compare --gate 20% --baseline main @last
	[ "$status" -eq 4 ]
	run "$TARE" compare --gate 20% --allow-missing --baseline main @last
	[ "$status" -eq 0 ]
}

@test "no line stands twice where a run is compared with a baseline" {
	measure -r 12 -n s "$spin 1000" -n t "$spin 1000"
	"$TARE" history baseline set main --force
	run "$TARE" run --progress none -r 12 --baseline main -n s "$spin 1000" -n t "$spin 1000"
	[ "$(grep -c 'the same program' <<<"$output")" = 1 ]
	"$TARE" run --progress none -r 12 --metric cpu -n s "$spin 1000"
	"$TARE" history baseline set one --force
	run "$TARE" run --progress none -r 12 --metric cpu --baseline one -n s "$spin 1000"
	[ "$(grep -c 'judged by cpu$' <<<"$output")" -le 1 ]
}

@test "the comparison with a baseline has the options of the measurement" {
	few="--progress none -r 12"
	suite="$(dirname "$TARE")/tests/programs/suite-old"
	"$TARE" run $few -n s "sleep 0.05"
	"$TARE" history baseline set main --force
	run "$TARE" run $few --baseline main --margin 900% -n s "sleep 0.05"
	[ "$status" -eq 0 ]
	[[ "${output#*against the baseline}" == *"same as s (main) within 900.0 %"* ]]
	few="$few --metric cpu --iterations 4 --iteration-time 100us --margin 100%"
	"$TARE" bench $few "$suite"
	"$TARE" history baseline set suite --force
	few="$few --filter heavier|lighter --gate 900% --baseline suite"
	run "$TARE" bench $few "$suite"
	[ "$status" -eq 4 ]
	[[ "${output#*against the baseline}" == *"─"* ]]
	run "$TARE" bench $few --allow-missing --ascii --color always "$suite"
	[ "$status" -eq 0 ]
	[[ "${output#*against the baseline}" == *$'\e['* && "${output#*against the baseline}" != *"─"* ]]
}

@test "an experiment is gone on with" {
	measure --name long --design turns -n a "$spin 1000" -n b "$spin 2000"
	measure -r 10 --append @1 --json doc
	run python3 -c '
import json
d = json.load(open("doc"))
assert [len(s["metrics"]["cpu"]["samples"]) for s in d["subjects"]] == [10, 10], d
assert len(d["design"]["order"]) == 10 and d["comparisons"][0]["pairs"] == 10 and d["name"] == "long"'
	[ "$status" -eq 0 ]
	[ "$(sql 'SELECT id, rounds, name FROM experiment')" = "2 10 long" ]
	measure -r 12 --append doc --json more
	run python3 -c '
import json
old, new = (json.load(open(name))["subjects"][1]["metrics"]["wall"]["samples"] for name in ("doc", "more"))
assert new[:10] == old and len(new) == 12'
	[ "$status" -eq 0 ]
	# The size of a unit was fixed before the first pair: few runs more do not change it, nor does a short time.
	python3 - <<-'PY'
	import json
	d = json.load(open("doc"))
	assert d["comparisons"][0]["block"] >= 10
	d["comparisons"][0]["block"] = 4
	json.dump(d, open("four", "w"))
	d["comparisons"] = []
	d["design"]["order"] *= 12
	for subject in d["subjects"]:
	    for metric in subject["metrics"].values():
	        metric["samples"] *= 12
	json.dump(d, open("killed", "w"))
	PY
	measure -r 12 --append four --json more
	[ "$(python3 -c 'import json; c = json.load(open("more"))["comparisons"][0]; print(c["block"], c["units"])')" = "4 3" ]
	# A session that was killed has no verdict yet; its 120 pairs are there all the same.
	measure -r 121 --append killed --json fixed
	"$TARE" run --progress none -q -w 0 --metric cpu --max-time 1ms --append killed --json more
	[ "$(python3 -c 'import json; c, f = (json.load(open(n))["comparisons"][0] for n in ("more", "fixed")); print(c["block"] >= 10, f["block"] >= 10)')" = "True True" ]
	run "$TARE" run --append @2 "$spin 5" true
	[ "$status" -eq 2 ]
	[[ "$output" == *"the earlier result has other commands"* ]]
	run "$TARE" run --append @2 --design duet
	[ "$status" -eq 2 ]
	run "$TARE" run --resume
	[ "$status" -eq 5 ]
	[[ "$output" == *"no run was interrupted or killed"* ]]
	run "$TARE" run --gate 5% --resume
	[ "$status" -eq 5 ]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
	run "$TARE" run --gate 5% --resume true
	[ "$status" -eq 2 ]
	[[ "${lines[-1]}" == "verdict: failed "* ]]
}

@test "without commands all of the earlier command line is gone on with" {
	echo "hello world" >words
	measure --input words -p 'touch prepared' -L word hello,world --json doc -- 'grep -q {word}'
	rm prepared
	measure -r 6 --append @1 --json more --
	[ -e prepared ]
	[ "$(sql 'SELECT id, rounds FROM experiment')" = "2 6" ]
	[ "$(python3 -c 'import json; print(*json.load(open("more"))["argv"][:3])')" = "tare run --append=@1" ]
	# How much is measured, and where it goes, is asked for anew.
	cp doc before
	"$TARE" run -q --append @2 --max-runs 8 --precision 0.001% >/dev/null
	[ "$(sql 'SELECT id, rounds FROM experiment')" = "3 8" ]
	cmp doc before
	# Values are no options, also where they look like one; letters may stand together.
	"$TARE" run -q -i -w 0 --design turns -S default -L flag -march=x,-mtune=y -qir 3 'echo {flag}' >/dev/null
	"$TARE" run -q --append @last -r 4 >/dev/null
	[ "$(sql 'SELECT id, rounds FROM experiment WHERE id > 3')" = "5 4" ]
	# What a hook is yet to make has a place.
	mkdir -p made/here made/there
	(cd made/here && "$TARE" run -q -r 3 --setup 'cp /bin/true ../x' ../x >/dev/null && "$TARE" run -q -r 4 --append @last >/dev/null)
	(cd made/there && "$TARE" run -q -r 3 --setup 'cp /bin/true y' ./y >/dev/null)
	cd made/here
	run "$TARE" run -q -r 4 --append @last
	[[ "$status" -eq 2 && "$output" == *"was of another program"*"there/y"* ]]
	cd ../..
	# An interpreter's program is the file that it is given.
	mkdir -p here there
	echo 'import sys' | tee here/x.py >there/x.py
	(cd here && "$TARE" run -q -r 3 'python3 x.py' >/dev/null && "$TARE" run -q -r 4 --append @last >/dev/null)
	cd there
	run "$TARE" run -q -r 4 --append @last
	[[ "$status" -eq 2 && "$output" == *"was of another program"*"here/x.py"* ]]
	cd ..
	echo 'import os' >here/x.py
	cd here
	run "$TARE" run -q -r 6 --append @last
	[[ "$status" -eq 2 && "$output" == *"the program was changed since"* ]]
	cd ..
	# So it is where the interpreter, or the file, is named by its whole path.
	echo 'import sys' >here/x.py
	(cd here && "$TARE" run -q -r 3 '/usr/bin/python3 x.py' >/dev/null && "$TARE" run -q -r 4 --append @last >/dev/null)
	cd there
	run "$TARE" run -q -r 5 --append @last
	[[ "$status" -eq 2 && "$output" == *"was of another program"*"here/x.py"* ]]
	cd ..
	"$TARE" run -q -r 3 "python3 $PWD/here/x.py" >/dev/null
	"$TARE" run -q -r 4 --append @last >/dev/null
	echo 'import os' >here/x.py
	run "$TARE" run -q -r 5 --append @last
	[[ "$status" -eq 2 && "$output" == *"the program was changed since"*"here/x.py"* ]]
	# A program of this folder is known by itself: what it is given may change.
	cp /bin/cat own
	echo 1 >given
	"$TARE" run -q -r 3 './own given' >/dev/null
	echo 2 >given
	"$TARE" run -q -r 4 --append @last >/dev/null
	# A file that can be read once is read once.
	measure -r 6 --append <(cat doc) --json more
	[ "$(python3 -c 'import json; print(*(len(s["metrics"]["cpu"]["samples"]) for s in json.load(open("more"))["subjects"]))')" = "6 6" ]
	run "$TARE" run --resume --append @3
	[ "$status" -eq 2 ]
	# Where it is not known, or has no commands either, nothing is guessed.
	for words in '[]' '["tare", "bench", "x"]' '["tare", "run", "--append=@1", "-r", "9"]'; do
		python3 -c 'import json, sys; d = json.load(open("doc")); d["argv"] = json.loads(sys.argv[1]); json.dump(d, open("other", "w"))' "$words"
		run "$TARE" run -r 6 --append other
		[ "$status" -eq 2 ]
		[[ "$output" == *"other: the earlier result does not say how 'tare run' measured it"*"give its commands and options"* ]]
	done
}

@test "only the same program is gone on with" {
	mkdir a b
	printf '#!/bin/sh\n' | tee a/x >b/x
	chmod +x a/x b/x
	cd a
	measure --json doc ./x
	measure --prepare 'touch x' ./x
	cd ../b
	run "$TARE" run -r 6 --append @1
	[ "$status" -eq 2 ]
	[[ "$output" == *"./x: the earlier result was of another program ($BATS_TEST_TMPDIR/a/x)"* ]]
	run "$TARE" run -r 6 --append @2 --no-save ./x
	[ "$status" -eq 2 ]
	measure -r 6 --append ../a/doc --json doc # a file does not say where its program was, but what
	[ ! -s err ]
	cd ../a
	echo 'exit 0' >>x
	run "$TARE" run -r 6 --append @1 ./x
	[ "$status" -eq 2 ]
	[[ "$output" == *"./x: the program was changed since the earlier result ($BATS_TEST_TMPDIR/a/x)"* ]]
	cp doc before
	run "$TARE" run -r 6 --append doc --no-save --json doc
	[ "$status" -eq 2 ]
	[[ "$output" == *"./x: the program was changed since the earlier result ($BATS_TEST_TMPDIR/a/x)"* ]]
	cmp doc before
	# An older file does not say what its program was; an interpreter's script is a part of it.
	python3 -c 'import json; d = json.load(open("doc")); del d["subjects"][0]["hash"]; json.dump(d, open("older", "w"))'
	measure -r 6 --append older --no-save
	[[ "$(cat err)" == *"older does not say what the program of './x' was: whether it was changed since could not be checked"* ]]
	measure --no-save --json script "sh x"
	measure --no-save --append script -r 6 --json more
	[ "$(python3 -c 'import json; print(*(json.load(open(n))["subjects"][0]["hash"].count(" ") for n in ("script", "more")))')" = "1 1" ]
	echo 'exit 0' >>x
	run "$TARE" run -r 6 --append script --no-save
	[[ "$status" -eq 2 && "$output" == *"sh x: the program was changed since"* ]]
	measure --no-save --prepare 'touch x' --json hook ./x
	echo 'exit 0' >>x
	measure --no-save --append hook -r 6
	[ ! -s err ]
	measure -r 6 --append @2 # its --prepare may have made it anew
	[ "$(sql 'SELECT id, rounds FROM experiment' | tr '\n' ' ')" = "1 4 3 6 4 6 " ]
}

@test "an experiment stays unless all of it is gone on with" {
	index='rate:/s:regex=([0-9]+)'
	printf '#!/bin/sh\necho 5\n[ ! -e count ] || { echo >>count; exec test $(wc -l <count) -lt 10; }\n' >five
	chmod +x five
	measure --tag old --pi "$index" -n s ./five
	# Unit readings that it does not have: nothing is measured.
	run "$TARE" run --progress none -r 6 --append @1 --metric wall --pi 'rate:MB/s:units:column=1' -n s ./five
	[ "$status" -eq 2 ]
	[[ "$output" == *"no unit readings of 'rate'"* ]]
	[ "$(sql 'SELECT id, rounds FROM experiment')" = "1 4" ]
	# Its numbers are not among those of the longer one.
	measure -r 6 --append @1 -n s ./five
	grep -q '@1 is kept: not all of it was taken over' err
	[ "$(sql 'SELECT id, rounds FROM experiment' | tr '\n' ' ')" = "1 4 2 6 " ]
	# All of it is, and its tags.
	measure -r 8 --append @1 --tag new --tag old
	[ "$(grep -c stays err)" = 0 ]
	[ "$(sql 'SELECT id, rounds FROM experiment' | tr '\n' ' ')" = "2 6 3 8 " ]
	[ "$(sql 'SELECT tag FROM tag WHERE experiment = 3 ORDER BY tag' | tr '\n' ' ')" = "new old " ]
	# Also when what comes after it fails.
	touch count
	run "$TARE" run --progress none -r 20 --append @3 --metric cpu --pi "$index" -w 1 -n s ./five
	[ "$status" -eq 5 ]
	[ "$(sql 'SELECT id, state FROM experiment' | tr '\n' ' ')" = "2 done 4 failed " ]
	"$TARE" history export @4 >doc
	[ "$(python3 -c 'import json; print(len(json.load(open("doc"))["subjects"][0]["metrics"]["rate"]["samples"]))')" -ge 8 ]
}

@test "a suite's gate measures suspects again" {
	run "$TARE" run --progress none -q -r 12 -w 1 --metric cpu --design turns --gate 200% -n base "$spin 1000" -n slow "$spin 60000000" -n same "$spin 1000"
	[ "$status" -eq 3 ]
	[[ "$output" == *"slow broke the gate, and again in fresh runs"* ]]
	# They are saved apart, and the experiment is still the last.
	[ "$(sql 'SELECT experiment, tag FROM tag')" = "2 gate-confirmation" ]
	"$TARE" history export @last >doc
	[ "$(python3 -c 'import json; print(len(json.load(open("doc"))["subjects"]))')" = 3 ]
	printf '#!/bin/sh\nprintf x >>count\n[ $(wc -c <count) -gt 12 ] && exec "%s" 1000\nexec "%s" 90000000\n' "$spin" "$spin" >fickle
	chmod +x fickle
	run "$TARE" run --progress none -q -r 11 -w 1 --metric cpu --design turns --gate 1000% -n base "$spin 1000" -n fickle ./fickle -n same "$spin 1000"
	[ "$status" -ne 3 ]
	[[ "$output" == *"fickle broke the gate, but not in fresh runs"* ]]
}

@test "rounds of different work are compared with a baseline by their lines, or not at all" {
	rounds="--progress none --work 1:64 --min-round 1h -r 6"
	"$TARE" run $rounds 'echo {work}'
	"$TARE" history baseline set main --force
	run "$TARE" run $rounds --baseline main --gate 20% 'echo {work}'
	[ "$status" -eq 4 ]
	[[ "$output" == *"one of them has no line"* ]]
}
