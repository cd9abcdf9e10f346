#!/usr/bin/env bats
# Somebody who has typed hyperfine for years.

load hour

setup_file() { hour_begins; }
setup() { hour_goes_on; }

@test "the lines of every day" {
	types 0 tare run -w 1 -r 5 'sleep 0.01'
	sees "sleep 0.01"
	types 0 tare run -N -r 12 'sleep 0.1' 'sleep 0.01'
	sees "faster"
	types 0 tare run -r 5 -L n 1,3 'sleep 0.0{n}'
	sees "sleep 0.01" "sleep 0.03"
	types 0 tare run -r 5 -P n 1 3 'sleep 0.0{n}'
	sees "sleep 0.02"
	types 0 tare run -r 5 -p 'echo x >>prepared' -c 'rm prepared' 'true'
	[ ! -e prepared ]
	types 0 tare run -r 5 -n one true -n two 'sleep 0.01'
	sees one two
	types 0 tare run -r 5 -i false
}

@test "the shell" {
	types 2 tare run -r 5 'ls | wc -l'
	sees "tare run -S default -r 5 'ls | wc -l'"
	types 0 tare run -S default -r 5 'ls | wc -l'
	types 0 tare run --shell bash -r 5 'for i in 1 2; do true; done'
}

@test "exports and what reads them" {
	types 0 tare run -r 5 --export-json out.json --export-markdown out.md --export-csv out.csv 'sleep 0.01' 'sleep 0.02'
	types 0 python3 -c 'import json; print(len(json.load(open("out.json"))["results"]))'
	sees 2
	types 0 head -n 1 out.md
	sees "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |"
	types 0 head -n 1 out.csv
	sees "command,mean,stddev,median,user,system,min,max"
	types 0 tare analyze out.json
	sees "sleep 0.01" "sleep 0.02"
	types 0 tare compare out.json out.json
	types 0 tare run -r 5 --reference 'sleep 0.01' --sort mean-time --export-markdown - 'sleep 0.02'
	sees "| \`sleep 0.01\` |"
}

@test "what hyperfine has no word for" {
	types 2 tare run --min-benchmarking-time 1 true
	sees "--max-time"
	types 3 tare run -r 12 --gate 10% 'sleep 0.01' 'sleep 0.1'
	types 0 tare run -r 12 --html page.html 'sleep 0.01' 'sleep 0.1'
	[ -s page.html ]
}
