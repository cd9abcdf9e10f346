#!/usr/bin/env bats
# A Python developer: scripts, pyperf, pytest-benchmark, and a harness of a few lines.

load hour

setup_file() {
	hour_begins
	cd "$BATS_FILE_TMPDIR/work"
	echo 'import time; time.sleep(0.6)' >slow.py
	echo 'pass' >fast.py
	python3 - <<-'END'
		import json, random
		random.seed(4)
		def pyperf(path, mean):
		    runs = [{"values": [random.gauss(mean, mean / 100) for _ in range(3)], "metadata": {}} for _ in range(12)]
		    json.dump({"version": "1.0", "metadata": {"name": "parse", "unit": "second"}, "benchmarks": [{"runs": runs}]}, open(path, "w"))
		pyperf("before.json", 0.020)
		pyperf("after.json", 0.010)
		def pytest(path, mean):
		    data = [random.gauss(mean, mean / 100) for _ in range(20)]
		    json.dump({"machine_info": {}, "commit_info": {}, "datetime": "2026-01-01T00:00:00", "version": "4.0", "benchmarks": [
		        {"name": "test_parse", "fullname": "test_x.py::test_parse", "group": None, "params": None, "param": None, "extra_info": {},
		         "options": {"timer": "perf_counter"}, "stats": {"data": data, "rounds": 20, "mean": mean}}]}, open(path, "w"))
		pytest("pytest-old.json", 0.02)
		pytest("pytest-new.json", 0.01)
	END
}
setup() { hour_goes_on; }

@test "scripts" {
	types 2 tare run python3 slow.py
	sees "did you mean tare run 'python3 slow.py'?"
	types 0 tare run -r 10 'python3 slow.py' 'python3 fast.py'
	sees "faster"
	types 0 tare run -r 3 -n 'with -S' 'python3 -S fast.py' -n plain 'python3 fast.py'
	types 0 tare run -r 3 "python3 -c 'import json'"
	types 5 tare run -r 3 'python3 missing.py'
	sees "exit 2"
}

@test "files of pyperf and pytest-benchmark" {
	types 0 tare analyze before.json
	sees parse
	types 0 tare compare before.json after.json
	sees faster
	types 0 tare compare pytest-old.json pytest-new.json
	sees pytest-new.json
	types 0 tare export before.json --format pyperf -o again.json
	types 0 tare compare before.json again.json
	types 0 tare report before.json -o page.html
}

@test "a harness in Python" {
	cp "$SOURCE_ROOT/clients/python/tare_bench.py" .
	cat >bench.py <<-'END'
		#!/usr/bin/env python3
		from tare_bench import bench, main

		@bench(setup=lambda: [str(i) for i in range(100)])
		def join(words):
		    " ".join(words)

		main()
	END
	chmod +x bench.py
	types 0 python3 bench.py
	sees join
	types 0 tare bench --list 'python3 bench.py'
	sees join
	types 0 tare bench -q -r 5 --iterations 4 --iteration-time 1ms --json bench.json 'python3 bench.py'
	sees join
	types 0 tare analyze bench.json
	sees join
}
