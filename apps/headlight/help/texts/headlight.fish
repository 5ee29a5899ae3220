# fish completion of headlight, made from its command line by `headlight completion fish`.

function __headlight_needs_command
    test (count (commandline -opc)) -eq 1
end

# Whether this is the command of the line.
function __headlight_runs
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

# Not names with a tab: what is behind it would be a description.
function __headlight_models
    set -l words (commandline -opc)
    for name in ($words[1] models --names 2>/dev/null | string split0)
        string match -q '*'\t'*' -- $name; or printf '%s\0' $name
    end | string split0
end

complete -c headlight -f
@LINES@