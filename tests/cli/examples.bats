#!/usr/bin/env bats
# Everything in examples/ runs: the suites of every language, the suite files, the scripts of the CI files.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	build="$(dirname "$TARE")"
	examples="$SOURCE_ROOT/examples"
	quick="--progress none -r 2 --iterations 2 --iteration-time 100us --start-limit 30s"
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print($2)" "$1"
}

needs() { # PROGRAM…
	for program; do
		command -v "$program" >/dev/null || skip "there is no $program here"
	done
}

measures() { # SUITE NAME…: these benchmarks of the suite are measured; the last one is skipped, and that is said
	local suite=$1 last="${!#}" names
	shift
	names=$(IFS='|'; echo "$*")
	run timeout 600 "$TARE" bench $quick --filter "^($names)\$" --json doc "$suite"
	[ "$status" -eq 0 ]
	[ "$(json doc "[len(s['metrics']['wall']['samples']) for s in d['subjects'] if s['benchmark'] == '$1']")" = "[2]" ]
	[[ "$output" == *"$last is skipped"* ]]
}

@test "C" {
	run timeout 600 "$TARE" bench $quick --json doc "$build/examples/c-suite"
	[ "$status" -eq 0 ]
	[ "$(json doc 'len(d["subjects"])')" = 11 ]
	[[ "$output" == *"needs_gpu is skipped"* ]]
}

@test "C++" {
	[ -x "$build/examples/cpp-suite" ] || skip "built without C++"
	run timeout 600 "$TARE" bench $quick --json doc "$build/examples/cpp-suite"
	[ "$status" -eq 0 ]
	[ "$(json doc 'len(d["subjects"]) > 1')" = True ]
}

# Threads beside the one that is timed: neither pinned to one CPU nor judged by the CPU time of one thread.
@test "Python: judged by CPU time where the process is one thread, by wall time where it may not be" {
	cat >suite.py <<-EOF
	import sys, threading, time
	sys.path.insert(0, "$examples/../clients/python")
	from tare_bench import bench, main
	@bench()
	def work():
	    sum(range(1000))
	if len(sys.argv) > 1 and sys.argv[1] == "threads":
	    sys.argv.pop(1)
	    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
	main()
	EOF
	for kind in "" " threads"; do
		"$TARE" bench --progress none -r 2 --iterations 3 --json doc "python3 suite.py$kind" "python3 suite.py$kind" >said
		deciding+=" $(json doc 'd["comparisons"][0]["metric"]')"
	done
	[ "$deciding" = " cpu wall" ]
}

@test "Python" { measures "python3 $examples/python-suite/suite.py" parse_json on_accelerator; }

@test "shell" { measures "sh $examples/shell-suite/suite.sh" arithmetic needs_gpu; }

@test "Node.js" {
	needs node
	measures "node $examples/node-suite/suite.js" parse needs_gpu
}

@test "Java" {
	needs javac jar java
	sh "$examples/java-suite/build.sh" "$PWD/suite.jar"
	benchmarks=$("$TARE" bench --start-limit 30s --list "java -jar suite.jar")
	measures "java -jar suite.jar" $(echo "$benchmarks" | head -n 1) $(echo "$benchmarks" | tail -n 1)
}

# By hand a tear-down follows each set-up, also that of a benchmark that fails.
by_hand() { # COMMAND…
	run --separate-stderr timeout 60 "$@"
	[ "$status" -eq 0 ]
	[ "$(grep -x 'down.*' <<<"$output" | paste -sd ' ')" = "down good down bad" ]
	[[ "$output" == *"fail "*"not so"* ]]
}

@test "Python: by hand, with tear-down" {
	cat >suite.py <<-E
	import sys
	sys.path.insert(0, "$SOURCE_ROOT/clients/python")
	from tare_bench import bench, main
	def down(name):
	    print("down", name)
	@bench(setup=lambda: "good", teardown=down)
	def good(name):
	    pass
	@bench(setup=lambda: "bad", teardown=down)
	def bad(name):
	    raise ValueError("not so")
	main()
	E
	by_hand python3 suite.py
	by_hand python3 suite.py --test
}

@test "Node.js: by hand, with tear-down" {
	needs node
	cat >suite.js <<-E
	const { bench, main } = require('$SOURCE_ROOT/clients/node/tare-bench');
	const teardown = async (name) => console.log('down', name);
	bench('good', (name) => name, { setup: () => 'good', teardown });
	bench('bad', () => { throw new Error('not so'); }, { setup: () => 'bad', teardown });
	main();
	E
	by_hand node suite.js
	by_hand node suite.js --test
}

@test "Java: by hand, with tear-down" {
	needs javac java
	cat >Hand.java <<-E
		import tare.TareBench;
		public final class Hand {
		    public static void main(String[] args) throws Exception {
		        TareBench suite = new TareBench();
		        suite.add("good", () -> { }, n -> { for (long i = 0; i < n; i++) TareBench.keep(i); }, () -> System.out.println("down good"));
		        suite.add("bad", () -> { }, n -> { throw new Exception("not so"); }, () -> System.out.println("down bad"));
		        suite.main(args);
		    }
		}
	E
	javac -d . Hand.java "$SOURCE_ROOT/clients/java/TareBench.java"
	by_hand java -cp . Hand
	by_hand java -cp . Hand --test
}

