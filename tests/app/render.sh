#!/usr/bin/env bash
# Pictures without a display: exit codes, sizes, repeatability. Usage: render.sh RAILYARD SOURCE_DIR
set -u
gui=$1 source=$2
work=$(mktemp -d)
export RAILYARD_PRICE_BOOK="$work/none.csv"
trap 'rm -rf "$work"' EXIT
unset DISPLAY WAYLAND_DISPLAY
passed=0 failed=0
say() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi; }
sample="$source/samples/superpod-h100-16su.railyard"
for view in topology slide heatmap:collective-time heatmap:decision; do
    for kind in png svg pdf pptx; do
        [ $kind != pptx ] || [ $view = slide ] || [ $view = topology ] || continue
        out="$work/${view#heatmap:}.$kind"
        "$gui" render "$sample" -o "$out" --view $view --size 1600x1000 2>/dev/null && [ -s "$out" ]; say $? "render $view $kind"
        cp "$out" "$out.first"; "$gui" render "$sample" -o "$out" --view $view --size 1600x1000 2>/dev/null; cmp -s "$out" "$out.first"; say $? "$view $kind: same input, same bytes"
    done
done
"$gui" render "$sample" -o "$work/deck.pptx" --view slide 2>/dev/null; "$gui" render "$work/deck.pptx" -o "$work/again.pptx" --view slide 2>/dev/null; cmp -s "$work/deck.pptx" "$work/again.pptx"; say $? "a slide is opened as its design and drawn again"
"$gui" render "$sample" -o "$work/bare.svg" --no-design 2>/dev/null && ! grep -q railyard-design "$work/bare.svg"; say $? "render --no-design"
"$gui" render "$sample" -o "$work/clear.png" --transparent 2>/dev/null && "$gui" render "$sample" -o "$work/opaque.png" 2>/dev/null && [ "$(od -An -tu1 -j25 -N1 "$work/clear.png" | tr -d ' ')" = 6 ] && [ "$(od -An -tu1 -j25 -N1 "$work/opaque.png" | tr -d ' ')" = 2 ]; say $? "render --transparent makes a picture with alpha, and only that"
"$gui" render "$work/bare.svg" -o "$work/y.png" 2>"$work/said"; [ $? = 3 ] && grep -q "carries no design" "$work/said"; say $? "a picture without a design says so"
"$gui" render "$sample" -o "$work/x.png" --view floor 2>"$work/said"; [ $? = 1 ] && grep -q racks=auto "$work/said"; say $? "a floor without racks says how to get them"
sed '0,/"blocks"/s//"floor": {}, "blocks"/' "$sample" >"$work/placed.railyard"
for view in floor racks; do
    for kind in png svg pdf; do
        "$gui" render "$work/placed.railyard" -o "$work/$view.$kind" --view $view 2>/dev/null && [ -s "$work/$view.$kind" ]; say $? "render $view $kind"
    done
done
# 16 SUs have more racks than a page holds: none may be missing, whatever the format.
"$gui" render "$work/placed.railyard" -o "$work/pages.svg" --view racks --size 1920x1080 >"$work/said" 2>/dev/null; say $? "racks on several pages"
[ -s "$work/pages.svg" ] && [ "$(wc -l <"$work/said")" = "$(ls "$work"/pages*.svg | wc -l)" ] && [ "$(wc -l <"$work/said")" -gt 1 ]; say $? "the command names every file it wrote"
"$gui" render "$work/placed.railyard" -o "$work/pages.pdf" --view racks --size 1920x1080 2>/dev/null
# A PDF is the same in every time zone, and its table of positions names where its objects are.
for zone in UTC Asia/Kolkata America/St_Johns; do
    TZ=$zone "$gui" render "$work/placed.railyard" -o "$work/zone.pdf" --size 640x400 2>/dev/null
    cksum <"$work/zone.pdf"
done >"$work/zones"
[ "$(sort -u "$work/zones" | wc -l)" = 1 ]; say $? "a PDF carries the time zone"
grep -abo '^[0-9]* 0 obj' "$work/zone.pdf" | awk -F'[: ]' '{ printf "%010d\n", $1 }' | sort >"$work/objects"
sed -n '/^xref/,/^trailer/p' "$work/zone.pdf" | grep -a ' n $' | cut -c1-10 | sort >"$work/positions"
[ -s "$work/objects" ] && cmp -s "$work/objects" "$work/positions"; say $? "a PDF's table of positions is wrong"
[ "$(tail -c +$(($(tail -3 "$work/zone.pdf" | sed -n 2p) + 1)) "$work/zone.pdf" | head -1)" = xref ]; say $? "a PDF does not say where its table of positions is"
[ "$(grep -ac '/Type /Page$' "$work/pages.pdf")" = "$(wc -l <"$work/said")" ]; say $? "the PDF has as many pages"
for kind in png svg pdf; do
    "$gui" render "$sample" -o "$work/compare.$kind" --view "compare:$source/samples/rail-only-h100-16su.railyard" --size 1920x1080 >/dev/null 2>&1 && [ -s "$work/compare.$kind" ]; say $? "render a comparison as $kind"
