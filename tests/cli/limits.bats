#!/usr/bin/env bats
# Limits and interference of the system, as a user meets them: descriptors, processes, room, memory, a debugger, the clock.

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data" XDG_STATE_HOME="$BATS_TEST_TMPDIR/state"
	programs="$(dirname "$TARE")/tests/programs"
	subject="$programs/subject"
	quick="--progress none -r 2 -w 0 --metric cpu"
	seq 20 >numbers.txt
}

# ended STATUS: a documented code, and a word where it is not 0; nothing half written.
ended() {
	cat err
	[[ "$1" =~ ^(0|1|5)$ ]]
	[ "$1" -eq 0 ] || grep -q '^tare: ' err
	! ls -a | grep -q '\.tmp$'
	! pgrep -P $$ tare >/dev/null
}

@test "few open files" {
	for n in 8 10 12 14 16 17 18 19 20 24; do
		status=0
		timeout 60 prlimit --nofile=$n:$n "$TARE" run $quick --no-save --json doc -n a "$subject exit 0" -n b "$subject exit 0" >out 2>err || status=$?
		[ $status -ne 127 ] || continue # too few for the libraries
		ended $status
		[ $status -ne 0 ] || python3 -m json.tool doc >/dev/null
		[ $status -eq 0 ] || grep -qi 'open files' err
	done
	for n in 10 14; do
		status=0
		timeout 60 prlimit --nofile=$n:$n "$TARE" bench --progress none --no-save -r 1 --iterations 2 --iteration-time 50us --filter heavier "$programs/suite-old" >out 2>err || status=$?
		ended $status
	done
}

@test "no more processes" {
	[ "$(id -u)" -eq 0 ] || skip "needs root, to become somebody who has no process yet"
	[ -x "$TARE" ] && setpriv --reuid 65533 --regid 65533 --clear-groups test -x "$TARE" || skip "the program is not within everybody's reach"
	chmod 777 .
	for n in 1 2 3; do
		status=0
		(ulimit -u $n; exec timeout 100 setpriv --reuid 65533 --regid 65533 --clear-groups "$TARE" run $quick --no-save "$subject exit 0" >out 2>err) || status=$?
		ended $status
		[ $status -ne 0 ]
		grep -qi 'resource temporarily unavailable\|limit of processes' err
	done
}

@test "no room on the disk" {
	for document in "--json -" "--csv -" "--markdown -" ""; do
		status=0
		"$TARE" analyze numbers.txt $document >/dev/full 2>err || status=$?
		[ $status -eq 1 ]
		grep -q 'No space left' err
	done
	for words in "--help" "--version" "help run" "history list --help"; do
		status=0
		"$TARE" $words >/dev/full 2>err || status=$?
		[ $status -eq 1 ]
		grep -q '^tare: .*standard output' err
	done
	# A file size limit is a full disk for one file.
	echo old >doc
	trap '' XFSZ
	(ulimit -f 1; "$TARE" analyze numbers.txt --html doc >out 2>err) && false
	(ulimit -f 1; "$TARE" report numbers.txt -o doc >out 2>err) && false
	trap - XFSZ
	ended 1
	[ "$(cat doc)" = old ]
}

