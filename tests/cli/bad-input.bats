#!/usr/bin/env bats
# What cannot be used, as a user meets it: where it is, what to do, the exit code; never a crash, a hang or a silent number.

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# refused CODE WORDS TARE-ARGUMENTS…: ends in time with that code, says the words, prints no result.
refused() {
	local code=$1 words=$2 status=0
	shift 2
	timeout 60 "$TARE" "$@" >out 2>err || status=$?
	cat err # shown when the test fails
	[ "$status" -eq "$code" ]
	[ ! -s out ]
	[[ "$(<err)" == "tare: "*"$words"* ]]
	# Something to do comes behind every problem.
	[ "$(wc -l <err)" -ge 2 ]
	# What a file holds never reaches the terminal as it is.
	! LC_ALL=C grep -q '[[:cntrl:]]' err
}

# The same from a file with that content.
refused_text() {
	printf "$3" >"$2"
	refused "$1" "$4" analyze "$2"
}

@test "nothing in it: exit 5" {
	refused_text 5 empty.txt '' 'empty.txt: the file is empty'
	refused_text 5 blank.txt '\n \t\r\n' 'the file is empty'
	refused_text 5 empty.json '{}' 'the JSON is empty'
	refused_text 5 array.json '[]' 'the JSON is empty'
	refused_text 5 gbench.json '{"context": {"num_cpus": 8}, "benchmarks": []}' 'there is no benchmark in it'
	refused_text 5 hyperfine.json '{"results": []}' 'there is no benchmark in it'
	refused_text 5 header.csv 'subject,value\n' 'no values in the table'
	refused_text 5 missing.csv 'subject,value\na,\na,NA\n' 'no values in the table'
	refused_text 5 cold.csv 'cold,value\n1,5\ntrue,6\n' 'every row is left out'
	refused_text 5 nan.txt 'nan\nnan\n' 'no usable value'
	refused_text 5 nan.json '{"results": [{"command": "a", "times": [NaN, NaN]}]}' 'no usable value'
	refused 5 'the file is empty' analyze /dev/null
	refused 5 'the file is empty' analyze - </dev/null
	gzip -k empty.txt
	refused 5 'the file is empty' analyze empty.txt.gz
	mkdir folder
	refused 5 'sample.json' analyze folder
}

@test "one value is a value and no more" {
	echo 5 >one.txt
	run "$TARE" analyze one.txt
	[ "$status" -eq 0 ]
	[[ "$output" == *"1 run"*5.000*"one value does not show the spread"* ]]
	[[ "$output" != *" to "* ]]
	run "$TARE" compare one.txt one.txt
	[ "$status" -eq 0 ]
	[[ "$output" == *"cannot compare"* ]]
	run "$TARE" compare --gate 2% one.txt one.txt
	[ "$status" -eq 4 ]
	[[ "${lines[-1]}" == "verdict: undecided ratio="* ]]
}

@test "no such file, no permission, a folder" {
	refused 1 'nosuch.json: cannot be opened: No such file' analyze nosuch.json
	refused 1 'nosuch.json: cannot be opened: No such file' analyze new=nosuch.json
	refused 1 'cannot be opened' compare nosuch.json nosuch.json
	refused 1 'cannot be opened' export nosuch.json --format csv
}

@test "JSON: truncated, nested to death, not JSON" {
	refused_text 1 a.json '{"results": [' 'a.json:1:14: the JSON ends too early'
	refused_text 1 b.json '{"results":\n [{"command": "x", "tim' 'b.json:2:24: the JSON ends too early'
	refused_text 1 c.json '{"results": [1,,2]}' 'c.json:1:16: '
	refused_text 1 d.json '{"a": 1} {"b": 2}' 'd.json:1:10: '
	refused_text 1 e.json '{"results": [{"command": "a\001b", "times": [1]}]}' 'e.json:1:28: a control character'
	refused_text 1 f.json '{"a": 1}' 'none of the formats that tare knows'
	python3 -c 'print("[" * 100000)' >deep.json
	refused 1 'deep.json:1:201: nested too deep' analyze deep.json
	python3 -c "print('{\"a\": ' * 100000 + '1' + '}' * 100000)" >deeper.json
	refused 1 'nested too deep' analyze deeper.json
	python3 -c 'print("[" + "1" * 5000 + "]")' >digits.json
	refused 1 'digits.json:1:2: a number of more than 2000 digits' analyze digits.json
}

