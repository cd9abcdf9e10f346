#!/usr/bin/env bats
# tare report, as a user types it. The structure of reports is kept in tests/cli/report/*.txt; after a change that is meant,
# make them again: build/tare and report_outline.py by hand.

setup_file() {
	export REPORTS="$BATS_FILE_TMPDIR"
	python3 "$SOURCE_ROOT/tests/cli/report_results.py" "$TARE" "$REPORTS"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	outline="$SOURCE_ROOT/tests/cli/report_outline.py"
}

has_structure() { # name, arguments of tare report
	name=$1
	shift
	"$TARE" report "$@" -o "$name.html"
	set -- "$name"
	python3 "$outline" "$1.html" >"$1.txt"
	diff -u "$SOURCE_ROOT/tests/cli/report/$1.txt" "$1.txt"
}

@test "one command" {
	has_structure one "$REPORTS/one.json"
}

@test "two commands in pairs" {
	has_structure two "$REPORTS/two.json"
	grep -q 'new is [0-9.]*.* slower than old' two.html
	# The words of the terminal, to the letter.
	"$TARE" report --text "$REPORTS/two.json" | tr '\n' ' ' | tr -s ' ' >text
	sentence=$(sed -n 's/^<h1>\(.*\)<\/h1>$/\1/p' two.html | sed 's/\xc2\xa0/ /g')
	grep -qF "$sentence" text
}

@test "a suite of 30 benchmarks" {
	has_structure suite "$REPORTS/suite.json"
	[ "$(grep -c '<tr class="slower" data-changed>' suite.html)" -eq 5 ]
	# From worst to best.
	python3 - <<-'PY'
	import re
	page = open("suite.html").read()
	table = re.search(r'<table class="forest".*?</table>', page, re.S)[0]
	changes = [float(x.replace("\u2212", "-")) for x in re.findall(r'class="change">([+-]?[\d.]+)\s%', table)]
	assert len(changes) == 30 and changes == sorted(changes, reverse=True), changes
	PY
}

@test "three levels" {
	has_structure levels "$REPORTS/levels.json"
	grep -q 'data-plot="levels"' levels.html
}

@test "a session with unit readings" {
	# Which other metrics there are depends on the machine.
	has_structure session --metric rate --metric rate.units "$REPORTS/session.json"
	grep -q '<h1>copy: mean rate 10[01]' session.html
	"$TARE" report "$REPORTS/session.json" --plot phases -o phases.svg
	grep -q 'warm-up: 60 values' phases.svg
}

@test "a history with its changes" {
	has_structure history --history --store "$REPORTS/history.db"
	[ "$(grep -c 'most likely @\|slower: +' history.html)" -ge 1 ]
	"$TARE" report --plot history --subject sort --store "$REPORTS/history.db" -o history.svg
	[ "$(grep -c 'class="change"' history.svg)" -eq 1 ]
	# Below a result, and not in place of one.
	"$TARE" report "$REPORTS/one.json" --history --store "$REPORTS/history.db" -o both.html
	python3 "$outline" both.html >both.txt
	[ "$(grep -c '^result' both.txt)" -eq 2 ]
	run "$TARE" report --history --text --store "$REPORTS/history.db"
	[ "$status" -eq 2 ]
	run "$TARE" report --history --subject nobody --store "$REPORTS/history.db" -o none.html
	[ "$status" -eq 5 ]
}

@test "a history of one result claims nothing; days and commits stand on the axis" {
	printf 'time,commit,benchmark,mean_ms\n1700000000,abc123,sort,20\n' >one.csv
	"$TARE" history import --store one.db one.csv
	"$TARE" report --history --store one.db -o one.html
	grep -q '<h1>only 1 result: too few to find changes (at least 24)</h1>' one.html
	! grep -qi 'no change' one.html
	"$TARE" report --history --store "$REPORTS/history.db" -o history.html
	grep -q '<table class="numbers sortable">' history.html
	grep -q '>2023-11-14</text>' history.html
	grep -q '>c000</text>' history.html
	grep -q '<title>@[0-9]* 2023-11-14 c000: ' history.html # hover
	# What changed stands before the others, which are folded.
	[ "$(grep -n 'What changed' history.html | cut -d: -f1)" -lt "$(grep -n 'The others' history.html | cut -d: -f1)" ]
}