@test "no room in a small file system" {
	[ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null || skip "no file system may be mounted"
	status=0
	"$TARE" report numbers.txt -o small/page.html 2>err || status=$?
	left=$(ls -A small)
	XDG_DATA_HOME=$PWD/small "$TARE" run $quick -n a "$subject exit 0" >out 2>err2 || true
	umount small
	[ $status -eq 1 ]
	grep -q 'No space left' err
	[ -z "$left" ]
	grep -q ' runs' out
	grep -q 'not in the store' err2
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
}

@test "a command that the kernel kills for want of memory" {
	for root in /sys/fs/cgroup /sys/fs/cgroup/memory; do
		group="$root/tare-test-$$"
		mkdir "$group" 2>/dev/null || continue
		limit=$(ls "$group"/memory.max "$group"/memory.limit_in_bytes 2>/dev/null || true)
		if [ -z "$limit" ] || ! echo 30000000 >"$limit" 2>/dev/null; then
			rmdir "$group"
			continue
		fi
		[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
		status=0
		"$TARE" run $quick -S default --no-save "echo \$\$ >$group/cgroup.procs; exec $subject allocate 200" >out 2>err || status=$?
		for _ in $(seq 50); do rmdir "$group" 2>/dev/null && break; sleep 0.1; done
		cat err
		[ $status -eq 5 ]
		grep -qi 'kill' err
		return
	done
	skip "no control group may be made"
}

@test "a debugger stops the command" {
	"$TARE" run --progress none -r 2 -w 0 --metric wall --no-save --json doc "$subject sleep 700" >out 2>err &
	run=$!
	python3 - $run <<-'PY' || { kill $run 2>/dev/null || true; skip "no process may be traced"; }
	import ctypes, sys, time
	libc = ctypes.CDLL(None, use_errno=True)
	def below(pid):
	    try:
	        return [int(w) for w in open(f"/proc/{pid}/task/{pid}/children").read().split()]
	    except OSError:
	        return []
	for _ in range(2000):
	    found = [c for s in below(int(sys.argv[1])) for l in below(s) for c in below(l) if open(f"/proc/{c}/comm").read().strip() == "subject"]
	    if found:
	        break
	    time.sleep(0.005)
	SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
	if not found or libc.ptrace(SEIZE, found[0], None, None) != 0:
	    sys.exit(1)
	libc.ptrace(INTERRUPT, found[0], None, None)
	time.sleep(0.3)
	libc.ptrace(DETACH, found[0], None, None)
	PY
	wait $run
	[ "$(python3 -c 'import json; print(json.load(open("doc"))["subjects"][0]["metrics"]["wall"]["n"])')" = 2 ]
}

@test "a clock that jumps" {
	faulty="$(dirname "$TARE")/tests/faults/tare-faulty"
	for step in -3600 3600; do
		FAULT_CLOCK=$step "$faulty" run --progress none -r 3 -w 0 --metric wall --no-save --json doc "$subject sleep 10" >out 2>err
		python3 - <<-'PY'
		import json
		d = json.load(open("doc"))
		values = [t for run in d["subjects"][0]["metrics"]["wall"]["samples"] for t in run]
		assert len(values) == 3 and all(0.01 <= v < 60 for v in values), values
		assert 0 < d["elapsed"] < 600, d["elapsed"]
		PY
		FAULT_CLOCK=$step "$faulty" bench --progress none --no-save -r 2 --iterations 2 --iteration-time 50us --filter heavier "$programs/suite-old" >out 2>err
	done
}

@test "CPUs that are taken away" {
	[ "$(nproc)" -ge 2 ] || skip "one CPU"
	"$TARE" run --progress none --design duet --metric cpu -r 100000 --no-save --json doc -n a "$subject spin 2" -n b "$subject spin 2" >out 2>err &
	run=$!
	for _ in $(seq 400); do
		lanes=$(ps -o pid= --ppid "$(ps -o pid= --ppid $run | head -1)" 2>/dev/null || true)
		[ "$(wc -w <<<"$lanes")" -lt 2 ] || break
		sleep 0.02
	done
	first=$(taskset -pc $run | sed 's/.*: //; s/[,-].*//')
	for pid in $run $lanes; do taskset -pc "$first" "$pid" >/dev/null 2>&1 || true; done
	sleep 0.3
	kill -TERM $run
	status=0
	wait $run || status=$?
	cat err
	[[ "$status" =~ ^(1|5|130)$ ]]
	python3 -m json.tool doc >/dev/null
}

@test "traps in the place of outputs" {
	echo precious >victim
	ln -s victim link.json
	"$TARE" analyze numbers.txt --json link.json >out
	[ "$(cat victim)" = precious ]
	[ ! -L link.json ]
	# A store that is a link is refused; a folder that is one is not.
	mkdir -p real "$XDG_DATA_HOME"
	ln -s "$PWD/real" "$XDG_DATA_HOME/tare"
	"$TARE" run $quick "$subject exit 0" >out 2>err
	[ -f real/tare.db ]
	rm -f real/tare.db*
	ln -s "$PWD/planted.db" real/tare.db
	"$TARE" run $quick "$subject exit 0" >out 2>err
	grep -q 'a link to another file' err
	[ ! -e planted.db ]
	[ "$(stat -c %a tare-rescue-*.json)" = 600 ]
	# Nor is a rescued document led astray.
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
}

@test "commands inside imported results are never executed" {
	cat >evil.json <<-'E'
	{"results": [{"command": "touch executed; $(touch executed)", "times": [1, 2, 3]}, {"command": "`touch executed`", "times": [1, 2, 4]}]}
	E
	"$TARE" analyze evil.json >out
	"$TARE" analyze evil.json --json doc.json --csv doc.csv --markdown doc.md >out
	"$TARE" report doc.json -o page.html
	"$TARE" compare evil.json doc.json >out
	"$TARE" export evil.json --format csv -o again.csv
	"$TARE" history import evil.json >out
	"$TARE" history show @last >out
	"$TARE" history export @last -o docs >out
	"$TARE" run --append @last --progress none >out 2>err || true
	"$TARE" run --resume --progress none >out 2>err || true
	[ ! -e executed ]
	# What a page shows of them is text.
	! grep -q '<script>touch\|onerror=' page.html
}

@test "suite files: aliases without end" {
	{
		echo 'subjects:'
		echo '  - &a {command: x, environment: &e [A=1, B=2, C=3, D=4, E=5, F=6, G=7, H=8]}'
		yes '  - *a' | head -20000
	} >tare.yaml
	run timeout 60 "$TARE" run --dry-run tare.yaml
	[ "$status" -eq 2 ]
	[[ "$output" == *"tare.yaml:"*"more than 10000 values"* ]]
	printf 'subjects: &a\n  - *a\n' >tare.yaml
	run timeout 60 "$TARE" run --dry-run tare.yaml
	[ "$status" -eq 2 ]
	for opening in '[' '- ' '{a: '; do
		python3 -c 'import sys; print("subjects:\n  " + sys.argv[1] * 200000)' "$opening" >tare.yaml
		run timeout 60 "$TARE" run --dry-run tare.yaml
		[ "$status" -eq 2 ]
		[[ "$output" == *"tare.yaml:"*"nested too deep"* ]]
	done
	python3 -c 'print("a: &a [x,x,x,x,x,x,x,x,x]"); [print(f"{chr(98+i)}: &{chr(98+i)} [" + ",".join(["*" + chr(97+i)] * 9) + "]") for i in range(12)]' >tare.yaml
	run timeout 60 "$TARE" run --dry-run tare.yaml
	[ "$status" -eq 2 ]
}

@test "a stack of 256 kB is enough" {
	if grep -q __asan_init "$TARE"; then skip "frames are larger with a sanitizer"; fi
	small() { # COMMAND…
		run bash -c 'ulimit -s 256; exec "$@"' sh "$TARE" "$@"
		[[ "$status" -eq 0 ]]
	}
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	cd "$BATS_TEST_TMPDIR"
	small run --progress none -r 3 --json one.json --html page.html true 'sh -c :'
	small run --progress none -r 3 --dry-run true
	small run --progress none --no-save --builds 2 -r 2 --build 'cp /bin/true it' ./it
	small analyze one.json
	small compare one.json one.json
	small report one.json
	small history list
	small history verify
	small history import one.json
	small export one.json --format csv
	small bench --help
	small doctor --json -
}

@test "what a hook says does not fill the memory, and its last words are kept" {
	cat >chatty <<'END'
yes | head -c 50000000
i=0
while [ "$(stat -Lc %b /proc/self/fd/2)" -gt 2048 ]; do # blocks of 512 bytes
	i=$((i + 1))
	[ $i -lt 300 ] || { echo "the file grew"; exit 1; }
	sleep 0.1
done
echo "these are my last words"
exit 3
END
	run timeout 60 "$TARE" run $quick --no-save --setup "sh $PWD/chatty" "$subject exit 0"
	[[ "$status" -eq 5 && "$output" == *"exit 3"*"these are my last words"* ]]
}

@test "--timeout bounds hooks and checks" {
	for hook in setup prepare conclude cleanup; do
		run timeout 50 "$TARE" run $quick --no-save --timeout 200ms --$hook 'sleep 60' "$subject exit 0"
		[ "$status" -eq 124 ]
		[[ "$output" == *"--$hook ran past --timeout"* ]]
	done
	run timeout 50 "$TARE" run $quick --no-save --timeout 200ms --check 'sleep 60' "$subject exit 0"
	[[ "$status" -eq 124 && "$output" == *"the check of its output failed: ran past its time limit"* ]]
}

@test "limits that are stated are within themselves" {
	for option in precision margin share-margin; do
		"$TARE" run -q --no-save -r 2 --$option 0.0001% true >/dev/null
		run "$TARE" run -q --no-save -r 2 --$option 0.0001 true
		[[ "$status" -eq 2 && "$output" == *"--$option: '0.0001' could mean 0.0001 % or 0.01 %"* ]]
		run "$TARE" run -q --no-save -r 2 --$option 0.00009% true
		[[ "$status" -eq 2 && "$output" == *"--$option: must be between 0.0001 %"* ]]
	done
}
