# What the first hours share. A file is one person's hour: its tests go on where the one before ended.

hour_begins() { # in setup_file: a home and a folder of one's own
	export HOME="$BATS_FILE_TMPDIR/home" XDG_DATA_HOME="$BATS_FILE_TMPDIR/home/data" GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1
	export PATH="$(dirname "$TARE"):$PATH" SPIN="$(dirname "$TARE")/bench/spin"
	mkdir -p "$HOME" "$BATS_FILE_TMPDIR/work"
}

hour_goes_on() { # in setup
	cd "$BATS_FILE_TMPDIR/work"
}

types() { # CODE COMMAND…: what is typed, and the exit code that it must have
	local code=$1
	shift
	run "$@"
	[ "$status" -eq "$code" ] && return
	echo "\$ $*"
	echo "exit $status instead of $code"
	echo "$output"
	return 1
}

sees() { # TEXT…: what the output of the last command must hold
	for text in "$@"; do
		[[ "$output" == *"$text"* ]] && continue
		echo "not seen: $text"
		echo "$output"
		return 1
	done
}

lines_at_most() { # N: of the last output
	[ "$(wc -l <<<"$output")" -le "$1" ] && return
	echo "$(wc -l <<<"$output") lines instead of at most $1"
	echo "$output"
	return 1
}
