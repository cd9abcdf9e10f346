#!/usr/bin/env bats
# tare cc: a layout drawn by a seed. Programs differ between seeds, are the same bytes for the same seed, and do what they did.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	export TMPDIR="$BATS_TEST_TMPDIR/temporary"
	unset TARE_BUILD_SEED CPATH LIBRARY_PATH
	mkdir temporary
	cat >main.c <<-'END'
		#include <stdio.h>
		int first(int), second(int), third(int), unused(int);
		int one = 1, unset_one;
		static int table[64] = {4, 5, 6};
		const char *word = "sum";
		static int __attribute__((noinline)) local(int x) { return table[x & 3] + unset_one; }
		int __attribute__((cold, noinline)) rarely(int x) { return x / 3; }
		int main(int argc, char **argv)
		{
			(void)argv;
			printf("%s %d\n", word, first(argc) + second(one) + third(3) + local(argc) + rarely(argc));
			return 0;
		}
	END
	cat >first.c <<-'END'
		int two = 2, room[100];
		int first(int x) { return x + two; }
		int unused(int x) { return x * room[x]; }
	END
	cat >second.c <<-'END'
		static const int constants[] = {7, 8, 9};
		int second(int x) { return constants[x & 1] * x; }
	END
	cat >third.c <<-'END'
		int third(int x) { return x * x; }
	END
	cat >plus.cc <<-'END'
		#include <stdio.h>
		struct Trouble { virtual const char *what() const { return "thrown"; } virtual ~Trouble() {} };
		namespace { struct Greeting { const char *text; Greeting() : text("hello") {} } greeting; }
		template <typename T> T twice(T x) { return x + x; }
		int risky(int x) { if (x > 0) throw Trouble(); return x; }
		int main(int argc, char **)
		{
			try { risky(argc); } catch (const Trouble &t) { printf("%s %s %d\n", greeting.text, t.what(), twice(argc)); }
		}
	END
}

teardown() {
	# No folder of ours is left, whatever became of the compiler.
	[ -z "$(ls "$TMPDIR")" ]
}

# SEED PROGRAM-COMMAND…: the hash of ./out, which must print what $expected says
layout() {
	rm -f out
	TARE_BUILD_SEED=$1 "$TARE" cc -- "${@:2}" || return 1
	[ "$(./out)" = "$expected" ] || { echo "prints $(./out)"; return 1; }
	sha256sum <out
}

# Three seeds, three programs; the first once more: its bytes.
differ() {
	local hashes=
	for seed in 1 2 3; do
		hashes+="$(layout $seed "$@")"$'\n' || { echo "$hashes"; return 1; }
	done
	[ "$(sort -u <<<"${hashes%$'\n'}" | wc -l)" -eq 3 ] || { echo "the same for several seeds: $hashes"; return 1; }
	[ "$(layout 1 "$@")" = "$(head -n 1 <<<"$hashes")" ] || { echo "other bytes for the same seed"; return 1; }
}

sum="sum 25"

@test "gcc, several files at once: GNU ld, gold and lld" {
	expected=$sum
	differ gcc -O2 -g main.c first.c second.c third.c -o out
	differ gcc -O0 main.c first.c second.c third.c -o out -fuse-ld=gold
	if command -v ld.lld >/dev/null; then differ gcc -O2 -g main.c first.c second.c third.c -o out -fuse-ld=lld; fi
}

@test "clang: GNU ld and lld" {
	command -v clang >/dev/null || skip "no clang"
	expected=$sum
	differ clang -O2 -g main.c first.c second.c third.c -o out
	if command -v ld.lld >/dev/null; then differ clang -O2 main.c first.c second.c third.c -o out -fuse-ld=lld; fi
}

@test "g++ and clang++, with exceptions, templates and initialisers" {
	expected="hello thrown 2"
	differ g++ -O2 -g plus.cc -o out
	if command -v clang++ >/dev/null; then differ clang++ -O1 plus.cc -o out; fi
}

