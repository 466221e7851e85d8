#!/usr/bin/env bash
# Every call of every writer fails once, and the program dies at every one; and calls that are interrupted, that take half, or that report
# an error when a file is closed change nothing. Each file is the complete old or the complete new one, files that belong together are both old or both new unless the program died, a failure says so, and nothing half-written
# stays behind a failure or the next save.
set -u
cli=$1 shim=$2 gui=${3:-}
passed=0 failed=0
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL : $2"; fi; }
export RAILYARD_PRICE_BOOK="$work/book/own.csv"
"$cli" new superpod-h100 --name old -o old.railyard >/dev/null
"$cli" edit old.railyard --set name=new -o new.railyard >/dev/null
"$cli" edit new.railyard --remove 'su[1]/leaf[1]' -o other.railyard >/dev/null
"$cli" new superpod-h100 --set servers=32 -o few.railyard >/dev/null
printf 'id,base_usd\nsw-qm9700,1000\n' >old.csv
printf 'id,base_usd\nsw-qm9700,2000\n' >new.csv

# state FILE...: old, new, mixed or torn, against the copies in before/ and after/
state() {
    local seen="" file
    for file in "$@"; do
        if cmp -s "target/$file" "before/$file"; then seen="$seen old"; elif cmp -s "target/$file" "after/$file"; then seen="$seen new"; else seen="$seen torn"; fi
    done
    case $(tr ' ' '\n' <<<"$seen" | sort -u | tr -d '\n') in old) echo old ;; new) echo new ;; newold) echo mixed ;; *) echo torn ;; esac
}

# faults NAME LEAST FILES BEFORE AFTER: BEFORE and AFTER are commands that write FILES in target/
faults() {
    local name=$1 least=$2 files=$3 before=$4 after=$5 reached=0 kill at code now left
    rm -rf target before after; mkdir target
    (eval "$before") >/dev/null 2>&1; cp -r target before
    (eval "$after") >/dev/null 2>&1; cp -r target after
    cmp -s "before/${files%% *}" "after/${files%% *}"; [ $? = 1 ]; note $? "$name: the two versions do not differ"
    for kill in "" 1; do
        for at in $(seq 60); do
            rm -rf target; cp -r before target
            rm -rf mark
            (export FAIL_AT=$at FAIL_MARK="$work/mark" LD_PRELOAD="$shim"; [ -n "$kill" ] && export FAIL_KILL=1; eval "$after") >out.txt 2>err.txt
            code=$?
            [ -e mark ] || break
            now=$(state $files)
            if [ -z "$kill" ]; then
                { [ $code = 0 ] && [ "$now" = new ]; } || { [ $code = 3 ] && [ "$now" = old ] && grep -q "cannot be" err.txt && [ "$(wc -l <err.txt)" = 1 ]; }
                note $? "$name, call $at: exit $code with $now files, $(head -2 err.txt)"
                left=$(ls -A target | grep -c part)
                [ "$left" = 0 ]; note $? "$name, call $at: $left temporary files stay behind"
                [ $code != 0 ] && reached=$((reached + 1))
            else
                [ "$now" != torn ]; note $? "$name, killed at call $at: $now files"
                (eval "$after") >/dev/null 2>&1
                [ "$(state $files)" = new ] && [ "$(ls -A target | grep -c part)" = 0 ]; note $? "$name, killed at call $at: the next save leaves $(ls -A target | tr '\n' ' ')"
            fi
        done
    done
    for kill in short interrupted close nameless; do
        rm -rf target; cp -r before target
        (export FAIL_HOW=$kill LD_PRELOAD="$shim"; eval "$after") >out.txt 2>err.txt
        code=$?
        [ $code = 0 ] && [ "$(state $files)" = new ] && [ "$(ls -A target | grep -c part)" = 0 ]; note $? "$name, $kill calls: exit $code with $(state $files) files"
    done
    [ $reached -ge "$least" ]; note $? "$name: only $reached calls could be made to fail"
}