@test "lines and texts without end are bounded" {
	endless() { head -c 20000000 /dev/zero | tr '\0' "$1"; }
	endless 1 >digits.txt
	refused 1 'digits.txt:1: a line of more than 16 MB' analyze digits.txt
	{ echo "name,value"; endless x; } >name.csv
	refused 1 'name.csv:2: a line of more than 16 MB' analyze name.csv
	{ printf 'name,value\n"a'; for _ in 1 2 3; do head -c 8000000 /dev/zero | tr '\0' x; echo; done; } >quote.csv
	refused 1 'quote.csv:2:1: a quote that is never closed' analyze quote.csv
	{ printf '["'; endless x; } >text.json
	refused 1 'a text of more than 16 MB' analyze text.json
	endless x >words.txt
	refused 1 'none of the formats' analyze words.txt
	# What is refused is not kept: the memory is that of the limit.
	run bash -c "ulimit -v 300000; '$TARE' analyze digits.txt"
	[ "$status" -eq 1 ] || grep -q __asan_init "$TARE" # a sanitizer reserves more
}

@test "tables: ragged, mixed units, decimal commas, quotes" {
	refused_text 1 a.csv 'name,value\na,1\nb\nc,2\n' 'a.csv:3:2: 1 cell where the header has 2'
	refused_text 1 b.csv 'name,value\na,1\nb,2,3\n' 'b.csv:3:5: 3 cells where the header has 2'
	refused_text 1 c.csv 'name,value,unit\na,1,ms\na,2,MB\n' "c.csv:3:5: unit 'MB' where the same subject had 'ms' before"
	refused_text 1 d.csv 'name,value\na,"1,5"\n' "d.csv:2: '1,5' has a decimal comma"
	refused_text 1 d3.csv 'name,value\na,"12,500"\n' "d3.csv:2: '12,500' has a comma, between thousands or before decimals"
	refused_text 1 e.csv '1,5\n2,5\n' 'e.csv:1: a table without a header line, or decimal commas'
	refused_text 1 f.csv 'name,value\na,twelve\n' "f.csv:2:3: 'twelve' is not a number"
	refused_text 1 g.csv 'name,value\n"a,1\nb,2\n' 'g.csv:2:1: a quote that is never closed'
	refused_text 1 h.csv 'commit,color\naaa,red\n' 'no column is known to hold the values'
	refused_text 1 i.csv 'name,time_ms\na,1\na,-3\n' "i.csv:3:3: '-3' is a negative time"
	refused_text 1 j.csv 'name,pair,value\na,1,1\na,1,2\nb,1,3\n' "pair '1' occurs twice"
	refused_text 1 k.txt '1 2\n3\n' 'k.txt:2: 1 number where the lines before have 2'
	refused_text 1 l.txt '1.5\n2,5\n' "l.txt:2:1: '2,5' is not a number"
	refused_text 1 m.json '{"results": [{"command": "a", "times": [1, -2]}]}' "value 2 of 'a', wall, is a negative time"
}

@test "files whose units differ are not put together" {
	printf 'name,value,unit\na,1,ms\na,2,ms\n' >time.csv
	printf 'name,value,unit\na,1,MB\na,2,MB\n' >size.csv
	refused 1 "has another unit than in an earlier file" analyze time.csv size.csv
	refused 5 "no metric in common (old: value in s; new: value in bytes)" compare time.csv size.csv
}

@test "binary data" {
	cp "$TARE" program
	refused 1 'program: this is binary data' analyze program
	python3 -c 'import random, sys; random.seed(1); sys.stdout.buffer.write(random.randbytes(20000))' >noise
	refused 1 'noise: this is binary data' analyze noise
	python3 -c 'import random, sys; random.seed(1); sys.stdout.buffer.write(bytes(b or 1 for b in random.randbytes(20000)))' >text
	refused 1 'text: this is binary data' analyze text
	printf '\377\3761\0,\0002\0' >wide.csv
	refused 1 'UTF-16' analyze wide.csv
	# Behind more text than the first look takes in.
	python3 -c 'import sys; sys.stdout.buffer.write(b"name,value\n" + b"a,1\n" * 30000 + b"x\0y,3\n")' >late.csv
	refused 1 'late.csv:30002:1: ' analyze late.csv
}

