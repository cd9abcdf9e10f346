# What a suite does alone, without tare.

setup() {
	unset TARE_CHANNEL
}

@test "lists its benchmarks" {
	run "$SUITE" --list
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 12 ]
	[ "${lines[0]}" = multiply ]
	[ "${lines[5]}" = insertion_sort/n=64/order=descending ]
}

@test "filters by name, by what is not in it, and by parameter" {
	run "$SUITE" --list --filter '^checksum' --filter=-65536
	[ "$output" = "checksum/bytes=64
checksum/bytes=2048" ]
	run "$SUITE" --list --filter sort --param n=512 --param order=random
	[ "$output" = insertion_sort/n=512/order=random ]
	run "$SUITE" --list --filter nothing
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "runs each once" {
	run "$SUITE" --test
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 12 ]
	[ "${lines[0]}" = "ok multiply" ]
	[ "${lines[11]}" = "skip needs_gpu: no GPU here" ]
}

@test "prints a table and how to get a real one" {
	run "$SUITE" --filter 'multiply|gpu'
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == benchmark*median*least*iterations* ]]
	[[ "${lines[1]}" =~ ^multiply\ +[0-9.]+\ ns ]]
	[[ "${lines[2]}" == *"skipped: no GPU here" ]]
	[[ "$output" == *"tare bench $SUITE"* ]]
}

@test "explains itself" {
	run "$SUITE" --help
	[ "$status" -eq 0 ]
	[[ "$output" == *--filter* ]]
	[[ "$output" == *"tare bench"* ]]
	run "$SUITE" --version
	[ "$status" -eq 0 ]
}

@test "refuses wrong use with exit code 2" {
	for wrong in "--frobnicate" "extra" "--filter (" "--param n" "--filter" "--filter=nothing"; do
		# shellcheck disable=SC2086
		run "$SUITE" $wrong
		[ "$status" -eq 2 ]
		[ -n "$output" ]
	done
}
