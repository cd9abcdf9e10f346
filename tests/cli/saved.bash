# Common to the tests of the store: a store of their own, and short experiments that are saved.

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	store="$XDG_DATA_HOME/tare/tare.db"
	spin="$(dirname "$TARE")/bench/spin"
}

measure() { # options and commands: a short experiment that is saved
	"$TARE" run --progress none --quiet -r 4 --metric cpu "$@" >out 2>err
}

sql() { # STATEMENT: rows of the store, as Python prints them
	python3 -c 'import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]' "$store" "$1"
}