done
"$gui" render "$sample" -o "$work/x.png" --view compare:absent.railyard 2>/dev/null; [ $? = 3 ]; say $? "a missing design to compare with is exit 3"
"$gui" render "$sample" --view play --op all-reduce -o "$work/play.svg" 2>/dev/null && grep -q '<animate ' "$work/play.svg"; say $? "an SVG that plays"
"$gui" render "$sample" --view play --op all-reduce -o "$work/play.png" 2>/dev/null && [ -s "$work/play-01.png" ] && [ -s "$work/play-02.png" ]; say $? "frames of a play"
"$gui" render "$sample" --view play --message nothing -o "$work/play.svg" 2>/dev/null; [ $? = 2 ]; say $? "a message without a unit is wrong usage"
cli=$(dirname "$gui")/railyard-cli
"$gui" report "$sample" -o "$work/offer.pdf" --author "a & b" --date 2026-11-27 2>/dev/null && [ "$(head -c 5 "$work/offer.pdf")" = %PDF- ]; say $? "the offer"
"$gui" report "$sample" -o "$work/again.pdf" --author "a & b" --date 2026-11-27 2>/dev/null; cmp -s "$work/offer.pdf" "$work/again.pdf"; say $? "the same offer twice"
"$cli" verify "$work/offer.pdf" >"$work/said" 2>/dev/null && grep -q 'figures follow' "$work/said"; say $? "the figures of the offer follow from its design"
"$cli" verify "$work/offer.pdf" --design "$source/samples/rail-only-h100-16su.railyard" >"$work/said" 2>/dev/null; [ $? = 1 ] && grep -q 'counts.switches: states' "$work/said"; say $? "those that do not follow from another are named"
"$gui" report "$sample" -o "$work/customer.pdf" --copy customer --against "$source/samples/rail-only-h100-16su.railyard" 2>/dev/null && ! grep -aq 'cost\.' "$work/customer.pdf"; say $? "an offer for the customer"
"$cli" verify "$work/customer.pdf" 2>/dev/null; [ $? = 2 ]; say $? "a customer copy carries no design"
"$cli" verify "$work/customer.pdf" --design "$sample" >/dev/null 2>&1; say $? "but its figures can be compared with one"
"$cli" verify "$work/customer.pdf" --design "$sample" 2>/dev/null | grep -q 'name it with --against'; say $? "numbers of another design that nobody named are said not to be checked"
"$cli" verify "$work/customer.pdf" --design "$sample" --against "$source/samples/rail-only-h100-16su.railyard" --json 2>/dev/null | grep -q '"unchecked": 0'; say $? "and are checked where it is named"
"$gui" render "$sample" -o "$work/customer.svg" --view slide --copy customer 2>/dev/null && ! grep -q 'railyard-design' "$work/customer.svg" && ! grep -q 'list prices' "$work/customer.svg"; say $? "a slide for the customer"
"$gui" report "$sample" -o "$work/offer.docx" 2>/dev/null; [ $? = 2 ] && [ ! -e "$work/offer.docx" ]; say $? "an offer is a PDF"
"$gui" report "$sample" -o "$work/x.pdf" --copy both 2>/dev/null; [ $? = 2 ]; say $? "an unknown copy is wrong usage"
"$cli" verify "$sample" 2>/dev/null; [ $? = 2 ]; say $? "a document states nothing"
"$gui" render "$sample" -o "$work/x.gif" 2>/dev/null; [ $? = 2 ]; say $? "an unknown format is wrong usage"
"$gui" render absent.railyard -o "$work/x.png" 2>/dev/null; [ $? = 3 ]; say $? "a missing file is exit 3"
"$gui" render "$sample" -o "$work/x.png" --size wide 2>/dev/null; [ $? = 2 ]; say $? "a bad size is wrong usage"
[ ! -e "$work/x.png" ]; say $? "a failed command left a file"
"$gui" main-job "$work/out" >"$work/job" 2>/dev/null; say $? "the main job"
grep -q -- '−40.0 %' "$work/job" && grep -q '+9.7 %' "$work/job"; say $? "the main job says 40 % and 9.7 %"
files=$(find "$work/out" -type f -size +0 | wc -l)
[ "$files" -gt 0 ] && [ "$files" = "$(grep -c '^  [A-Z]' "$work/job")" ]; say $? "the main job writes every file it names"
echo "Totals: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
