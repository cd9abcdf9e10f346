#!/usr/bin/env bats
# Shell completion, as the shells would use it.

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# What bash would offer for the words given; the last one is being typed.
offers() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_tare
	printf '%s\n' "${COMPREPLY[@]}"
}

@test "bash: commands, options and the values of options" {
	source <("$TARE" help --completion bash)
	run offers tare ''
	[[ "$output" == *analyze* && "$output" == *compare* && "$output" == *help* && "$output" == *--version* ]]
	[ "$(offers tare ana)" = analyze ]
	[ "$(offers tare analyze --conf)" = --confidence ]
	[ "$(offers tare help comp)" = compare ]
	run offers tare analyze --method ''
	[ "$output" = "$("$TARE" help --options analyze | awk -F '\t' '$2 == "method" { gsub(/\|/, "\n", $4); print $4 }')" ]
	[[ "$output" == *bootstrap* ]]
	[ "$(offers tare analyze --method boo)" = bootstrap ]
	[ "$(offers tare analyze --method = boo)" = bootstrap ]
	[ "$(offers tare compare --sort = | tr '\n' ' ')" = "name change none " ]
}

@test "topics of help, names of plots, and saved results by their number" {
	source <("$TARE" help --completion bash)
	[ "$(offers tare help form)" = formats ]
	for topic in $_tare_topics; do
		"$TARE" help "$topic" >/dev/null
		grep -q "$topic" <("$TARE" --help)
	done
	[ "$(offers tare report --plot pair- | tr '\n' ' ')" = "pair-ratios " ]
	for plot in $(offers tare report --plot '' | grep -v history); do
		run "$TARE" report --plot "$plot" -o plot.svg <<<'1 2 3'
		[[ "$output" != *"there is no plot"* ]]
	done
	tare() { "$TARE" "$@"; }
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	"$TARE" run -q -r 3 true >/dev/null
	"$TARE" run -q -r 3 true >/dev/null
	[ "$(offers tare history show @ | sort | tr '\n' ' ')" = "1 2 " ] # behind the '@', which ends a word
	[ "$(offers tare compare @ 2)" = 2 ]
	COMP_WORDBREAKS=${COMP_WORDBREAKS//@/}
	[ "$(offers tare compare @1)" = @1 ]
}

@test "subcommands are offered, and each of them is one" {
	source <("$TARE" help --completion bash)
	[ "$(offers tare history ver)" = verify ]
	[ "$(offers tare history '' | wc -l)" -eq "$("$TARE" help history | grep -cE '^ *(list|show|trend|changes|baseline|import|export|merge|prune|verify) ')" ]
	for word in $(offers tare history ''); do
		run "$TARE" history "$word" --store "$BATS_TEST_TMPDIR/none.db"
		[[ "$output" != *"no subcommand"* ]]
	done
	[ -z "$(offers tare history list ver)" ]
	[ -z "$(offers tare run '')" ]
}

@test "bash: files where a file or an argument is wanted, options of this command alone" {
	source <("$TARE" help --completion bash)
	[ -z "$(offers tare analyze '')" ]
	[ -z "$(offers tare analyze --json '')" ]
	[ -z "$(offers tare analyze --json --conf)" ]
	[ "$(offers tare compare --gate 2% --only)" = --only-changed ]
	[ -z "$(offers tare analyze --gat)" ]
	[ "$(complete -p tare)" = "complete -o default -F _tare tare" ]
}

@test "bash: saved results where an option takes one" {
	export XDG_DATA_HOME="$BATS_TEST_TMPDIR/data"
	"$TARE" run -r 2 true 2>/dev/null
	PATH="$(dirname "$TARE"):$PATH"
	source <("$TARE" help --completion bash)
	COMP_WORDBREAKS=$' \t\n'
	[ "$(offers tare run --append @)" = @1 ]
	[ "$(offers tare plan --from @)" = @1 ]
	[ -z "$(offers tare run --append f)" ]
}

@test "every option of every command is offered" {
	source <("$TARE" help --completion bash)
	for command in $("$TARE" help --options); do
		[ "$(offers tare "$command" -- | sort)" = "$("$TARE" help --options "$command" | cut -f 2 | sed s/^/--/ | sort)" ]
	done
}

@test "zsh: the script is sound" {
	command -v zsh >/dev/null || skip "there is no zsh here"
	"$TARE" help --completion zsh >_tare
	zsh -n _tare
	grep -q -- "--confidence=" _tare
}

@test "files are offered where one is wanted, also beside the values of an option that may have none" {
	"$TARE" help --completion zsh >_tare
	"$TARE" help --completion fish >tare.fish
	for name in metric confidence precision design; do
		! grep -e "--$name=.*_tare_results" _tare
		grep -q "seen_subcommand_from run' -l $name .*-x" tare.fish
	done
	for name in html json setup check; do
		grep -q -e "--$name=.*_tare_results" _tare # which offers files too
	done
	grep -q "seen_subcommand_from report' -l plot -r -F -a 'ratio " tare.fish
}

@test "fish: the script is sound and offers options and values" {
	command -v fish >/dev/null || skip "there is no fish here"
	"$TARE" help --completion fish >tare.fish
	fish -n tare.fish
	run fish -N -c "source tare.fish; complete -C 'tare analyze --conf'; complete -C 'tare analyze --method boo'"
	[[ "$output" == *--confidence* && "$output" == *bootstrap* ]]
}

@test "another shell is an error that names those there are" {
	run "$TARE" help --completion tcsh
	[ "$status" -eq 2 ]
	[[ "$output" == *bash*zsh*fish* ]]
	run "$TARE" help --options nonsense
	[ "$status" -eq 2 ]
}
