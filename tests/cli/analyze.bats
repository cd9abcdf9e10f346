#!/usr/bin/env bats
@test "prints its version" {
	run "$TARE" --version
	[ "$status" -eq 0 ]
	[[ "$output" == "tare "* ]]
}