@test "an explorer: a folder of pages over a store" {
	export XDG_DATA_HOME="$PWD/data"
	# What it prints decides, so that a busy machine changes nothing.
	printer() { "$TARE" run -q -r 12 -n printer --tag "$2" --pi 'time:s:lower:regex=([0-9.]+)' "echo $1" >/dev/null; }
	printer 0.01 first
	"$TARE" history baseline set main @1 --force >/dev/null
	printer 0.01 second
	printer 0.1 third
	run "$TARE" report --store pages
	[ "$status" -eq 0 ]
	[ "$(find pages -name '*.html' | sort | tr '\n' ' ')" = \
		"pages/changes.html pages/index.html pages/r/1.html pages/r/2.html pages/r/3.html pages/s/1.html " ]
	# Newest first, with their tags; every link leads to a page.
	[ "$(grep -o 'href="r/[0-9]*.html"' pages/index.html | tr '\n' ' ')" = 'href="r/3.html" href="r/2.html" href="r/1.html" ' ]
	grep -q '<td>third</td>' pages/index.html
	for page in pages/index.html pages/s/1.html; do
		for link in $(grep -o 'href="[^"#]*"' "$page" | cut -d '"' -f 2); do
			[ -f "$(dirname "$page")/$link" ]
		done
	done
	grep -q 'href="../index.html"' pages/r/1.html
	# The last is ten times slower than the one before it, and than the baseline.
	[ "$(grep -o 'class="slower" data-against="[12]"' pages/s/1.html | sort -u | wc -l)" -eq 2 ]
	grep -q 'the baseline main, @1' pages/s/1.html
	# Of another store; nothing in it; no place.
	"$TARE" report --store "$REPORTS/history.db" -o others
	[ "$(ls others/r | wc -l)" -eq 80 ]
	# Its results are listed once, below; a single value has no plot.
	[ "$(grep -c '<h2>Results, newest first</h2>' others/s/1.html)" -eq 1 ]
	! grep -q '<summary>results</summary>' others/s/1.html
	grep -q 'nothing to plot' others/r/80.html
	! grep -q 'data-plot=' others/r/80.html
	# One value each: there is nothing to compare.
	grep -q 'too few values to compare with @79' others/s/1.html
	! grep -q 'class="chip"' others/s/1.html
	run "$TARE" report --store "$REPORTS/history.db"
	[ "$status" -eq 2 ]
	[[ "$output" == *"-o pages"* ]]
	XDG_DATA_HOME="$PWD/empty" run "$TARE" report --store none
	[ "$status" -eq 5 ]
	[ ! -e none ]
}

