#!/usr/bin/env bats
# The author of a paper: methods, figures, tables for LaTeX, and everything kept.

load hour

setup_file() { hour_begins; }
setup() { hour_goes_on; }

@test "read first" {
	types 0 tare help methods
	types 0 tare help methods --all
	sees "THE ESTIMATE OF ONE SUBJECT"
	types 0 tare help designs
	sees turns duet
	types 0 tare doctor --json machine.json
	[ -s machine.json ]
}

@test "measure, and do it again" {
	types 0 tare run --dry-run -r 12 "$SPIN 100000" "$SPIN 10000000"
	types 0 tare run -r 12 --seed 7 --json result.json --name parsing --tag paper -n old "$SPIN 10000000" -n new "$SPIN 100000"
	sees faster
	types 0 python3 -c 'import json; d = json.load(open("result.json")); print(d["design"]["name"], d["seed"])'
	sees 7
	types 0 tare history list --tag paper
	sees parsing
	types 0 tare run -r 14 --append result.json --json more.json
	sees faster
	types 0 python3 -c 'import json; print(json.load(open("more.json"))["subjects"][0]["metrics"]["wall"]["n"] >= 14)'
	sees True
}

@test "tables and figures" {
	types 0 tare report --latex result.json
	sees '\begin{tabular}'
	types 0 tare report result.json -o page.html
	types 0 tare report --plot density result.json -o density.svg
	types 0 tare report --plot ratio result.json -o ratio.svg
	grep -q '<svg' density.svg ratio.svg
	types 2 tare report --plot pie result.json -o pie.svg
	sees "plots are ratio"
	types 0 tare analyze result.json
	lines_at_most 40
	sees "-v prints all metrics"
	types 0 tare analyze result.json --method bootstrap
	types 0 tare export result.json --format csv -o samples.csv
	types 0 tare analyze --metric cpu samples.csv
	sees faster
}

@test "how many runs will the next one need" {
	types 0 tare plan --from result.json --precision 1% -o next.plan
	types 2 tare run --plan next.plan
	sees "the plan says how often, not what"
	types 1 tare report next.plan
	sees "this is a plan, not a result"
	types 0 tare help plan
	sees "--budget"
}