@test "Java: by hand, the suite goes on after an error" {
	needs javac java
	cat >Hand.java <<-E
		import tare.TareBench;
		public final class Hand {
		    public static void main(String[] args) throws Exception {
		        new TareBench().add("bad", n -> { throw new AssertionError("not so"); }).add("good", n -> { }).main(args);
		    }
		}
	E
	javac -d . Hand.java "$SOURCE_ROOT/clients/java/TareBench.java"
	run --separate-stderr timeout 60 java -cp . Hand --test
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "bad "*" fail java.lang.AssertionError: not so" ]]
	[[ "${lines[1]}" == "good "*" ns" ]]
}

@test "a suite of commands as a file" {
	run "$TARE" run --progress none -r 3 --json doc "$examples/tare.yaml"
	[ "$status" -eq 0 ]
	[ "$(json doc '[s["name"] for s in d["subjects"]]')" = "['fast (file=gzip.csv)', 'usual (file=gzip.csv)']" ]
}

@test "a suite of benchmarks as a file" {
	mkdir c && cp "$examples/c-suite/tare.yaml" c && cp "$build/examples/c-suite" c/suite
	run "$TARE" bench --progress none -r 6 --iterations 3 --iteration-time 100us --json doc c/tare.yaml
	[ "$status" -eq 0 ]
	[ "$(json doc '[(c["base"], c["new"]) for c in d["comparisons"]]')" = \
		"[('order=random ./suite insertion_sort/n=64', 'order=descending ./suite insertion_sort/n=64')]" ]
}

# A project as the CI files expect it: make suite makes ./suite.
make_project() {
	needs git cc pkg-config
	if grep -q __asan_init "$TARE"; then skip "the harness is built with a sanitizer"; fi
	export PKG_CONFIG_PATH="$build/meson-uninstalled" LD_LIBRARY_PATH="$build/harness" TMPDIR="$PWD/tmp" HOME="$PWD" GIT_CONFIG_NOSYSTEM=1
	export PATH="$PWD/bin:$PATH" GATE=50% MAX_TIME=120s RUNNER_TEMP="$PWD/runner" GITHUB_STEP_SUMMARY="$PWD/summary"
	mkdir -p tmp bin runner
	ln -s "$TARE" bin/tare
	git init -q -b main project
	cd project
	git config user.name somebody
	git config user.email somebody@example.org
	cp "$examples/c-suite/Makefile" .
	echo suite >.gitignore
	write_suite 100
	git add . && git commit -q -m base
	git checkout -q -b change
}

write_suite() { # STEPS
	cat >suite.c <<-E
		#include <tare/bench.h>
		#include <stdint.h>
		TARE_BENCH(work)
		{
			TARE_LOOP(t) {
				uint64_t x = 1;
				for (int i = 0; i < $1; i++)
					x = (x ^ x << 13) * 0x9e3779b97f4a7c15u;
				tare_keep(x);
			}
		}
		TARE_MAIN()
	E
}

commit_change() { # STEPS
	write_suite "$1"
	git commit -q -a --allow-empty -m "$1 steps"
}

script() { # FILE STEP
	"$SOURCE_ROOT/tests/cli/ci-script" "$examples/ci/$1" "$2"
}

@test "GitHub: the gate breaks for a slower head and holds for the same" {
	make_project
	script action/action.yml Measure >../script
	RUN=$(script github.yml run | sed "s/--gate 2%/--gate $GATE/; s/--max-time 5m/--max-time $MAX_TIME/") RUNNER_TEMP=$PWD/.. STRICT=false
	export RUN RUNNER_TEMP STRICT
	mkdir -p ../tare-bin && mv ../bin/tare ../tare-bin/
	commit_change 400
	BASE=$(git rev-parse main) HEAD=$(git rev-parse change) run bash -e ../script
	[ "$status" -eq 3 ]
	[[ "$output" == *"verdict: slower "* ]]
	[ "$(json result.json 'd["comparisons"][0]["verdict"]')" = slower ]
	grep -q slower ../summary
	commit_change 100
	BASE=$(git rev-parse main) HEAD=$(git rev-parse change) run bash -e ../script
	[ "$status" -eq 0 ]
	[ "$(json result.json 'd["comparisons"][0]["verdict"] != "slower"')" = True ]
	# No time to decide: a warning, not a failure.
	rm ../tare-bin/tare && printf '#!/bin/sh\nexit 4\n' >../tare-bin/tare && chmod +x ../tare-bin/tare
	BASE=main HEAD=change run bash -e ../script
	[ "$status" -eq 0 ]
	[[ "$output" == *"::warning::tare could not decide"* ]]
	BASE=main HEAD=change STRICT=true run bash -e ../script
	[ "$status" -eq 4 ]
}

