_tare()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} values
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$_tare_commands --help --version" -- "$word"))
		return
	fi
	if [ "$command" = help ]; then
		COMPREPLY=($(compgen -W "$_tare_commands $_tare_topics --all" -- "$word"))
		return
	fi
	if [ "$word" = = ]; then
		word=
	elif [ "$before" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
		before=${COMP_WORDS[COMP_CWORD-2]}
	fi
	if values=$(_tare_values "$command" "$before") && ! [[ $values == file && $word == @* ]]; then
		[ "$values" = file ] || COMPREPLY=($(compgen -W "$values" -- "$word"))
	elif [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$(_tare_options "$command")" -- "$word"))
	elif [[ $word == @* || $before == @ ]]; then
		values=$(_tare_saved)
		# '@' ends a word for bash unless it was told otherwise: what follows it is completed alone.
		if [ "$before" = @ ]; then values=${values//@/}; elif [[ $COMP_WORDBREAKS == *@* && $word == @ ]]; then word= values=${values//@/}; fi
		COMPREPLY=($(compgen -W "$values" -- "$word"))
	elif [ "$COMP_CWORD" -eq 2 ]; then
		COMPREPLY=($(compgen -W "$(_tare_subcommands "$command")" -- "$word"))
	fi
}

# An empty answer means files.
complete -o default -F _tare tare
