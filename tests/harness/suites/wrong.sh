# Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
bench_throws() { return 5; }
bench_rants() { :; }
setup_rants() { tare_skip 'a backslash \n, ' "$(printf 'oh\ndear \033')" "$(printf '%06000d' 0)"; }
bench_prints() { echo hello; }
bench_starts() { sh -c 'for fd in 3 4 5; do [ ! -e /proc/self/fd/$fd ] || exit 1; done'; }
bench_ends() { exit 3; }
. "$(dirname "$0")/../../../clients/shell/tare-bench.sh"
tare_main throws rants prints starts ends