@test "compiled one by one, linked alone, with an archive, a group and a response file" {
	expected=$sum
	export CC="$TARE cc -- gcc"
	for seed in 5 6; do
		export TARE_BUILD_SEED=$seed
		for file in main first second third; do $CC -O1 -c $file.c -MMD -MF $file.d; done
		grep -q 'main.o: main.c' main.d
		rm -f libsome.a
		ar rcs libsome.a first.o second.o
		$CC main.o third.o -L. -lsome -o out && [ "$(./out)" = "$sum" ]
		cp out linked.$seed
		$CC main.o -Wl,--start-group libsome.a third.o -Wl,--end-group -o out && [ "$(./out)" = "$sum" ]
		printf '%s\n' main.o 'first.o second.o' "'third.o'" -o out >words
		$CC @words && [ "$(./out)" = "$sum" ]
		cp out response.$seed
		$CC -static -Wl,--gc-sections main.o first.o second.o third.o -o out && [ "$(./out)" = "$sum" ]
	done
	run ! cmp -s linked.5 linked.6
	run ! cmp -s response.5 response.6
}

@test "an object that follows a library stays behind it" {
	export CC="$TARE cc -- gcc"
	# late.o has what libearly.a needs; it must not come to stand before.
	echo 'int late(void) { return 1; } int which(void) { return 3; }' >late.c
	echo 'int late(void); int which(void) { return late(); }' >early.c
	echo 'int which(void); int main(void) { return which(); }' >start.c
	gcc -c late.c early.c start.c
	ar rcs libearly.a early.o
	for seed in 1 2 3; do
		export TARE_BUILD_SEED=$seed
		run $CC start.o -L. -learly late.o -o out -Wl,-z,muldefs
		[ "$status" -eq 0 ]
		run ./out
		[ "$status" -eq 1 ]
	done
}

@test "shared libraries, position independent or not, whole-program optimisation" {
	expected=$sum
	for seed in 1 2; do
		export TARE_BUILD_SEED=$seed
		"$TARE" cc -- gcc -O2 -fPIC -shared first.c second.c third.c -o libparts.so
		"$TARE" cc -- gcc -O2 main.c -L. -lparts -Wl,-rpath,"$PWD" -o out && [ "$(./out)" = "$sum" ]
		cp libparts.so parts.$seed
	done
	run ! cmp -s parts.1 parts.2
	differ gcc -O2 -no-pie main.c first.c second.c third.c -o out
	TARE_BUILD_SEED=1 "$TARE" cc -- gcc -O2 -flto -ffat-lto-objects main.c first.c second.c third.c -o out
	[ "$(./out)" = "$sum" ]
}

# WORDS…: the order of the functions of part.c in the program "out", by five seeds; how many orders there are.
orders() {
	for seed in 1 2 3 4 5; do
		TARE_BUILD_SEED=$seed "$TARE" cc -- "$@" -o out
		[ "$(./out)" = 4 ] || return 1
		nm -n out | grep -o 'part_[a-e]$' | tr '\n' ' '
		echo
	done | sort -u | wc -l
}

@test "whole-program optimisation: functions are ordered all the same" {
	echo '#include <stdio.h>' >part.c
	for part in a b c d e; do
		echo "volatile int v_$part; __attribute__((noinline, noclone)) int part_$part(int x) { v_$part += x; return x * $(printf %d "'$part"); }" >>part.c
	done
	echo 'int main(int n, char **v) { printf("%d\n", (part_a(n) + part_b(n) + part_c(n) + part_d(n) + part_e(n)) * 0 + 4); return 0; }' >>part.c
	[ "$(orders gcc -O2 -flto part.c)" -gt 1 ]
	gcc -fuse-ld=gold -x c - -o try <<<'int main(void) { return 0; }' && [ "$(orders gcc -O2 -flto -fuse-ld=gold part.c)" -gt 1 ]
	command -v clang && command -v ld.lld || skip "no clang or no lld"
	[ "$(orders clang -O2 -flto -fuse-ld=lld part.c)" -gt 1 ]
}

@test "preprocessing, assembler text, dependencies and questions are the compiler's own" {
	export TARE_BUILD_SEED=9
	"$TARE" cc -- gcc -E main.c >ours.i
	gcc -E main.c | cmp - ours.i
	"$TARE" cc -- gcc -MM main.c first.c >ours.d
	gcc -MM main.c first.c | cmp - ours.d
	"$TARE" cc -- gcc -S -O1 first.c -o - | grep -q 'section.*\.text\.first'
	[ "$("$TARE" cc -- gcc --version)" = "$(gcc --version)" ]
	[ "$("$TARE" cc -- gcc -print-prog-name=ld)" = "$(gcc -print-prog-name=ld)" ]
	[ "$("$TARE" cc -- gcc -dumpmachine)" = "$(gcc -dumpmachine)" ]
}