write() { printf '"%s" %s' "$cli" "$*"; }
faults edit 4 a.railyard 'cp old.railyard target/a.railyard' "$(write edit target/a.railyard --set name=new)"
faults new 4 a.railyard "$(write new superpod-h100 --name a -o target/a.railyard)" "$(write new superpod-h100 --name b -o target/a.railyard)"
for kind in xlsx csv json; do
    faults "bom $kind" 4 "b.$kind" "$(write bom old.railyard -o target/b.$kind)" "$(write bom other.railyard --currency EUR=0.9 -o target/b.$kind)"
done
for kind in xlsx csv; do
    faults "cables $kind" 4 "c.$kind" "$(write cables old.railyard -o target/c.$kind)" "$(write cables other.railyard -o target/c.$kind)"
done
export FAIL_HOW=nameless # parts have names from their start
faults "edit, named parts" 4 a.railyard 'cp old.railyard target/a.railyard' "$(write edit target/a.railyard --set name=new)"
unset FAIL_HOW
faults export 8 "devices.csv links.csv" "$(write export old.railyard --format csv -o target)" "$(write export other.railyard --format csv -o target)"
faults metrics 4 m.json "$(write metrics old.railyard -o target/m.json)" "$(write metrics other.railyard -o target/m.json)"
for kind in xlsx md json csv; do
    faults "compare $kind" 4 "d.$kind" "$(write compare old.railyard old.railyard -o target/d.$kind)" "$(write compare old.railyard other.railyard -o target/d.$kind)"
done
faults heatmap 4 h.csv "$(write heatmap old.railyard --kind collective-time --servers 16 -o target/h.csv)" "$(write heatmap old.railyard --kind collective-time --servers 32 -o target/h.csv)"
faults loads 4 l.csv "$(write loads old.railyard -o target/l.csv)" "$(write loads old.railyard --pattern ring -o target/l.csv)"
faults witness 4 w.csv "$(write bisection old.railyard --witness target/w.csv)" "$(write bisection few.railyard --witness target/w.csv)"
export RAILYARD_PRICE_BOOK="$work/target/own.csv"
faults "price book" 4 own.csv "$(write catalog import old.csv)" "$(write catalog import new.csv)"
unset RAILYARD_PRICE_BOOK
# Pictures, with the desktop program: SAVE_FAULTS CLI SHIM GUI.
if [ -n "$gui" ]; then
    for kind in png svg pdf; do
        faults "picture $kind" 4 "p.$kind" "'$gui' render old.railyard -o target/p.$kind --size 640x400 2>/dev/null || { echo 'cannot be' >&2; exit 3; }" \
            "'$gui' render few.railyard -o target/p.$kind --size 640x400 2>err2.txt || { code=\$?; grep 'cannot be' err2.txt >&2; exit \$code; }"
    done
fi

# Commands that are ended while they write leave nothing behind: not even until the next save.
"$cli" new superpod-h100 --set servers=2048 -o large.railyard >/dev/null
for signal in TERM INT KILL; do
    for wait in 0.02 0.05 0.1 0.2 0.4; do
        rm -rf ended; mkdir ended
        "$cli" export large.railyard --format csv -o ended >/dev/null 2>&1 & child=$!
        sleep $wait; kill -s $signal $child 2>/dev/null; wait $child 2>/dev/null
        left=$(ls -A ended | grep -c part)
        [ "$left" = 0 ]; note $? "export ended by $signal after $wait s: $left temporary files stay"
    done
done

# A disk that is full, the real one and the one for temporary files; only where this user may mount.
mkdir small
if mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    head -c 60k /dev/zero >small/filler
    "$cli" bom old.railyard -o small/b.xlsx 2>err.txt; code=$?
    [ $code = 3 ] && [ "$(wc -l <err.txt)" = 1 ] && [ "$(ls -A small)" = filler ]; note $? "full disk: exit $code, $(ls -A small | tr '\n' ' ')$(head -3 err.txt)"
    TMPDIR="$work/small" "$cli" bom old.railyard -o full.xlsx 2>err.txt; code=$?
    [ $code = 3 ] && [ "$(wc -l <err.txt)" = 1 ] && grep -q "TMPDIR" err.txt && [ ! -e full.xlsx ]; note $? "full folder for temporary files: exit $code, $(head -3 err.txt)"
fi
echo "Totals: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
