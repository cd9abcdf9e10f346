# A real Slurm with six nodes on loopback, for tests of fleets.

# Each test has a Slurm of its own: a node that failed to start a task is drained for it, which would be the next test's.
setup() {
	PATH=$PATH:/usr/sbin command -v slurmctld >/dev/null && command -v sbatch >/dev/null ||
		skip "Slurm is not installed (scripts/install-deps fleet)"
	cd "$BATS_TEST_TMPDIR"
	export LOOP=$BATS_TEST_TMPDIR/slurm
	export SLURM_CONF=$LOOP/slurm.conf
	"$SOURCE_ROOT/tests/fleet/slurm-loop" start "$LOOP" 6
	export TARE_FLEET=$BATS_TEST_TMPDIR/fleets XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	for side in old new; do
		printf '#!/bin/sh\ni=0\nwhile [ $i -lt ${1:-300} ]; do i=$((i+1)); done\n' >"$side"
		chmod +x "$side"
	done
}

teardown() {
	[ ! -e "${SLURM_CONF:-}" ] || "$SOURCE_ROOT/tests/fleet/slurm-loop" stop "$LOOP"
}

# Options, then how many turns of the loop: 400 take about a millisecond.
start() {
	timeout 300 "$TARE" run --on slurm --machines 4 --fleet fleet --design turns --metric cpu --runs "${RUNS:-12}" --max-time 2s "$@" \
		"./old ${TURNS:-300}" "./new $((${TURNS:-300} * 2))"
}

# Watches a fleet to its end; one that has none is a failure with what was said, not a hang.
watch() {
	timeout 300 "$TARE" fleet wait "$@" 2>notes || { cat notes; squeue -r; sinfo -N; return 1; }
}

# Every slot has exactly one result, of four machines or fewer, and nothing lies about.
counted_once() {
	[ "$(ls fleet/slot | wc -l)" -eq 4 ]
	[ -z "$(ls fleet/tmp)" ]
	for slot in 0 1 2 3; do [ -e "fleet/slot/$slot.0.json.gz" ]; done
}

# Until a task runs; prints its slot and node.
running() {
	for _ in $(seq 200); do
		line=$(squeue -h -r -t R -o '%K %N' --name="tare-$1" | head -1)
		[ -n "$line" ] && echo "$line" && return
		sleep 0.1
	done
	return 1
}

id_of() {
	sha256sum fleet/experiment.json | cut -c1-12
}
