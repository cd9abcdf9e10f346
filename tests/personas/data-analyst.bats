#!/usr/bin/env bats
# A data analyst with CSV files of measurements that others made.

load hour

setup_file() {
	hour_begins
	cd "$BATS_FILE_TMPDIR/work"
	python3 - <<-'END'
		import random
		random.seed(5)
		with open("long.csv", "w") as f:
		    f.write("subject,run,ms\n")
		    for name, mean in (("old", 20), ("new", 10)):
		        for i in range(20):
		            f.write(f"{name},{i + 1},{random.gauss(mean, 0.2):.4f}\n")
		with open("wide.csv", "w") as f:
		    f.write("old_ms,new_ms\n")
		    for _ in range(20):
		        f.write(f"{random.gauss(20, 0.2):.4f},{random.gauss(20, 0.2):.4f}\n")
		with open("odd.csv", "w") as f:
		    f.write("version;machine;latency\n")
		    for v, mean in (("1.0", 5), ("1.1", 8)):
		        for m in ("a", "b"):
		            for _ in range(15):
		                f.write(f"{v};{m};{random.gauss(mean, 0.1):.4f}\n")
		with open("series.csv", "w") as f:
		    f.write("date,commit,benchmark,value\n")
		    for i in range(40):
		        f.write(f"2026-01-{i % 28 + 1:02d}T{i // 28:02d}:00:00Z,c{i:03d},parse,{random.gauss(10 if i < 20 else 14, 0.1):.4f}\n")
		open("numbers.txt", "w").write("\n".join(f"{random.gauss(3, 0.1):.4f}" for _ in range(30)))
		open("arrays.json", "w").write('{"a": [1.0, 1.1, 1.2, 1.1, 1.0, 1.1], "b": [2.0, 2.1, 2.2, 2.1, 2.0, 2.1]}')
	END
}
setup() { hour_goes_on; }

@test "look at what there is" {
	types 0 tare analyze long.csv
	sees old new "faster"
	types 0 tare analyze wide.csv
	sees old new "20.0"
	types 0 tare analyze --unit s numbers.txt
	sees mean median "30 runs"
	types 0 bash -c 'tare analyze --unit s <numbers.txt'
	sees "30 runs"
	types 0 tare analyze arrays.json
	sees slower
	types 0 tare analyze --plot --unit s numbers.txt
}

@test "tables of another shape" {
	types 0 tare help formats
	sees "--columns"
	types 2 tare analyze --columns version,machine,latency odd.csv
	sees "subject=version,value=latency"
	types 0 tare analyze --columns subject=version,machine=machine,value=latency --unit ms odd.csv
	sees "1.0" "1.1"
	types 1 tare analyze nothing.csv
	sees "nothing.csv"
}

@test "compare, choose a method, keep the answer" {
	grep -e subject -e old long.csv | sed 's/^old/x/' >old.csv
	grep -e subject -e new long.csv | sed 's/^new/x/' >new.csv
	types 0 tare compare old.csv new.csv
	sees faster
	types 0 tare compare --method mann-whitney old.csv new.csv
	sees faster
	types 3 tare compare --gate 5% new.csv old.csv
	types 0 tare compare --json answer.json --csv answer.csv --markdown answer.md old.csv new.csv
	types 0 python3 -c 'import json; print(json.load(open("answer.json"))["comparisons"][0]["verdict"])'
	sees faster
	types 0 tare report answer.json -o answer.html
	types 0 tare export long.csv --format json -o all.json
	types 0 tare analyze all.json
	types 0 tare analyze --changes series.csv
}
