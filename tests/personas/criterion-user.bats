#!/usr/bin/env bats
# A Rust developer: what cargo bench left in target/criterion, of two versions.

load hour

setup_file() {
	hour_begins
	cd "$BATS_FILE_TMPDIR/work"
	python3 - <<-'END'
		import json, os, random, shutil
		random.seed(3)
		def criterion(root, times):
		    for name, mean in times.items():
		        group, _, value = name.partition("/")
		        folder = f"{root}/{name}/new"
		        os.makedirs(folder)
		        iterations = [10 * (i + 1) for i in range(100)]
		        sample = {"sampling_mode": "Linear", "iters": iterations, "times": [n * random.gauss(mean, mean / 50) for n in iterations]}
		        json.dump(sample, open(folder + "/sample.json", "w"))
		        json.dump({"group_id": group, "function_id": None, "value_str": value or None, "throughput": None,
		                   "full_id": name, "directory_name": name, "title": name}, open(folder + "/benchmark.json", "w"))
		        shutil.copytree(folder, f"{root}/{name}/base")
		criterion("criterion-main", {"sort/1000": 2000, "hash": 500})
		criterion("target/criterion", {"sort/1000": 4000, "hash": 500})
	END
}
setup() { hour_goes_on; }

@test "what cargo bench left" {
	types 0 tare analyze target/criterion
	sees sort/1000 hash slope
	types 0 tare analyze --filter sort target/criterion
	sees sort/1000
	[[ "$output" != *hash* ]]
	types 0 tare analyze target/criterion/hash
	sees hash
	types 0 tare analyze --plot histogram --filter hash target/criterion
	types 1 tare analyze target/nothing
	sees "No such file"
	types 0 tare help formats
	sees criterion
	types 2 tare help criterion
	sees "tare help formats"
}

@test "two versions" {
	types 0 tare compare criterion-main target/criterion
	sees sort/1000 "× 2.0" "only one run"
	types 0 tare compare --filter sort criterion-main target/criterion
	types 0 tare compare --markdown table.md criterion-main target/criterion
	grep -q 'sort/1000' table.md
	types 4 tare compare --gate 5% criterion-main target/criterion
	sees "gate=open"
	types 2 tare compare target/criterion
	sees "the old and the new one"
	types 5 tare compare --baseline main target/criterion
	sees "nothing was saved yet"
}

@test "pages, and other tools" {
	types 0 tare report target/criterion -o page.html
	grep -q 'sort/1000' page.html
	types 0 tare export target/criterion --format csv -o samples.csv
	types 0 tare analyze samples.csv
	sees sort/1000
	types 0 tare export target/criterion --format gbench -o gbench.json
	types 0 tare analyze gbench.json
	sees sort/1000
	types 2 tare bench gbench.json
	sees "'tare analyze FILE'"
}
