# Benchmarks that go wrong, one for each way; tests/harness/test_clients.c runs them.
bench_throws() { return 5; }
bench_prints() { echo hello; }
bench_ends() { exit 3; }
. "$(dirname "$0")/../../../clients/shell/tare-bench.sh"
tare_main throws prints ends