@test "gzip: bombs, cut off, damaged" {
	python3 - <<-'PY'
	import gzip
	open("bomb.gz", "wb").write(gzip.compress(b"1\n2\n" + (b"#" * 10_000 + b"\n") * 8_000))
	open("line.gz", "wb").write(gzip.compress(b"1" * 20_000_000))
	packed = bytearray(gzip.compress(b"1\n2\n3\n" * 1000))
	open("good.gz", "wb").write(packed)
	open("short.gz", "wb").write(packed[:-20])
	packed[-6] ^= 1
	open("sum.gz", "wb").write(packed)
	open("noise.gz", "wb").write(b"\x1f\x8b\x08\x00" + b"\x55" * 100)
	PY
	refused 1 'bomb.gz: the gzip data grows to more than' analyze bomb.gz
	refused 1 'line.gz:1: a line of more than 16 MB' analyze line.gz
	refused 1 'short.gz: the gzip data ends too early' analyze short.gz
	refused 1 'sum.gz: the gzip data is damaged' analyze sum.gz
	refused 1 'noise.gz: the gzip data is damaged' analyze noise.gz
	run "$TARE" analyze good.gz
	[ "$status" -eq 0 ]
}

@test "names with quotes, control characters and invalid UTF-8 are shown, never obeyed" {
	printf 'name,value\n"a ""b"", c",1\n"a ""b"", c",2\n"a ""b"", c",3\n' >quotes.csv
	printf 'name,value\na\033[31m\007,1\na\033[31m\007,2\na\033[31m\007,4\n' >control.csv
	printf 'name,value\na\377\376,1\na\377\376,2\na\377\376,4\n' >utf8.csv
	printf '{"results": [{"command": "a\377b\\u001b[0m", "times": [1, 2, 4]}]}' >utf8.json
	run "$TARE" analyze quotes.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *'a "b", c  3 runs'* ]]
	printf "name,value_ns\n=1+1,1\n=1+1,2\n=1+1,4\n@x,1\n-a,2\n+b,3\n''=c,1\n-5,1\n" >formula.csv
	for file in quotes.csv control.csv utf8.csv utf8.json formula.csv; do
		for format in text markdown csv; do
			case $format in
			text) "$TARE" analyze --plot "$file" >out 2>err ;;
			*) "$TARE" analyze "$file" "--$format" - >out 2>err ;;
			esac
			# A table keeps names as they are, as JSON cannot; people's eyes get them cleaned.
			[ $format = csv ] || ! LC_ALL=C grep -q $'[\001-\010\013-\037\177]' out err
		done
		"$TARE" analyze "$file" --json - 2>/dev/null | python3 -c 'import json, sys; json.loads(sys.stdin.buffer.read().decode("utf-8"))'
		run "$TARE" compare "$file" "$file"
		[ "$status" -eq 0 ]
		! LC_ALL=C grep -q $'[\001-\010\013-\037\177]' <<<"$output"
		# Written and read back under the same name.
		"$TARE" export "$file" --format csv -o again.csv 2>/dev/null
		[ "$("$TARE" export again.csv --format csv 2>/dev/null)" = "$(cat again.csv)" ]
	done
	# A spreadsheet shows them and calculates nothing.
	[ "$("$TARE" export formula.csv --format csv 2>/dev/null | cut -d, -f1 | LC_ALL=C sort -u | tr '\n' ' ')" = "''=c '+b '-a '=1+1 '@x -5 subject " ]
	# Whatever a document says: names of metrics, units, reasons, machines, parameters.
	"$TARE" analyze control.csv --json doc.json >/dev/null
	python3 - <<-'PY'
		import json
		def spoil(x):
		    if isinstance(x, dict):
		        return {k: v if k in ("better", "level", "levels", "unit_level", "verdict", "mean_kind") else spoil(v) for k, v in x.items()}
		    return [spoil(v) for v in x] if isinstance(x, list) else x + "\x1b]0;x\x07" if isinstance(x, str) else x
		d = json.load(open("doc.json"))
		d["format"], d = d.get("format"), {k: v if k in ("format", "version", "schema") else spoil(v) for k, v in d.items()}
		d["design"]["name"] = "imported" # a word of ours: another is refused
		for s in d["subjects"]:
		    s["metrics"] = {"\x1b[2J" + k: v for k, v in s["metrics"].items()}
		json.dump({k: v for k, v in d.items() if v is not None}, open("spoilt.json", "w"))
	PY
	for words in "analyze --plot" analyze "report --text" "history import" "plan --from"; do
		"$TARE" $words spoilt.json >out 2>err || [ "$words" = "plan --from" ]
		! LC_ALL=C grep -a $'[\001-\010\013-\037\177]' out err
	done
	refused_text 1 $'na\033me.csv' 'name,value\n\033[2Ja,x\033[2J\n' "'x\\x1b[2J' is not a number"
}

