#!/usr/bin/env bash
# Every call of a save fails once, and the program dies at every one: the file is the complete old or the complete new one,
# a failure says so, and nothing half-written stays behind.
set -u
cli=$1 shim=$2
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL : $2"; fi; }
"$cli" new superpod-h100 --name old -o old.railyard >/dev/null
"$cli" edit old.railyard --set name=new -o new.railyard >/dev/null
reached=0
for kill in "" 1; do
    for at in 1 2 3 4 5 6 7 8 9 10; do
        cp old.railyard design.railyard
        env FAIL_AT=$at ${kill:+FAIL_KILL=1} LD_PRELOAD="$shim" "$cli" edit design.railyard --set name=new >out.txt 2>err.txt
        code=$?
        if cmp -s design.railyard old.railyard; then state=old; elif cmp -s design.railyard new.railyard; then state=new; else state=torn; fi
        [ $state != torn ]; note $? "call $at${kill:+, killed}: the file is neither the old nor the new one"
        if [ -z "$kill" ]; then
            { [ $code = 0 ] && [ $state = new ]; } || { [ $code = 3 ] && grep -q "cannot be written" err.txt; }
            note $? "call $at: exit $code with the $state file, $(head -1 err.txt)"
            [ $code != 0 ] && reached=$((reached + 1))
            left=$(ls -A | grep -c part)
            [ "$left" = 0 ]; note $? "call $at: $left temporary files stay behind"
        fi
        rm -f *.part
    done
done
[ $reached -ge 4 ]; note $? "only $reached calls of a save could be made to fail"
echo "Totals: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
