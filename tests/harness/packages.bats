#!/usr/bin/env bats
# The clients as packages, installed as their users would, without a network.

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp -r "$SOURCE_ROOT/clients" . # the tools write beside the sources
	quick="--progress none -r 2 --iterations 2 --iteration-time 100us --start-limit 30s"
}

needs() { # PROGRAM…
	for program; do
		command -v "$program" >/dev/null || skip "there is no $program here"
	done
}

measures() { # SUITE: its benchmark "work" is measured
	run timeout 120 "$TARE" bench $quick --json doc "$1"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(jq -c '[.subjects[] | [.benchmark, .metrics.wall.n > 0]]' doc)" = '[["work",true]]' ]
}

@test "pip install ./clients/python" {
	python3 -m venv venv 2>/dev/null || skip "Python is without venv or pip here"
	PIP_NO_INDEX=1 venv/bin/pip --disable-pip-version-check install -q ./clients/python
	printf '%s\n' 'from tare_bench import bench, main' '@bench' 'def work():' '    sum(range(100))' 'main()' >suite.py
	(cd / && "$BATS_TEST_TMPDIR/venv/bin/python" -c 'import tare_bench')
	measures "venv/bin/python suite.py"
	[ "$(venv/bin/pip --disable-pip-version-check list --format json | jq -r '.[] | select(.name == "tare-bench").version')" = 1.0 ]
	venv/bin/pip --disable-pip-version-check uninstall -q -y tare-bench
	run ! venv/bin/python -c 'import tare_bench'
}

@test "npm install ./clients/node" {
	needs npm node
	mkdir project && cd project
	echo '{"private": true}' >package.json
	HOME=$BATS_TEST_TMPDIR npm install --offline --no-audit --no-fund ../clients/node >npm.log 2>&1
	printf '%s\n' "const { bench, main } = require('tare-bench');" "bench('work', () => Math.sqrt(Math.random()));" 'main();' >suite.js
	measures "node suite.js"
}

@test "a jar by make" {
	needs make javac jar java
	make -s -C clients/java
	mkdir -p org/example
	cat >org/example/Suite.java <<-E
		package org.example;
		import tare.TareBench;
		public final class Suite {
		    public static void main(String[] args) throws Exception {
		        new TareBench().add("work", n -> { for (long i = 0; i < n; i++) TareBench.keep(i * i); }).main(args);
		    }
		}
	E
	javac -cp clients/java/tare-bench.jar -d . org/example/Suite.java
	measures "java -cp clients/java/tare-bench.jar:. org.example.Suite"
}
