#!/bin/sh
# Benchmarks of commands, in POSIX shell. `sh suite.sh` alone, or `tare bench 'sh suite.sh'`.

setup_sort() {
	numbers=$(mktemp) && seq 2000 -1 1 >"$numbers"
}
bench_sort() {
	sort -n "$numbers" >/dev/null
}
teardown_sort() {
	rm -f "$numbers"
}

bench_arithmetic() {
	x=1
	for i in 1 2 3 4 5 6 7 8 9 10; do
		x=$((x * 3 % 1000 + i))
	done
}

setup_needs_gpu() {
	tare_skip no GPU here
}
bench_needs_gpu() {
	:
}

. "$(dirname "$0")/../../clients/shell/tare-bench.sh"
tare_main sort arithmetic needs_gpu
