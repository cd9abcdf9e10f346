#!/usr/bin/env bats
# Somebody who has used Pilot: sessions of readings, work amounts, change points, and what limits.

load hour

setup_file() {
	hour_begins
	cd "$BATS_FILE_TMPDIR/work"
	# What it prints decides, so that a busy machine changes nothing.
	cat >copy.sh <<-'END'
		#!/bin/sh
		awk -v w="${1:-100}" 'BEGIN { print 0.5 + w / 100; print "rate", 100 + w % 3, "MB/s" }'
	END
	chmod +x copy.sh
	{
		seq 100 | awk '{ print 10 + $1 * 7919 % 13 / 10 }'
		seq 100 | awk '{ print 20 + $1 * 7919 % 13 / 10 }'
	} >series.csv
}
setup() { hour_goes_on; }

@test "what Pilot's hand types is answered with what to type" {
	types 2 tare run_program ./copy.sh
	sees "did you mean 'tare run'?"
	types 2 tare run --pi 'rate,MB/s,0,1,1' ./copy.sh
	sees "'rate:MB/s:harmonic:column=1'"
	types 2 tare run --ci-perc 0.1 ./copy.sh
	sees "--precision PCT"
	types 2 tare run --session-limit 60 ./copy.sh
	sees "--max-time TIME"
	types 2 tare detect_changepoint_edm series.csv
	sees "tare analyze --changes FILE"
}

@test "readings" {
	types 0 tare run -r 6 --pi 'rate:MB/s:higher:regex=rate ([0-9.]+)' ./copy.sh
	sees "95 % interval" arithmetic
	types 0 tare run --preset quick --min-runs 5 --max-time 5s --pi 'rate:MB/s:harmonic:regex=rate ([0-9.]+)' ./copy.sh
	sees harmonic
	types 0 tare run -r 6 --pi 'rate:MB/s:width=10%:confidence=90:ac=0.2:regex=rate ([0-9.]+)' ./copy.sh
	sees "90 % interval"
	types 5 tare run -r 3 --pi 'rate:MB/s:regex=speed ([0-9.]+)' ./copy.sh
	sees "no number for 'rate'"
}

@test "work amounts and future work" {
	types 2 tare run --work 10-200 './copy.sh {work}'
	sees "1:1000:MB"
	types 2 tare run --work 1:100:MB ./copy.sh
	sees "{work}"
	types 0 tare run --work 1:100:MB --pi 't:s:column=1' --metric t --max-time 60s --json work.json './copy.sh {work}'
	sees "stable speed"
	types 2 tare predict work.json
	sees "--work 1000,2000"
	types 0 tare predict work.json --work 1000
	sees "10.50"
}

@test "series that somebody measured, and what limits" {
	types 0 tare analyze --changes series.csv
	sees "after #99 and not later than #100"
	types 0 tare analyze --subsessions series.csv
	types 0 tare monitor --count 1 --interval 200ms
	sees cpu
	types 0 tare run --rank -r 12 -n slow 'sleep 0.05' -n fast 'sleep 0.01'
	sees "best first: fast > slow"
}
