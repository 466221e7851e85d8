#!/usr/bin/env bash
# The desktop program in surroundings that are not the developer's: a locale with a decimal comma, no fonts, no display.
# Usage: environment.sh RAILYARD SOURCE_DIR
set -u
gui=$1 source=$2
work=$(mktemp -d)
export RAILYARD_PRICE_BOOK="$work/none.csv" XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data"
trap 'rm -rf "$work"' EXIT
unset DISPLAY WAYLAND_DISPLAY LC_ALL LANGUAGE
passed=0 failed=0
say() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi; }
ulimit -c 0
cd "$work" || exit 1

# A locale of our own, so that no package is needed: only its numbers differ from C.
cat >comma.src <<'END'
comment_char %
escape_char /
LC_NUMERIC
decimal_point "<U002C>"
thousands_sep "<U002E>"
grouping 3;3
END LC_NUMERIC
END
cat >ascii.charmap <<'END'
<code_set_name> UTF-8
<comment_char> %
<escape_char> /
<mb_cur_min> 1
<mb_cur_max> 6
CHARMAP
<U0000>..<U003F> /x00 X
<U0040>..<U007F> /x40 X
END CHARMAP
END
mkdir locales
localedef -c --no-archive -i ./comma.src -f ./ascii.charmap ./locales/de_DE.UTF-8 2>/dev/null
in_german() { LOCPATH="$work/locales" LANG=C.UTF-8 LC_NUMERIC=de_DE.UTF-8 "$@"; }
[ "$(in_german bash -c 'printf %.1f 0,5')" = 0,5 ]; say $? "the test's locale has a decimal comma"

LC_ALL=C.UTF-8 "$gui" main-job "$work/c" >c.said 2>&1; say $? "main-job in the C locale"
in_german "$gui" main-job "$work/german" >german.said 2>&1; say $? "main-job in a locale with a decimal comma"
files=0
for file in "$work"/c/*; do
    cmp -s "$file" "$work/german/$(basename "$file")"; say $? "$(basename "$file") is the same in every locale"
    files=$((files + 1))
done
[ "$files" -ge 10 ]; say $? "main-job writes ten files, not $files"
sed "s#$work/c#OUT#" c.said >c.words; sed "s#$work/german#OUT#" german.said | cmp -s - c.words; say $? "main-job says the same in every locale"
if command -v unzip >/dev/null; then
    for book in "$work"/german/*.xlsx; do
        unzip -p "$book" 'xl/worksheets/*' >sheets.xml && grep -q '<v>[0-9.]*</v>' sheets.xml && ! grep -qE '<v>[0-9.-]*,[0-9]*</v>|(width|ht|customHeight)="[0-9]*,' sheets.xml
        say $? "$(basename "$book"): numbers have a decimal point"
    done
fi
design="$source/samples/hand-drawn.railyard"
for kind in svg pdf png; do
    LC_ALL=C.UTF-8 "$gui" render "$design" -o "c.$kind" --dpi 120.5 2>/dev/null; in_german "$gui" render "$design" -o "german.$kind" --dpi 120.5 2>/dev/null
    [ -s "c.$kind" ] && cmp -s "c.$kind" "german.$kind"; say $? "render $kind is the same in every locale"
done

# Without fonts: a sentence with the package, exit code 3, no file.
echo '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><cachedir>none</cachedir></fontconfig>' >nofonts.conf
for verb in "render $design -o $work/boxes.png" "main-job $work/boxes"; do
    FONTCONFIG_FILE="$work/nofonts.conf" QT_QPA_FONTDIR="$work/nowhere" "$gui" $verb >out 2>said
    [ $? = 3 ] && grep -q "fonts-dejavu-core" said && [ ! -e "$work/boxes.png" ]; say $? "${verb%% *} without fonts names a package"
done

# With a broken price book, pictures without prices are drawn.
echo "id,nonsense" >broken.csv
RAILYARD_PRICE_BOOK="$work/broken.csv" "$gui" render "$design" -o "$work/unpriced.png" >out 2>said && [ -s "$work/unpriced.png" ]
say $? "render with a broken price book"
for view in heatmap:decision "compare:$design"; do
    RAILYARD_PRICE_BOOK="$work/broken.csv" "$gui" render "$design" --view "$view" -o "$work/priced.png" >out 2>said
    [ $? = 3 ] && grep -q "unknown column" said && [ ! -e "$work/priced.png" ]; say $? "render --view ${view%%:*}: needs prices"
done

# Without a display, or with a broken platform plugin: a sentence, exit code 2, no abort.
for platform in "" xcb wayland no-such-platform "xcb;no-such" offscreen:no-such-plugin-path; do
    QT_QPA_PLATFORM="$platform" timeout 20 "$gui" </dev/null >out 2>said
    code=$?
    case $platform in offscreen*) [ $code -lt 128 ] ;; *) [ $code = 2 ] && grep -q "railyard render" said && grep -q "railyard-cli" said && ! grep -qi "abort" said ;; esac
    say $? "no display, QT_QPA_PLATFORM='$platform': exit $code"
done
QT_QPA_PLATFORM=offscreen QT_PLUGIN_PATH="$work" QT_QPA_PLATFORM_PLUGIN_PATH="$work" timeout 20 "$gui" render "$design" -o "$work/x.png" >out 2>said
[ $? != 134 ]; say $? "render without a platform plugin does not abort"
echo "Totals: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