@test "without a seed nothing is changed" {
	"$TARE" cc -- gcc -O2 main.c first.c second.c third.c -o ours
	gcc -O2 main.c first.c second.c third.c -o theirs
	cmp ours theirs
}

@test "errors and exit codes are the compiler's and the linker's" {
	echo 'int main(void) { return missing(; }' >broken.c
	echo 'int missing(void); int main(void) { return missing(); }' >unresolved.c
	export TARE_BUILD_SEED=1
	for file in broken unresolved; do
		run --separate-stderr gcc $file.c -o out
		code=$status
		run --separate-stderr "$TARE" cc -- gcc $file.c -o out
		[ "$status" -eq "$code" ] && [ "$status" -ne 0 ]
		[[ "$stderr" == *missing* ]]
	done
	run --separate-stderr "$TARE" cc -- gcc nowhere.c -o out
	[ "$status" -ne 0 ] && [[ "$stderr" == *nowhere.c* ]]
}

@test "only what --vary names varies" {
	symbols() { # SEED WHAT: functions and variables of the program in the order of their addresses
		TARE_BUILD_SEED=$1 "$TARE" cc --vary "$2" -- gcc -O1 main.c first.c second.c third.c -o out
		nm -n out | awk '$3 ~ /^(first|second|third|unused|local|rarely)$/ { print $1, $3 }' >functions
		nm -n out | awk '$3 ~ /^(one|two|table|word|constants|room|unset_one)$/ { print $1, $3 }' >variables
	}
	for what in functions data; do
		symbols 1 $what
		mv functions functions.1 && mv variables variables.1
		symbols 2 $what
		if [ $what = functions ]; then cmp variables variables.1 && run ! cmp -s functions functions.1
		else cmp functions functions.1 && run ! cmp -s variables variables.1; fi
	done
	symbols 1 padding
	mv functions functions.1
	symbols 2 padding
	[ "$(cut -d' ' -f2 functions)" = "$(cut -d' ' -f2 functions.1)" ]
	run ! cmp -s functions functions.1
	run --separate-stderr "$TARE" cc --vary weather -- gcc main.c
	[ "$status" -eq 2 ] && [[ "$stderr" == *"objects, functions, data and padding"* ]]
}

@test "it says what it can do, and what is missing" {
	run "$TARE" cc --check -- gcc
	[ "$status" -eq 0 ]
	[[ "$output" == *"order of functions and data: yes"* ]]
	printf '#!/bin/sh\necho other linker 1.0\n' >ld.other && chmod +x ld.other
	printf '#!/bin/sh\ncase "$*" in *print-prog-name*) echo %s/ld.other;; *) exec gcc "$@";; esac\n' "$PWD" >othercc && chmod +x othercc
	run "$TARE" cc --check -- ./othercc
	[ "$status" -eq 0 ]
	[[ "$output" == *"other linker 1.0"* && "$output" == *"order of functions and data: no"* ]]
	run --separate-stderr "$TARE" cc
	[ "$status" -eq 2 ] && [[ "$stderr" == *"tare cc -- gcc"* ]]
	run --separate-stderr "$TARE" cc -- no-such-compiler a.c
	[ "$status" -eq 5 ] && [[ "$stderr" == *no-such-compiler* ]]
	TARE_BUILD_SEED=many run --separate-stderr "$TARE" cc -- gcc main.c
	[ "$status" -eq 2 ] && [[ "$stderr" == *TARE_BUILD_SEED* ]]
}

@test "a compiler that is killed: the same end, and nothing is left" {
	printf '#!/bin/sh\ncase "$*" in *print-prog-name*) echo ld;; *) kill -TERM $$;; esac\n' >dying && chmod +x dying
	TARE_BUILD_SEED=1 run "$TARE" cc -- ./dying main.c -o out
	[ "$status" -eq 143 ]
}