@test "GitLab: the gate breaks for a slower head, and the table is there" {
	make_project
	script gitlab.yml script >../script
	commit_change 400
	CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse main) CI_COMMIT_SHA=$(git rev-parse change) run bash -e ../script
	[ "$status" -eq 3 ]
	grep -q slower table.md
	grep -q '<failure ' junit.xml
	[ -s report.html ]
	[ "$(json result.json 'd["comparisons"][0]["verdict"]')" = slower ]
}

@test "CI: how tare is installed, without building it" {
	needs make curl
	mkdir bin runner
	export TARE_REPOSITORY="file://$SOURCE_ROOT" RUNNER_TEMP="$PWD/runner" said="$PWD/said"
	# Everything that would change the machine only says what it was asked to do.
	printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
	printf '#!/bin/sh\necho make "$@" >>"$said"\nexec %s -n "$@" >/dev/null\n' "$(command -v make)" >bin/make
	for program in apt-get ldconfig; do printf '#!/bin/sh\necho %s "$@" >>"$said"\n' $program >bin/$program; done
	# A clone is the Makefile and a file where the program would be.
	printf '#!/bin/sh\nfor to; do :; done\nmkdir -p "$to/build-static" && cp "$SOURCE_ROOT/Makefile" "$to"\ntouch "$to/build-static/tare" && chmod +x "$to/build-static/tare"\n' >bin/git
	chmod +x bin/*
	export PATH="$PWD/bin:$PATH"
	script action/action.yml 'Get tare' >script
	VERSION=main BINARY= run bash -e script
	[ "$status" -eq 0 ]
	grep -qx "make -C $RUNNER_TEMP/tare-source static" said
	[ -x runner/tare-bin/tare ]
	# A file that is there already is downloaded, and nothing built.
	rm -rf said runner/*
	echo it >made
	VERSION=main BINARY="file://$PWD/made" run bash -e script
	[ "$status" -eq 0 ]
	[ ! -e said ]
	cmp made runner/tare-bin/tare
	rm -rf runner/*
	script gitlab.yml before_script | sed "s,/opt/tare,$RUNNER_TEMP/tare-source,g" >script
	run bash -e script
	[ "$status" -eq 0 ]
	grep -qx "make -C $RUNNER_TEMP/tare-source static" said
	grep -q "^apt-get install .* git " said
	[ -x tare-bin/tare ]
	rm said
	run bash -e script
	[ "$status" -eq 0 ]
	[ -z "$(grep '^make' said)" ]
}

# The bookkeeping alone: what the speeds show depends on the machine.
@test "layout: builds differ in places and not in instructions, and carry the interval" {
	needs gcc make objdump
	cp -r "$examples/layout" . && mkdir temporary
	export PATH="$build:$PATH" XDG_DATA_HOME="$PWD/data" TMPDIR="$PWD/temporary"
	cd layout
	"$TARE" run one.yaml other.yaml --builds 2 -r 2 -w 1 --seed 3 --progress none --keep-builds --json doc >said 2>notes
	[ "$(json doc 'd["design"]["levels"]')" = "['build', 'run', 'iteration']" ]
	[ "$(json doc '[s["name"] for s in d["subjects"]], len({b["hash"] for s in d["subjects"] for b in s["builds"]})')" = "['one', 'other'] 4" ]
	[ "$(json doc '{s["metrics"]["cpu"]["unit_level"] for s in d["subjects"]}, d["comparisons"][0]["units"]')" = "{'build'} 2" ]
	code() { # PROGRAM: the instructions of the loops without their addresses
		for kernel in a b c d e f g h; do
			objdump -d --no-show-raw-insn --disassemble=kernel_$kernel "$1" | sed -n 's/^ *[0-9a-f]*:\t\([a-z]*\).*/\1/p' | grep -v '^nop'
		done
	}
	programs=($(find ../temporary -name layout -type f -perm -u+x))
	[ "${#programs[@]}" -eq 4 ]
	for program in "${programs[@]}"; do
		code "$program" >code.this
		[ -s code.this ]
		[ -e code.first ] || cp code.this code.first
		cmp code.this code.first
		[ "$("$program" 3)" = "$("${programs[0]}" 3)" ]
	done
	[ "$(for program in "${programs[@]}"; do nm "$program" | grep kernel_ | sha256sum; done | sort -u | wc -l)" -eq 4 ]
}

@test "layout: what its README shows works, with fewer builds and runs" {
	needs gcc make
	cp -r "$examples/layout" . && mkdir bin
	cat >bin/tare <<-END
		#!/bin/sh
		case "\$*" in
		"run one.yaml "*) set -- "\$@" --builds 2 -r 2 -w 1 ;;
		"run "*) set -- "\$@" --stop fixed -r 2 -w 1 ;;
		esac
		exec "$TARE" "\$@"
	END
	chmod +x bin/tare
	export PATH="$PWD/bin:$PATH" XDG_DATA_HOME="$PWD/data"
	cd layout
	sed -n '/^```sh$/,/^```$/p' "$examples/layout/README.md" | grep -v '^```' >commands
	[ -s commands ]
	run bash -e commands
	[ "$status" -eq 0 ]
	[[ "$output" == *"b/layout 1000"* && "$output" == *"one.yaml other.yaml"* && "$output" == *"order of functions"* ]]
	run ! cmp -s a/layout b/layout
}
