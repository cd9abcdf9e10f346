#!/usr/bin/env bats
# A performance engineer of a service: numbers that a load generator prints, throughput, what limits, work amounts.

load hour

setup_file() {
	hour_begins
	cd "$BATS_FILE_TMPDIR/work"
	cat >load.sh <<-'END'
		#!/bin/sh
		# Prints what a load generator prints; the service is slower by the factor given.
		sleep 0.01
		echo "requests: 1000"
		echo "rate $((1000 / $1)) req/s"
		echo "p99 $((20 * $1)).5 ms"
	END
	printf '#!/bin/sh\nsleep $(echo "$1" | awk "{ print 0.01 + \\$1 / 1000 }")\n' >writer.sh
	# What it prints decides, so that a busy machine changes nothing.
	printf '#!/bin/sh\nawk -v w="$1" "BEGIN { print 0.5 + w / 100 }"\n' >timed.sh
	chmod +x load.sh writer.sh timed.sh
}
setup() { hour_goes_on; }

@test "numbers that the generator prints" {
	types 0 tare run -r 6 --pi 'rate:req/s:higher:regex=rate ([0-9.]+)' './load.sh 1'
	sees rate
	types 0 tare run -r 12 --pi 'rate:req/s:higher:regex=rate ([0-9.]+)' --metric rate --json rates.json './load.sh 1' './load.sh 5'
	sees rate
	types 0 python3 -c 'import json; print(json.load(open("rates.json"))["comparisons"][0]["verdict"])'
	sees slower
	types 0 tare run -r 6 --pi 'p99:ms:regex=p99 ([0-9.]+)' --metric p99 './load.sh 2'
	sees p99
	types 5 tare run -r 3 --pi 'rate:req/s:regex=speed ([0-9.]+)' './load.sh 1'
	sees rate
	types 2 tare run -r 3 --pi 'rate' './load.sh 1'
	sees "--pi"
	types 3 tare run -r 12 --gate 10% --pi 'p99:ms:regex=p99 ([0-9.]+)' --metric p99 './load.sh 1' './load.sh 5'
}

@test "what limits" {
	types 0 tare monitor --count 1 --interval 200ms
	sees cpu
	types 0 tare run -r 5 --monitor "$SPIN 3000000"
	types 0 tare run -r 5 --graph limits.dot "$SPIN 3000000"
	[ -s limits.dot ]
}

@test "when it hangs or fails" {
	types 124 tare run -r 3 --timeout 200ms 'sleep 60'
	sees "200 ms"
	types 5 tare run -r 3 'sh -c "exit 7"'
	sees "exit 7"
	types 0 tare run -r 3 --expect-exit 7 'sh -c "exit 7"'
}

@test "work amounts" {
	types 0 tare run --work 1:100:MB --max-time 4s --json write.json './writer.sh {work}'
	types 0 tare run --work 1:100:MB --pi 't:s:column=1' --metric t --max-time 60s --json timed.json './timed.sh {work}'
	types 0 tare predict timed.json --work 200
	sees "200 MB  2.5"
	types 0 tare report write.json -o write.html
	types 2 tare run --work 1:100 ./writer.sh
	sees "{work}"
}
