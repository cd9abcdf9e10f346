# SPDX-License-Identifier: MIT
# Benchmarks in POSIX shell, measured by tare (docs/protocol.md).
#
#	bench_count() { seq 1000 | wc -l >/dev/null; }
#	. ./tare-bench.sh
#	tare_main count
#
# bench_NAME is one invocation; setup_NAME and teardown_NAME, where they exist, run before the first and after the last.
# A function that fails fails its benchmark; `tare_skip why` in setup_NAME leaves it out. `sh suite.sh` prints a plain table,
# `tare bench 'sh suite.sh'` measures with intervals.
#
# The clock is bash's EPOCHREALTIME, or `date +%s%N` (a process of its own: about a millisecond, which is measured and
# taken off), or /proc/uptime (10 ms). tare makes iterations so long that this does not count.

tare_clock() { # now, in nanoseconds
	tare_now=${EPOCHREALTIME:-} # read once: it is another time at every reading
	if [ -n "$tare_now" ]; then
		tare_now=${tare_now%[.,]*}${tare_now#*[.,]}000
	elif [ "$tare_step" = 100000 ]; then
		tare_now=$(date +%s%N)
	else
		read -r tare_now tare_idle </proc/uptime
		tare_now=${tare_now%.*}${tare_now#*.}0000000
	fi
}

case ${EPOCHREALTIME:-} in
?*) tare_step=1000 ;;
*)	case $(date +%s%N 2>/dev/null) in
	*[!0-9]* | '') tare_step=10000000 ;;
	*) tare_step=100000 ;;
	esac ;;
esac

tare_skip() {
	tare_reason=$*
	return 77
}

tare_nothing() { :; }

tare_time() { # function, count: tare_wall, and tare_status when an invocation fails
	tare_status=0
	tare_left=$2
	tare_clock
	tare_start=$tare_now
	# The benchmark's own programs must not hold the channel.
	while [ "$tare_left" -gt 0 ]; do
		"$1" || { tare_status=$?; break; }
		tare_left=$((tare_left - 1))
	done 3<&- 4>&- 5>&-
	tare_clock
	tare_wall=$((tare_now - tare_start))
}

tare_overhead() { # tare_fixed, tare_loop in nanoseconds
	tare_fixed=999999999999
	for tare_turn in 1 2 3 4 5; do
		tare_time tare_nothing 0
		[ "$tare_wall" -lt "$tare_fixed" ] && tare_fixed=$tare_wall
	done
	tare_time tare_nothing 20000
	tare_loop=$(((tare_wall - tare_fixed) / 20000))
	[ "$tare_loop" -ge 0 ] || tare_loop=0
}

tare_step_of() { # setup or teardown of a benchmark, if there is one
	command -v "$1_$2" >/dev/null || return 0
	"$1_$2" 3<&- 4>&- 5>&-
}

tare_said() { # the last line of a reply, for a status; a line of the protocol has 4096 bytes
	case $1 in
	0) echo ok ;;
	77) printf 'skip %s' "$tare_reason" | LC_ALL=C tr '[:cntrl:]' ' ' | cut -b 1-1000 ;;
	*) echo "fail exit status $1" ;;
	esac
}

tare_reply() { # lines to tare; a benchmark's own output goes to standard output
	printf '%s\n' "$@" >&4
}

tare_known() { # is the first word among the others?
	tare_name=$1
	shift
	for tare_other in "$@"; do
		[ "$tare_name" = "$tare_other" ] && return 0
	done
	return 1
}

tare_answer() { # word, rest of the command, names of the benchmarks
	tare_word=$1
	tare_rest=$2
	shift 2
	case $tare_word in
	select | end | quit)
		[ -z "$tare_selected" ] || tare_step_of teardown "$tare_selected"
		tare_selected= ;;
	esac
	case $tare_word in
	tare) tare_reply 'tare 1 shell 1' ;;
	list) printf 'bench %s\n' "$@" >&4; tare_reply ok ;;
	calibrate)
		tare_overhead
		tare_reply "resolution $tare_step" "fixed $tare_fixed" "loop $tare_loop" "loop-limit $tare_loop" ok ;;
	select)
		tare_known "$tare_rest" "$@" || { tare_reply "error no benchmark is called $tare_rest"; return; }
		tare_step_of setup "$tare_rest"
		tare_setup=$?
		[ "$tare_setup" -ne 0 ] || tare_selected=$tare_rest
		tare_reply "$(tare_said "$tare_setup")" ;;
	run)
		[ -n "$tare_selected" ] || { tare_reply 'error no benchmark is selected'; return; }
		tare_time "bench_$tare_selected" "${tare_rest%% *}"
		[ "$tare_status" -ne 0 ] || tare_reply "wall $tare_wall"
		tare_reply "$(tare_said "$tare_status")" ;;
	end | quit) tare_reply ok ;;
	*) tare_reply "error unknown command $tare_word" ;;
	esac
}

tare_obey() {
	tare_selected=
	while read -r tare_command tare_line <&3; do
		tare_answer "$tare_command" "$tare_line" "$@"
		[ "$tare_command" != quit ] || return 0
	done
}

tare_main() {
	if [ -n "${TARE_CHANNEL:-}" ]; then
		unset TARE_CHANNEL # the descriptors are 3 and 4 (docs/protocol.md): a shell needs them as digits
		tare_obey "$@"
		return
	fi
	tare_overhead
	for tare_name; do
		tare_step_of setup "$tare_name" || { printf '%s: %s\n' "$tare_name" "$(tare_said $?)"; continue; }
		tare_count=1
		while tare_time "bench_$tare_name" "$tare_count"; [ "$tare_status" -eq 0 ] && [ "$tare_wall" -lt 300000000 ]; do
			tare_count=$((tare_count * 2))
		done
		if [ "$tare_status" -eq 0 ]; then
			printf '%-40s %14s ns\n' "$tare_name" $(((tare_wall - tare_fixed) / tare_count - tare_loop))
		else
			printf '%s: %s\n' "$tare_name" "$(tare_said "$tare_status")"
		fi
		tare_step_of teardown "$tare_name"
	done
	echo "Quick numbers of one process. To measure for real: tare bench 'sh $0'"
}