@test "names that would like to be markup are text" {
	has_structure hostile "$REPORTS/hostile.json"
	! grep -q '<img\|<script>document\|onload=document.title=.hit.>$' hostile.html
	# Nothing turns the writing direction; a name of 10 kB does not stand in a sentence.
	python3 - <<-'PY'
	page = open("hostile.html", encoding="utf-8").read()
	start, end = page.index('<script type="application/json"'), page.rindex("</script>\n</section>")
	shown = page[:start] + page[end:]
	assert not any(mark in shown for mark in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
	assert "longlong" in shown
	assert max(len(h) for h in __import__("re").findall("<h1>(.*?)</h1>", shown)) < 600
	PY
}

@test "the data inside are the document" {
	"$TARE" report "$REPORTS/two.json" -o two.html
	python3 - "$REPORTS/two.json" <<-'PY'
	import json, re, sys
	page = open("two.html", encoding="utf-8").read()
	inside = re.search(r'<script type="application/json" id="data-1">(.*?)</script>', page, re.S)[1]
	assert json.loads(inside) == json.load(open(sys.argv[1]))
	PY
}

@test "single plots" {
	for plot in ratio density sequence pairs pair-ratios order lag acf histogram forest; do
		"$TARE" report "$REPORTS/two.json" --plot $plot -o $plot.svg
		python3 -c 'import sys, xml.dom.minidom as m; d = m.parse(sys.argv[1]); assert d.getElementsByTagName("title") and d.getElementsByTagName("desc")' $plot.svg
	done
	"$TARE" report "$REPORTS/levels.json" --plot levels --subject parser-new -o levels.svg
	run "$TARE" report "$REPORTS/two.json" --plot pie -o x.svg
	[ "$status" -eq 2 ]
	[[ "$output" == *"plots are ratio, density"* ]]
	run "$TARE" report "$REPORTS/one.json" --plot pairs -o x.svg
	[ "$status" -eq 5 ]
	[ ! -e x.svg ]
	run "$TARE" report "$REPORTS/two.json" --plot lag --subject nobody -o x.svg
	[ "$status" -eq 2 ]
}

@test "text and Markdown" {
	run "$TARE" report --text "$REPORTS/suite.json"
	[ "$status" -eq 0 ]
	[[ "$output" == *"geometric mean"* ]]
	run "$TARE" report --markdown "$REPORTS/suite.json"
	[ "$status" -eq 0 ]
	[[ "$output" == *"<details><summary>20 same or undecided</summary>"* ]]
	run "$TARE" report --text --markdown "$REPORTS/one.json"
	[ "$status" -eq 2 ]
}

@test "a result of the first edition of the rule keeps what was said, and its samples are judged anew" {
	"$TARE" analyze --json now "$SOURCE_ROOT/examples/data/gzip.csv" >/dev/null
	[ "$(jq -c '.comparisons[0] | [.rule, .verdict]' now)" = '[2,"slower"]' ]
	# As the first edition left it: no rule, and another word and ratio than the samples give now.
	jq '.comparisons[0] |= (del(.rule) | .verdict = "undecided" | .ratio = 1.5 | .ci.low = 0.5 | .ci.high = 2.5)' now >first
	run "$TARE" report --text first
	[ "$status" -eq 0 ]
	[[ "$output" == *"cannot tell yet"* && "$output" == *"judged by the first edition of the verdict rule"* ]]
	run "$TARE" report --text now
	[[ "$output" != *"first edition"* ]]
	"$TARE" analyze --json again first >/dev/null
	[ "$(jq -c '.comparisons[0] | [.rule, .verdict, .ratio]' again)" = "$(jq -c '.comparisons[0] | [2, .verdict, .ratio]' now)" ]
	"$TARE" compare --json across first now >/dev/null || true
	[ "$(jq -c '[.comparisons[].rule] | unique' across)" = '[2]' ]
}

@test "data of others are analysed, several results share a page" {
	printf 'old new\n' >times.txt
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "10.$i 11.$i"; done >>times.txt
	"$TARE" report --unit ms times.txt "$REPORTS/one.json" -o page.html
	python3 "$outline" page.html >page.txt
	[ "$(grep -c '^result$' page.txt)" -eq 2 ]
	grep -q 'new is .* slower than old' page.html
	run "$TARE" report missing.json -o page.html
	[ "$status" -eq 1 ]
	echo '{"schema": "tare/1", "subjects": []}' >empty.json
	run "$TARE" report empty.json -o empty.html
	[ "$status" -eq 5 ]
	[ ! -e empty.html ]
}

@test "JUnit: a test for each comparison, never green without proof" {
	cat >cases.py <<-'PY'
	import sys, xml.etree.ElementTree as tree
	root = tree.parse(sys.argv[1]).getroot()
	cases = root.findall("testsuite/testcase")
	kinds = {k: sum(c.find(k) is not None for c in cases) for k in ("failure", "error", "skipped")}
	assert all(int(root.get(k + "s", root.get(k, "-1"))) == n for k, n in kinds.items()), root.attrib
	assert int(root.get("tests")) == len(cases)
	print(len(cases), *kinds.values())
	PY
	"$TARE" report --junit "$REPORTS/suite.json" -o suite.xml
	[ "$(python3 cases.py suite.xml)" = "30 5 0 0" ]
	"$TARE" report --junit "$REPORTS/one.json" -o one.xml
	[ "$(python3 cases.py one.xml)" = "1 0 0 0" ]
	"$TARE" report --junit "$REPORTS/hostile.json" -o hostile.xml
	python3 cases.py hostile.xml
	# A benchmark that vanished.
	python3 - "$REPORTS" <<-'PY'
	import json, sys
	new = json.load(open(sys.argv[1] + "/suite.new.raw.json"))
	new["subjects"] = new["subjects"][2:12]
	json.dump(new, open("fewer.json", "w"))
	PY
	run "$TARE" compare --gate 50% --junit gate.xml "$REPORTS/suite.old.raw.json" fewer.json
	[ "$status" -eq 4 ]
	[ "$(python3 cases.py gate.xml)" = "30 20 0 0" ]
	run "$TARE" compare --gate 50% --allow-missing --junit gate.xml "$REPORTS/suite.old.raw.json" fewer.json
	[ "$status" -eq 0 ]
	[ "$(python3 cases.py gate.xml)" = "30 0 0 20" ]
	# Nothing measured: an error, not an empty file.
	run "$TARE" run --progress none --no-save --junit nothing.xml false
	[ "$status" -eq 5 ]
	[ "$(python3 cases.py nothing.xml)" = "1 0 1 0" ]
}

@test "OpenMetrics, the page and the summary of a comparison" {
	"$TARE" report --metrics "$REPORTS/hostile.json" >metrics.txt
	[ "$(tail -n 1 metrics.txt)" = "# EOF" ]
	[ "$(grep -c '^tare_mean{' metrics.txt)" -eq 5 ]
	! grep -vE '^(# |tare_[a-z_]+\{benchmark="([^"\\]|\\.)*",metric="([^"\\]|\\.)*"(,unit="([^"\\]|\\.)*")?\} [0-9.e+-]+$)' metrics.txt
	GITHUB_STEP_SUMMARY=summary.md run "$TARE" compare --gate 3% --html page.html --markdown table.md \
		"$REPORTS/suite.old.raw.json" "$REPORTS/suite.new.raw.json"
	[ "$status" -eq 3 ]
	python3 "$outline" page.html >/dev/null
	cmp summary.md table.md
	# What changed comes before the fold.
	[ "$(sed '/<details>/q' table.md | grep -c 'slower\|faster')" -eq 10 ]
	run "$TARE" compare --html - --json - "$REPORTS/suite.old.raw.json" "$REPORTS/suite.new.raw.json"
	[ "$status" -eq 2 ]
}

@test "a page right after the measurement" {
	run "$TARE" run --progress none --no-save --metric cpu --stop fixed -r 12 --design turns --html run.html --junit run.xml true true
	[ "$status" -eq 0 ]
	python3 "$outline" run.html >run.txt
	grep -q 'plot pair-ratios full' run.txt
	grep -q 'h3 Disturbance' run.txt
	grep -q '<testcase classname="cpu"' run.xml
}

@test "the pictures of the gallery are those that tare draws" {
	for picture in "$SOURCE_ROOT"/docs/gallery/*.svg; do
		name=$(basename "$picture" .svg)
		grep -q "gallery/$name.svg" "$SOURCE_ROOT/docs/gallery.md"
	done
	for name in forest history; do # the others are made in the same way
		grep -q "$name.svg" "$SOURCE_ROOT/docs/gallery.md"
	done
	"$TARE" report "$REPORTS/suite.json" --plot forest -o forest.svg
	cmp forest.svg "$SOURCE_ROOT/docs/gallery/forest.svg"
}

@test "a plot as PDF: a page of its size that readers understand" {
	python3 - >two.csv <<-'END'
		print("subject,run,value,unit")
		for i in range(40):
		    print(f"old (a\\b),{i},{10 + i * 7 % 5},ms")
		    print(f"new,{i},{11 + i * 3 % 7},ms")
	END
	"$TARE" analyze two.csv --json two.json >/dev/null
	for plot in density sequence histogram acf lag; do
		"$TARE" report two.json --plot $plot -o $plot.pdf
		"$TARE" report two.json --plot $plot -o $plot.svg
		python3 - $plot <<-'END'
			import re, sys
			pdf, svg = open(sys.argv[1] + ".pdf", "rb").read(), open(sys.argv[1] + ".svg").read()
			assert pdf.startswith(b"%PDF-1.4\n") and pdf.endswith(b"%%EOF\n")
			table = int(re.search(rb"startxref\n(\d+)\n", pdf).group(1))
			assert pdf[table:].startswith(b"xref\n0 7\n")
			for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n ", pdf[table:]), 1):
			    assert pdf[int(place):].startswith(b"%d 0 obj" % number)
			length = int(re.search(rb"/Length (\d+)", pdf).group(1))
			start = pdf.index(b"stream\n") + 7
			assert pdf[start + length:].startswith(b"endstream")
			width, height = re.search(r'viewBox="0 0 (\S+) ([^"]+)"', svg).groups()
			assert f"/MediaBox [0 0 {width} {height} ]".encode() in pdf
			# Every mark of the drawing is there.
			marks = pdf[start:start + length]
			assert marks.count(b" Tj ET") == len(re.findall("<text ", svg))
			assert len(re.findall(rb"\n(?:f|S|n)(?=\n)", marks)) == len(re.findall("<(?:line|rect|circle|path) ", svg))
		END
	done
	grep -aq 'old .(a' density.pdf
	if command -v pdftotext >/dev/null; then
		pdftotext density.pdf - | grep -q 'n = 40'
	fi
}
