#!/usr/bin/env bash
# The rules that keep the layers apart and files small. Usage: lint.sh SOURCE_DIR
set -u
cd "$1" || exit 1
passed=0 failed=0
# By find, not by git: an unpacked archive has no git, and a rule over no files would pass.
sources() { find "$@" -name '*.h' -o -name '*.cpp'; }
rule() { if [ -z "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $1"; echo "$2" | head -10; fi; }

rule "core is free of Qt" "$(grep -rnE '#include *<Q|\bqcustomplot' core)"
rule "core headers are free of nlohmann, but for json and io" "$(grep -rlE 'nlohmann' core --include='*.h' | grep -vE '^core/(json|io|catalog/catalog_json)')"
rule "Boost only behind bgl, spares and package_text" "$(grep -rlE '#include <boost' core | grep -vE '^core/(fabric/bgl|bill/spares|io/verification/package_text).cpp')"
rule "widgets open no files and app computes nothing by itself" "$(grep -rnE '\b(loadDesign|readFile)\(' widgets)"
# Text from files is never shown as rich text: only plain_text creates labels, tool tips, messages and rich text.
rule "texts are shown through widgets/theme/plain_text.h" "$(grep -rnE '\bnew Q(Label|TextEdit|MessageBox|ErrorMessage|ProgressDialog)\b|\bQ(Label|MessageBox|InputDialog|ErrorMessage|ProgressDialog) \w+[;({]|QMessageBox::(warning|question|information|critical|about)\(|QInputDialog::get|QToolTip::|setToolTip\(|setWhatsThis\(|setHtml\(|insertHtml\(|appendHtml\(|setMarkdown\(|setTextFormat\(|setInformativeText\(|Qt::AutoText|QStaticText|QGraphicsTextItem' app widgets --include='*.h' --include='*.cpp' | grep -v '^widgets/theme/plain_text\.')"
rule "tool tips of models are plain" "$(grep -rnE 'ToolTipRole|WhatsThisRole' app widgets | grep -v asToolTip)"
rule "form rows are named by constants or plain labels" "$(grep -rnE 'orm(->|\.)addRow\(' app widgets | grep -vE 'addRow\((tr\(|QString\(\)|plainLabel\(|\w+\)|label, |sizeLabel, )')"
# What a folder of core may include, besides base and json.
may() {
    case $1 in
    base) echo base ;;
    json) echo base json ;;
    catalog) echo base json catalog ;;
    design) echo base json catalog design ;;
    fabric) echo base json catalog design fabric ;;
    floor | bisection) echo base json catalog design fabric "$1" ;;
    failure) echo base json catalog design fabric floor failure ;;
    routing) echo base json catalog design fabric failure routing ;;
    bill) echo base json catalog design fabric floor bill ;;
    collective) echo base json catalog design fabric failure routing collective ;;
    workload) echo base json catalog design fabric failure routing collective workload ;;
    training) echo base json catalog design fabric failure routing collective workload training ;;
    inference) echo base json catalog design fabric failure routing collective workload training inference ;;
    reliability) echo base json catalog design fabric floor bill bisection failure routing collective workload training reliability ;;
    analysis) echo base json catalog design fabric floor bill bisection failure routing collective workload training inference reliability analysis ;;
    io) echo base json catalog design fabric floor bill bisection failure routing collective workload training inference reliability analysis io ;;
    sweep) echo base json catalog design fabric floor bill bisection failure routing collective workload training inference reliability analysis io sweep ;;
    esac
}
for folder in core/*/; do
    name=$(basename "$folder")
    allowed=$(may "$name" | tr ' ' '|')
    rule "core/$name includes only ${allowed}" "$(grep -rnE '#include "(core|widgets|app|tests)/' "$folder" | grep -vE "#include \"core/(${allowed:-none})/")"
done
# A folder includes its sub-folders, never the other way round: what both need stands in a sub-folder of its own.
upward() {
    local folder
    find core widgets app -mindepth 2 -type d | while read -r folder; do
        local above=$folder
        while above=$(dirname "$above") && [ "${above#*/}" != "$above" ]; do
            grep -nE "#include \"$above/[^/]+\"" "$folder"/*.h "$folder"/*.cpp 2>/dev/null
        done
    done
}
rule "sub-folders include nothing of the folder above" "$(upward)"
# Pairs "from to" of sub-folders of one folder that include each other, directly or over others.
circles() {
    local folder name
    for folder in core/*/ widgets/*/ app/*/; do
        name=${folder%/}
        grep -rnoE "#include \"$name/[a-z_]+/" "$name"/*/ --include='*.h' --include='*.cpp' 2>/dev/null |
            sed -nE "s#^$name/([a-z_]+)/.*\"$name/([a-z_]+)/\$#$name/\1 $name/\2#p" | awk '$1 != $2' | sort -u >"$order"
        tsort "$order" 2>&1 >/dev/null | grep -v 'input contains a loop'
    done
}
# The headers of a folder of core that others include: its doors. A new one is a decision, so it is listed in tests/lint/doors.
crossings() {
    local folder name
    for folder in core/*/; do
        name=${folder%/}
        case $name in core/base | core/json) continue ;; esac
        sources core widgets app | grep -v "^$folder" | xargs grep -hoE "#include \"$name/[^\"]+\"" | cut -d'"' -f2
    done | LC_ALL=C sort -u
}
rule "headers of core that other folders include are its doors" "$(crossings | diff - tests/lint/doors | sed -n 's/^< /not a door: /p; s/^> /no longer included from outside: /p')"
order=$(mktemp)
trap 'rm -f "$order"' EXIT
rule "sub-folders include one another in one direction only" "$(circles)"
# Rows of a table are the exception: algorithm_table.h names those of algorithms, rule_check.h those of rules, figure_sections.h figures,
# verb.h and map.h those of the command line; so are the two programs' main.cpp.
rows='^core/(collective/algorithms|analysis/(rules/rules_|figures/figures_))|^app/cli/(verbs|maps)/|^app/(cli/)?main\.cpp'
rule "every .cpp has the header of its name" "$(find core widgets app -name '*.cpp' | grep -vE "$rows" | while read -r file; do [ -e "${file%.cpp}.h" ] || echo "$file"; done)"
# The same for widgets, besides theme.
mayOfWidgets() {
    case $1 in
    theme) ;;
    document | plots | forms) echo "$1" ;;
    models | canvas | floor) echo document "$1" ;;
    modes) echo document canvas modes ;;
    panels) echo document canvas models modes panels ;;
    views) echo document canvas forms plots views ;;
    dialogs) echo document canvas forms dialogs ;;
    export) echo document canvas floor modes plots views export ;;
    esac
}
for folder in widgets/*/; do
    name=$(basename "$folder")
    allowed=$(echo theme $(mayOfWidgets "$name") | tr ' ' '|')
    rule "widgets/$name includes only ${allowed}" "$(grep -rnE '#include "widgets/' "$folder" | grep -vE "#include \"widgets/(${allowed})/")"
done
rule "widgets do not include app" "$(grep -rn '#include "app/' core widgets)"
rule "no file over 600 lines" "$(sources app core widgets tests | xargs wc -l | awk '$2 != "total" && $1 > 600')"
if command -v ctags >/dev/null && ctags --version | grep -q Universal; then
    rule "no function over 80 lines" "$(sources app core widgets | grep '\.cpp$' | ctags -L - --fields=+ne --kinds-C++=f -f - 2>/dev/null | awk -F'\t' '{ s = 0; e = 0; for (i = 4; i <= NF; ++i) { if ($i ~ /^line:/) s = substr($i, 6); if ($i ~ /^end:/) e = substr($i, 5) } if (e - s > 80) print $2, $1, e - s }')"
fi
# Two types of one name in two files are undefined behaviour that no compiler reports, unless a folder is compiled at once.
if command -v ctags >/dev/null && ctags --version | grep -q Universal; then
    rule "no two types of one name" "$(sources app core widgets | ctags -L - --fields=+sZ --kinds-C++=csug -f - 2>/dev/null | awk -F'\t' '{ s = ""; for (i = 4; i <= NF; ++i) if ($i ~ /^scope:/) { s = $i; sub(/^scope:[a-z]*:/, "", s) } if ((s $1) !~ /__anon/) print s "::" $1, $2 }' | sort -u | awk '{ n[$1]++; files[$1] = files[$1] " " $2 } END { for (name in n) if (n[name] > 1) print name files[name] }' | sort)"
fi
# A class that is longer does several things. Those of tests/lint/long_classes wait to be divided and may only become shorter.
if command -v ctags >/dev/null && ctags --version | grep -q Universal; then
    long=$(sources app core widgets | ctags -L - --fields=+ne --kinds-C++=cs -f - 2>/dev/null | awk -F'\t' '{ s = 0; e = 0; for (i = 4; i <= NF; ++i) { if ($i ~ /^line:/) s = substr($i, 6); if ($i ~ /^end:/) e = substr($i, 5) } if (e - s > 250) print $2, $1, e - s }')
    rule "no class over 250 lines" "$(echo "$long" | while read -r file class lines; do [ -z "$file" ] || awk -v f="$file" -v c="$class" -v n="$lines" '$1 == f && $2 == c && n <= $3 { found = 1 } END { exit !found }' tests/lint/long_classes || echo "$file $class $lines"; done)"
    rule "tests/lint/long_classes lists long classes only" "$(while read -r file class lines; do echo "$long" | grep -q "^$file $class " || echo "$file $class"; done <tests/lint/long_classes)"
fi
rule "widgets open no files but through core and logo_file" "$(grep -rnE '\bQFile\b|\breadText\(' widgets | grep -vE '^widgets/export/logo_file\.cpp')"
if command -v clang-format-14 >/dev/null; then
    rule "clang-format" "$(sources app core widgets tests | xargs clang-format-14 --dry-run 2>&1 | grep warning | cut -d: -f1 | sort | uniq -c)"
fi
echo "Totals: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