@test "options alone make exit 2" {
	printf 'name,value\na,1\n' >good.csv
	refused 2 "no column 'time'" analyze --columns value=time good.csv
	refused 2 'ROLE=COLUMN' analyze --columns nonsense nosuch.csv
	refused 2 'there is no format' analyze --format nonsense good.csv
	refused 2 'no subject is named' analyze --reference nobody good.csv
	run "$TARE" analyze --skip -1 good.csv
	[ "$status" -eq 2 ]
	run "$TARE" analyze --nonsense good.csv
	[ "$status" -eq 2 ]
	run "$TARE" compare good.csv
	[ "$status" -eq 2 ]
	run "$TARE" export good.csv
	[ "$status" -eq 2 ]
}

@test "the gate's last line after a failure" {
	echo 'x' >bad.txt
	echo 1 >good.txt
	for bad in bad.txt nosuch.txt; do
		run "$TARE" compare --gate 2% good.txt "$bad"
		[ "$status" -eq 1 ]
		[[ "$output" == *"verdict: failed ratio=- low=- high=- confidence=99 gate=failed limit=2%"* ]]
	done
}

# STATUS LINES ARGUMENTS…: what is printed, line by line, and nothing else
answered() {
	run "$TARE" "${@:3}"
	echo "$output"
	[ "$status" -eq "$1" ] && [ "$output" = "$2" ]
}

@test "each of these is answered with what is wrong and what to do, once" {
	mkdir folder
	printf '#!/bin/sh\n' >script.sh
	echo 1 >good.txt
	answered 1 'tare: folder: cannot be written: Is a directory' run true --json folder
	answered 5 $'tare: ./folder: this is a folder, not a program\nname the program in it' run ./folder
	answered 5 $'tare: script.sh: there is no such program\nto run the file in this folder: chmod +x script.sh, then ./script.sh' run script.sh
	answered 5 "tare: --setup 'exit 7' failed: exit 7" run -s 'exit 7' true
	answered 5 "tare: true: --prepare 'exit 7' failed: exit 7" run -p 'exit 7' true
	answered 2 'tare: --shell: the command is empty' run --shell '' true
	answered 2 'tare: --input nosuch: the input file cannot be opened: No such file or directory' run --input nosuch cat
	run "$TARE" run --pi 'a:s:regex=(' true
	[ "$status" -eq 2 ]
	[[ "$output" == "tare: --pi a, '(': not a regular expression: "* ]]
	answered 2 $'tare: there is no \'tare fleet foo\'\nuse prepare, work, status, wait, collect or cancel' fleet foo
	answered 2 $'tare: which result?\nfor example: tare predict @last --work 1000,2000' predict
}

@test "a result or a file in place of a command is answered with the command that takes it" {
	answered 2 $'tare: there is no command \'@3\'\ndid you mean \'tare report --text @3\'?' @3
	answered 2 $'tare: there is no command \'new.json\'\ndid you mean \'tare analyze new.json\'?' new.json
	answered 2 $'tare: there is no command \'tare.yaml\'\ndid you mean \'tare run tare.yaml\'?' tare.yaml
	answered 2 $'tare: history has no \'@3\'\ndid you mean \'tare history show @3\'?' history @3
	answered 2 $'tare: there is no option --html\n-o FILE writes the page' report --html page.html good.txt
	run "$TARE" analyze --html page.html good.txt
	[ "$status" -eq 2 ]
	[[ "$output" == *"'tare report FILE -o PAGE.html' writes a page with plots"* ]]
}

@test "a short time limit is told in its own unit, with --ascii also in a log" {
	run "$TARE" run --timeout 1us true
	[[ "$output" == *"ran past its time limit of 1 µs in run"* ]]
	run "$TARE" run --timeout 1us --ascii true
	[[ "$output" == *"ran past its time limit of 1 us in run"* ]]
}
