#!/usr/bin/env bash
# Golden output of the samples, exit codes, messages. Usage: cli.sh CLI SOURCE_DIR [--update]
set -u
cli=$1 source=$2 update=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
say() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi; }

# expect CODE PATTERN ARGS...: the exit code, and a pattern on stderr where one is given
expect() {
    local code=$1 pattern=$2; shift 2
    "$cli" "$@" >"$work/out" 2>"$work/err"
    local got=$?
    [ "$got" = "$code" ]; say $? "exit $got instead of $code: $*"
    if [ -n "$pattern" ]; then grep -qE -- "$pattern" "$work/err"; say $? "no /$pattern/ in: $(head -c 300 "$work/err")  ($*)"; fi
}

for sample in "$source"/samples/*.railyard; do
    name=$(basename "$sample" .railyard)
    "$cli" metrics "$sample" --json >"$work/$name.json"; say $? "metrics $name"
    if [ "$update" = --update ]; then cp "$work/$name.json" "$source/tests/data/golden/$name.json"; fi
    diff -q "$source/tests/data/golden/$name.json" "$work/$name.json" >/dev/null; say $? "$name differs from its golden output"
    "$cli" check "$sample" --severity error >/dev/null; say $? "check $name"
done

cd "$work"
export RAILYARD_PRICE_BOOK="$work/books/own.csv" # not the one of whoever runs this
expect 0 "" new superpod-h100 -o a.railyard
expect 0 "" new rail-only --set servers=128 -o b.railyard
expect 2 "there is no recipe" new no-such -o x.railyard
expect 2 "no_such" new rail-optimized --set no_such=1 -o x.railyard
expect 1 "nic_gbps = 0: .*nearest value that works: [1-9][0-9]*" new rail-optimized --set nic_gbps=0 -o x.railyard
expect 1 "uplink_gbps = -5: .*nearest value that works: 200" new rail-optimized --set uplink_gbps=-5 -o x.railyard
expect 1 "spines = 7: a pod then holds 7 leaves, .*nearest value that works: 8" new superpod-h100 --set servers=2048 --set spines=7 -o x.railyard
expect 2 "--gpus is a recipe parameter; use --set gpus=1024" new superpod-h100 --gpus 1024 -o x.railyard
expect 0 "" recipes --progress
expect 2 "not expected: --gpu-count 3" new superpod-h100 --gpu-count 3 -o x.railyard
expect 0 "" new rail-optimized --set servers=64 --set oversubscription=2:1 -o ratio.railyard
grep -q "leaf tier: 1.524:1 as built, 2:1 as asked" "$work/out"; say $? "new does not say what ratio came out: $(cat "$work/out")"
expect 0 "" new superpod-h100 --set servers=256 --set switch=sw-sn5600 --set su_servers=32 -o cheaper.railyard --json
grep -q '"switches": 48' "$work/out"; say $? "new does not say which setting needs fewer switches: $(cat "$work/out")"
for verb in "recipes" "recipes aipod" "version" "catalog list" "catalog show sw-qm9700" "bisection a.railyard"; do
    "$cli" $verb --json | grep -q '"schema": "railyard\.'; say $? "$verb --json has no schema"
done
"$cli" recipes | grep -qvE "^[a-z0-9-]+  +[^ ]"; [ $? = 1 ]; say $? "recipes: no gap between columns"
expect 1 "radix = 1" new rail-optimized --set radix=1 -o x.railyard
expect 1 "1016 and 1024|nearest values" new rail-optimized --set gpus=1017 -o x.railyard
[ ! -e x.railyard ]; say $? "a failed command left a file"
expect 3 "absent.railyard: cannot be read" metrics absent.railyard
head -c 900 a.railyard >cut.railyard
expect 3 "cut.railyard:[0-9]+:[0-9]+: .*truncated" metrics cut.railyard
echo '{"name": "x"}' >foreign.railyard
expect 3 "not a Railyard document" metrics foreign.railyard
sed 's/"format": 2/"format": 9/' a.railyard >newer.railyard
expect 3 "newer.railyard:2:.*newer" metrics newer.railyard
expect 2 "verb" no-such-verb
expect 2 "" metrics
expect 2 "has no unit" collective a.railyard --size 1024
expect 2 "all-reduce" collective a.railyard --op all-gone
expect 1 "rails are separate" collective b.railyard --op all-to-all --algorithm direct
expect 0 "" loads a.railyard --json -o loads.csv
head -1 loads.csv | grep -q '^a_device,a_port,b_device,b_port,tier,a_to_b_fraction,b_to_a_fraction,a_to_b_utilisation_fraction,b_to_a_utilisation_fraction'; say $? "columns of loads"
[ "$(wc -l <loads.csv)" = "$((1 + $("$cli" export a.railyard --format csv -o flat >/dev/null && wc -l <flat/links.csv) - 1))" ]; say $? "a row a link"
expect 1 "separate networks; forwarding" loads b.railyard
expect 0 "" loads b.railyard --pxn on
expect 0 "" heatmap a.railyard --kind hb-nic --op all-to-all --nic-gbps 200,400 --hb-gbps 1800,3600
[ "$(wc -l <out)" = 3 ]; say $? "rows of hb-nic"
expect 2 "takes one message size" heatmap a.railyard --kind hb-nic --size 1MiB --size 2MiB
expect 0 "" heatmap a.railyard --kind link-load --pattern ring
head -1 out | grep -q "^leaf-spine,spine\[1\],spine\[2\]"; say $? "spines head the columns of link-load"
[ "$(wc -l <out)" = 33 ]; say $? "a row a leaf"
expect 0 "64,032 pairs of GPUs cannot reach each other" heatmap a.railyard --kind link-load --fail 'su[1]/leaf[1]' --json
grep -q '"unreachable_pairs": 64032' out; say $? "link-load after failures says which traffic it leaves out"
printf '{"base": "rail-optimized", "axes": {"gpus": [128, 256]}, "evaluate": ["counts"]}' >tasks.json
expect 2 "at most 1,000 tasks" sweep plan tasks.json -o tasks --engine slurm --shards 1001
[ ! -e tasks ]; say $? "a refused plan writes nothing"
expect 0 "" sweep plan tasks.json -o tasks
expect 0 "" sweep run tasks --progress
expect 2 "use one of them" train a.railyard --model llama3-8b --order far --per-domain 4
expect 2 "one of host-leaf, leaf-spine" heatmap a.railyard --kind link-load --tier host
expect 1 "no superspine-core links" heatmap a.railyard --kind link-load --tier superspine-core
expect 2 "one of all-to-all, ring" loads a.railyard --pattern star
expect 2 "flows-per-pair" loads a.railyard --routing hash --flows-per-pair 65
expect 2 "the maximum is" loads a.railyard --routing hash --flows-per-pair 64
"$cli" loads a.railyard --routing hash --pattern permutation --seed 3 -o one.csv >/dev/null; "$cli" loads a.railyard --routing hash --pattern permutation --seed 3 -o two.csv >/dev/null
cmp -s one.csv two.csv; say $? "the same seed draws the same"
printf 'from,to,volume\nsu[1]/srv[1]/gpu[1],su[9]/x,3\nsu[1],su[2],much\n' >traffic.csv
expect 3 'traffic.csv:2:2: row 2, column 2: the design has no GPU or server "su\[9\]/x"' loads a.railyard --pattern traffic.csv
grep -q 'row 3, column 3: "much" is not a volume' err; say $? "every error of a traffic file"
printf ',su[1]/srv[1]/gpu[2],su[2]/srv[1]\nsu[1]/srv[1]/gpu[1],1,3\n' >matrix.csv
expect 0 "" loads a.railyard --pattern matrix.csv --json
grep -q '"max_utilisation_fraction": 0.75' out; say $? "three quarters leave over the NIC"
printf 'from,to,volume\nsu[1],su[2],0\n' >nothing.csv
expect 3 "no traffic" loads a.railyard --pattern nothing.csv
printf 'from,to,volume\nsu[1],su[2]\nsu[1],su[2],\nsu[1],su[2],1,2\n' >ragged.csv
expect 3 "ragged.csv:2:3: .*the row has 2 cells, but the first row has 3" loads a.railyard --pattern ragged.csv
grep -q "ragged.csv:3:3: .*not a volume" "$work/err" && grep -q "ragged.csv:4:4: .*4 cells" "$work/err"; say $? "every ragged row is named"
expect 2 "shows a training job" heatmap a.railyard --kind traffic --pattern incast
expect 2 "must be greater than 0" heatmap a.railyard --kind collective-time --size 0B
expect 2 "design itself .128" heatmap a.railyard --kind collective-time --servers 64,128 --fail-links 1%
expect 0 "" heatmap a.railyard --kind collective-time --size 1MiB --fail-links 1%
[ "$(wc -l <out)" = 2 ]; say $? "with failures a map of times has the design's size only"
expect 2 "nan is not a number" collective a.railyard --jobs 2 --weights nan,1
expect 2 "matches no server with a NIC" collective a.railyard --storage 'su[1]/leaf[1]=1GB/s'
printf '\xef\xbb\xbfsu[1]/srv[1]/gpu[1]\nsu[1]/srv[2]/gpu[2]\n' >across.txt
expect 0 "" collective a.railyard --order across.txt
expect 1 "su\[1\]/srv\[3\] has no working NIC that is cabled to a switch" collective a.railyard --fail 'su[1]/srv[3]/nic[*]'
# What cannot be written is lost, and says so; links and devices stay what they are.
for lost in "metrics a.railyard" "compare a.railyard b.railyard" "version" "loads a.railyard -o -"; do
    "$cli" $lost >/dev/full 2>"$work/err"; [ $? = 3 ] && grep -q "standard output cannot be written" "$work/err"; say $? "$lost >/dev/full"
done
cp a.railyard target.railyard; chmod 640 target.railyard; ln -s target.railyard link.railyard
expect 0 "" edit link.railyard --set recipe.servers=64
[ -L link.railyard ] && [ "$(stat -c %a target.railyard)" = 640 ] && ! cmp -s a.railyard target.railyard; say $? "an edit follows links and keeps permissions"
mkfifo pipe && ln -s pipe pipe.csv && (timeout 60 cat pipe >fromPipe &) && "$cli" bom a.railyard -o pipe.csv >/dev/null; [ -p pipe ]; say $? "a pipe is written to, not replaced"
expect 2 "matches nothing" metrics a.railyard --fail 'leaf[99]'
expect 2 "more than 100%" metrics a.railyard --fail-links 200%
shipped=$("$cli" metrics a.railyard --json | grep network_usd)
printf 'id,base_usd,date\nsw-qm9700,1000,2026-11-01\nno-such-part,1,2026\n' >prices.csv
expect 0 'no part "no-such-part"' catalog import prices.csv
"$cli" catalog show sw-qm9700 --json | grep -q own_price; say $? "both prices are shown"
[ "$("$cli" metrics a.railyard --json | grep network_usd)" != "$shipped" ]; say $? "own prices count"
printf 'id,base_usd\nsw-qm9700,free\n' >bad.csv
before=$(cksum <"$RAILYARD_PRICE_BOOK"); expect 3 "bad.csv:2:2: base_usd is" catalog import bad.csv
[ "$before" = "$(cksum <"$RAILYARD_PRICE_BOOK")" ]; say $? "a failed import left the book alone"
{ echo id,base_usd; for i in $(seq 5000); do echo "part-$i,$i.5"; done; } >many.csv
expect 0 "4980 more parts" catalog import many.csv
rm "$RAILYARD_PRICE_BOOK"
expect 2 "one of railyard, nvidia" cables a.railyard -o x.csv --dialect klingon
expect 0 "" cables a.railyard -o nvidia.csv --dialect nvidia
grep -q ",sw1p1," nvidia.csv && grep -q ",sw32p2," nvidia.csv && ! grep -q ",sw33p" nvidia.csv && grep -q ",rail8," nvidia.csv; say $? "ports in NVIDIA's names"
# An error makes check say no, unless the document approves it.
sed '0,/"overrides": {}/s//"overrides": {"su[1]\/leaf[1]": {"label": "x"}, "su[1]\/leaf[2]": {"label": "x"}}/' a.railyard >named.railyard
expect 1 "" check named.railyard
sed '0,/"overrides"/s//"approvals": [{"code": "RY-A001", "reason": "renamed at hand-over"}], "overrides"/' named.railyard >approved.railyard
expect 0 "" check approved.railyard
grep -q "approved *RY-A001" "$work/out"; say $? "an approved finding says so"
sed 's/renamed at hand-over//' approved.railyard >silent.railyard
expect 3 "state why" check silent.railyard
expect 2 "must be one of flat, by-block" bom a.railyard -o x.csv --view upside-down
expect 2 "EUR=0.92" bom a.railyard -o x.csv --currency EUR
expect 0 "" bom a.railyard -o blocks.csv --view by-block --currency EUR=0.92
grep -q "su\[1-4\]" blocks.csv && grep -q ",EUR," blocks.csv; say $? "by-block names the blocks and the currency"
expect 0 "" bom a.railyard -o blocks.xlsx --view by-block
for bad in 0% 100% 95 x% -1% 5% qty:0% qty:5; do expect 2 "\-\-spares" bom a.railyard -o x.csv --spares=$bad; done
expect 2 "neither a vendor" bom a.railyard -o x.csv --discount NVIDA=5%
expect 2 "\-\-discount" bom a.railyard -o x.csv --discount switch=100%
expect 2 "\-\-margin" bom a.railyard -o x.csv --margin 96%
"$cli" bom a.railyard -o verified.xlsx; expect 0 "" verify verified.xlsx
"$cli" new superpod-h100 --set servers=96 -o fewer.railyard 2>/dev/null
expect 1 "" verify verified.xlsx --design fewer.railyard --json
grep -q '"key": "counts.gpus"' out; say $? "verify names what is stale"
"$cli" bom a.railyard -o quiet.xlsx --copy customer
expect 2 "\-\-design" verify quiet.xlsx
expect 0 "" verify quiet.xlsx --design a.railyard
echo text >unstated.txt; expect 3 "states no figures" verify unstated.txt --design a.railyard
expect 2 "write qty:5%" bom a.railyard -o x.csv --spares 5%
expect 0 "" bom a.railyard -o fifth.json --spares qty:20%
grep -q '"spare_quantity": 10,' fifth.json; say $? "a fifth of 48 switches of one part, rounded up"
expect 2 "name the file to write" bom a.railyard
expect 0 "" bom a.railyard --json
cp out printed.json; "$cli" bom a.railyard -o written.json; cmp -s printed.json written.json; say $? "bom --json prints what -o writes"
"$cli" bom a.railyard -o euro.csv --currency EUR=0.92; ! grep -qE ',[0-9]+\.[0-9]{5,}' euro.csv; say $? "prices in euros have cents, and no more digits"
grep -q ',Exchange rate,.*0.92 EUR per US dollar' euro.csv && grep -q ',Total,' euro.csv; say $? "a CSV ends with its total and its rate"
"$cli" bom a.railyard -o spares.json --spares 95% && "$cli" bom a.railyard -o spares.csv --spares 95% --view by-block
grep -q '"spare_quantity"' spares.json && grep -q ',spares,Spares,' spares.csv; say $? "spares in both views"
expect 2 "\.xlsx, \.csv, \.md or \.json" bom a.railyard -o bill.pdf
expect 3 "cannot be written" bom a.railyard -o no/such/folder/bill.csv
expect 2 "this version" heatmap a.railyard --kind no-such-kind
expect 0 "" heatmap a.railyard --kind failure -o failure.csv
head -1 failure.csv | grep -q '^rate_factor.gpus,8,16,'; say $? "the failure map has sizes of jobs as columns"
expect 0 "" reliability a.railyard --horizon 30d --monte-carlo 200 --standbys 2 --json
cp out one.json
expect 0 "" reliability a.railyard --horizon 30d --monte-carlo 200 --standbys 2 --json --threads 1
cmp -s out one.json; say $? "threads change the answer of reliability"
grep -q '"ci99"' out && grep -q '"single_points_of_failure"' out; say $? "reliability lacks keys"
expect 0 "" reliability a.railyard
grep -q 'is interrupted every' out; say $? "reliability does not say how often"
printf 'kind,part,low,base,high\ngpu,,0.01,0.3,0.5\nlink,,,0.01,\n' >rates.csv
expect 0 "" reliability a.railyard --rates rates.csv
grep -qE 'GPU +1,024 +0.01 +0.3 +0.5' out; say $? "rates of a file are not used"
printf 'kind,base\nfan,1\ngpu,-1\n' >bad-rates.csv
expect 3 "bad-rates.csv:3:2: -1: a rate cannot be negative" reliability a.railyard --rates bad-rates.csv
expect 3 "none.csv" reliability a.railyard --rates none.csv
for bad in "--horizon 0s" "--horizon 30" "--rate gpu=-1" "--rate fan=1" "--rate gpu" "--repair gpu=4h" "--repair server=" "--lemons 1%" "--flaps 2" \
    "--distribution weibull" "--monte-carlo 0" "--monte-carlo many" "--repair-success 2" "--policy loose" "--standbys -1"; do
    expect 2 "" reliability a.railyard $bad
done
# The sentences of the AIPod source: 8,000 GPUs at 99.99 % a month, 1,000 at 99.9 %.
expect 0 "" reliability "$source/samples/aipod-8k.railyard"
grep -q 'Probability of an interruption: 55.1 %' out; say $? "8,000 GPUs at 99.99 %"
expect 0 "" reliability "$source/samples/aipod-8k.railyard" --job-gpus 1000 --rate gpu=0.0121728
grep -q 'Probability of an interruption: 63.2 %' out; say $? "1,000 GPUs at 99.9 %"
expect 1 "the design has" reliability a.railyard --job-gpus 100000
expect 1 "standbys" reliability a.railyard --standbys 100000
expect 0 "" edit a.railyard --set reliability.rate_gpu=0.2 --set reliability.horizon=7d -o model.railyard
expect 0 "" reliability model.railyard
grep -q 'expected in 7 days' out; say $? "the failure model of the design is not used"
expect 2 "reliability.rate_gpu" edit a.railyard --set reliability.rate_gpu=-2 -o x.railyard
# Power feeds, optical circuit switches, slow servers, trays.
expect 0 "" new superpod-h100 --set servers=64 --set racks=auto --set power_feeds=alternating -o feeds.railyard
expect 0 "" reliability feeds.railyard --rate power-feed=0.5
grep -q "feed=A/A " out && grep -q "Worst two failures" out; say $? "feeds and pairs are failures"
expect 2 "every row has the feeds A and B" metrics feeds.railyard --fail feed=C
expect 2 "must be a, b or" edit feeds.railyard --set 'su[1]/rack[1].feeds=c'
expect 0 "" edit feeds.railyard --set 'su[1]/rack[1].feeds=b' -o own-feed.railyard
grep -q '"su\[1\]/rack\[1\]": "b"' own-feed.railyard; say $? "a rack has its own feed"
expect 0 "" edit feeds.railyard --set ocs.tier=leaf-spine -o ocs.railyard
expect 0 "" reliability ocs.railyard --json
grep -q '"break_even_usd": ' out && grep -q '"worst_pair"' out && grep -q '"remedies"' out; say $? "reliability lacks remedies or re-tiling"
expect 0 "" metrics ocs.railyard --fail ocs=8
"$cli" export ocs.railyard --format csv -o ocs-flat >/dev/null
[ "$(wc -l <ocs-flat/ocs.csv)" = 513 ] && [ "$(wc -l <ocs-flat/feeds.csv)" = 20 ]; say $? "the CSV export has feeds and optical circuit switches"
expect 2 "optical circuit switches are 1 to 8" metrics ocs.railyard --fail ocs=9
expect 2 "ocs.tier" edit feeds.railyard --set ocs.tier=somewhere
expect 0 "" catalog list --kind ocs
grep -q "ocs-apollo-136" out; say $? "the catalogue has an optical circuit switch"
expect 0 "" train feeds.railyard --slow 'su[1]/srv[3]=1.2' --slow 'su[2]=1.1' --json
grep -q '"iteration_p99_s"' out; say $? "train has percentiles"
expect 2 "must be a selector and a ratio" train feeds.railyard --slow 'su[1]/srv[3]'
expect 2 "matches nothing" train feeds.railyard --slow 'su[9]/srv[3]=1.2'
expect 2 "it matches none" train feeds.railyard --slow 'tier=leaf=1.2'
expect 0 "" new superpod-gb200 -o racks.railyard
"$cli" export racks.railyard --format csv -o racks-flat >/dev/null
tray=$(sed -n 's#^\([^,]*\)/gpu\[1\],.*#\1#p' racks-flat/devices.csv | head -1)
expect 1 "is a tray of the rack" edit racks.railyard --remove "$tray" -o x.railyard
expect 0 "" metrics racks.railyard --fail "$tray"
expect 0 "" heatmap a.railyard --kind traffic --by server --tp 8 --pp 4 -o traffic.csv
[ "$(wc -l <traffic.csv)" = 129 ] && head -1 traffic.csv | grep -q '^sender.receiver,su\[1\]/srv\[1\],'; say $? "traffic has a row for each server"
expect 2 "--against: --kind hb-nic does not use it; it is an option of --kind collective-time" heatmap a.railyard --kind hb-nic --against a.railyard
expect 2 "--op: --kind decision does not use it; .* collective-time, difference, tcp, hb-nic and jobs" heatmap a.railyard --kind decision --op all-reduce
expect 2 "--tp: --kind collective-time does not use it" heatmap a.railyard --kind collective-time --tp 8 --order far
expect 2 "--tp: --pattern all-to-all does not use it; .* --pattern training" heatmap a.railyard --kind link-load --tp 8
expect 2 "--order: --pattern all-to-all does not use it; .* training, ring and rail-ring" loads a.railyard --order far
expect 2 "--model: --pattern incast does not use it" loads a.railyard --pattern incast --model llama3-70b
expect 2 "builds other designs" heatmap a.railyard --kind decision --fail tier=leaf
expect 0 "" heatmap a.railyard --kind decision --seed 3 --gpus 64 --hb-domain-gpus 8
"$cli" loads a.railyard --pattern rail-ring -o near.csv >/dev/null; "$cli" loads a.railyard --pattern rail-ring --order far -o far.csv >/dev/null
! cmp -s near.csv far.csv; say $? "rings follow --order"
printf 'su[1]/srv[1]/gpu[1]\nsu[2]/srv[1]/gpu[1]\nsu[1]/srv[2]/gpu[1]\n' >order.txt
"$cli" loads a.railyard --pattern ring --order order.txt -o listed.csv >/dev/null; [ "$(awk -F, 'NR > 1 && $5 == "host-leaf" && $6 > 0' listed.csv | wc -l)" = 3 ]; say $? "only listed GPUs take part"
expect 2 "one of elaborate, metrics" bench reliability
expect 0 "" bench search --gpus 64 --runs 1
"$cli" bench loads --gpus 256 --runs 3 --json | grep -q '"p95_ms"'; say $? "the engine is measured"
"$cli" heatmap a.railyard --kind collective-time --against a.railyard --op all-to-all --servers 16 --size 1GiB | tr -d '\r' | grep -q '^16,0$'; say $? "no difference to itself"
expect 1 "64 heads" heatmap a.railyard --kind traffic --tp 3
expect 1 "but 1024 are available" heatmap a.railyard --kind traffic --tp 8 --dp 129
expect 2 "one of gpu, server" heatmap a.railyard --kind traffic --by rack
expect 2 "once each" loads a.railyard --pattern training --rank-order tp-tp
expect 0 "" loads a.railyard --pattern training --tp 8 --pp 4 -o training.csv
expect 0 "" loads a.railyard --pattern training --gpus 64 --placement spread -o spread.csv
expect 2 "does not use it" loads a.railyard --gpus 64
expect 0 "" heatmap a.railyard --kind traffic --by server --gpus 64 --placement random --seed 2 -o random.csv
expect 2 "give one number" heatmap a.railyard --kind traffic --gpus 64,128
expect 2 "standard output is for the JSON result" train a.railyard --json --timeline -
expect 1 "ep = 2: .* has no experts" search a.railyard --model llama3-8b --ep 2 --global-batch 128
expect 2 "one of auto, ll" collective a.railyard --protocol tcp
"$cli" collective a.railyard --calibration none --json | grep -q '"latency_s": null'; say $? "without calibration latency is unknown"
expect 3 "traffic.csv:1:1: invalid JSON" collective a.railyard --calibration traffic.csv
expect 3 "" collective a.railyard --calibration no-such-file.json
expect 1 "no constants for it" collective a.railyard --op all-to-all --protocol ll128
"$cli" collective a.railyard --jobs 2 --weights 2,1 --json | grep -c '"slowdown_ratio"' | grep -q '^2$'; say $? "two jobs at once"
expect 1 "whole HB domains" collective a.railyard --jobs 100000
expect 2 "cannot be combined with --ranks" collective a.railyard --jobs 2 --ranks 8
"$cli" collective a.railyard --job 'su[1]=all-to-all@256MiB' --job 'su[2]=all-reduce@1GiB*2' --json | grep -q '"op": "all-to-all"'; say $? "two jobs that differ"
expect 2 "SELECTOR=OP@SIZE" collective a.railyard --job 'su[1]'
expect 2 "is not an operation" collective a.railyard --job 'su[1]=dance@1GiB'
expect 2 "matches no GPU" collective a.railyard --job 'spine[1]=all-reduce@1GiB'
expect 2 "from 0.001 to 1000" collective a.railyard --job 'su[1]=all-reduce@1GiB*-1'
expect 1 "in job 1 and in job 2" collective a.railyard --job 'su[1]=all-reduce@1GiB' --job 'su[1]/srv[2]=all-reduce@1GiB'
expect 2 "3 values for 2 jobs" collective a.railyard --jobs 2 --weights 1,1,1
expect 2 "" collective a.railyard --jobs 2 --weights 0
"$cli" collective a.railyard --storage 'su[1]/srv[1-4]=40GB/s*0.5' --json | grep -q '"concurrent_fraction"'; say $? "storage beside a collective"
expect 2 "SELECTOR=RATE" collective a.railyard --storage 'su[1]/srv[1]'
expect 2 "has no unit" collective a.railyard --storage 'su[1]/srv[1]=40'
expect 2 "matches nothing" collective a.railyard --storage 'disk[1]=40GB/s'
expect 2 "from 0.001 to 1000" collective a.railyard --storage 'su[1]=40GB/s*0'
expect 2 "matches no server with a NIC" collective a.railyard --storage 'spine[1]=40GB/s'
expect 1 "no GPU is available" collective a.railyard --storage '**=40GB/s'
expect 2 "cannot be combined with --ranks" collective a.railyard --storage 'su[1]=40GB/s' --ranks 8
"$cli" collective a.railyard --transport tcp --json | grep -q '"transport": "tcp"'; say $? "TCP"
expect 2 "" collective a.railyard --transport carrier-pigeon
expect 1 "no constants for TCP" collective a.railyard --transport tcp --calibration none
"$cli" heatmap a.railyard --kind collective-time --transport tcp --against rdma --servers 1,128 --size 1GiB --json | grep -q '"title": "all-reduce time over TCP'; say $? "map of TCP against RDMA"
expect 2 "requires --transport tcp" heatmap a.railyard --kind collective-time --against rdma
expect 0 "" collective a.railyard --op all-reduce --size 1GiB --sweep 1KiB:16GiB --json
expect 0 "" bisection a.railyard --fail-links 1% --seed 4 --witness cut.csv --json
[ "$(tail -n +2 cut.csv | wc -l)" = 1024 ]; say $? "the witness has a row for each GPU"
[ "$(grep -c ',a' cut.csv)" = 512 ]; say $? "the witness is balanced"
"$cli" compare a.railyard b.railyard --json >c1.json; "$cli" compare a.railyard b.railyard --json >c2.json
cmp -s c1.json c2.json; say $? "same input, same bytes"
# Training: the breakdown adds up; what does not fit is exit 1 with an answer; what cannot be divided is exit 1 without one.
expect 0 "" train a.railyard --model gpt3-175b --tp 8 --pp 8 --dp 4 --global-batch 64 --json
grep -q '"schema": "railyard.train/1"' out; say $? "train has no schema"
expect 1 "" train a.railyard --model gpt3-175b --tp 8 --pp 1 --dp 16 --global-batch 64 --json
grep -q 'GiB and has' out; say $? "train does not say what does not fit"
expect 0 "" train a.railyard --model llama3-8b --tp 8 --order far --json
expect 2 "use one of them" train a.railyard --model llama3-8b --order far --placement spread --gpus 64
expect 0 "" loads a.railyard --pattern training --tp 8 --sequence-parallel off --overlap-tp bulk --precision fp8 --tokens 1e12 -o training.csv
expect 1 "--tp 7: must divide the 96 heads" train a.railyard --model gpt3-175b --tp 7
expect 1 "--global-batch 65" train a.railyard --model gpt3-175b --tp 8 --pp 4 --dp 4 --global-batch 65
expect 1 "--gpus 4,096: the design has" train a.railyard --gpus 4096
expect 2 "overlap-tp" train a.railyard --overlap-tp some
expect 0 "" train a.railyard --model gpt3-175b --tp 8 --pp 8 --global-batch 64 --timeline passes.csv
[ "$(wc -l <passes.csv)" = 65 ]; say $? "8 stages of 4 micro-batches have $(wc -l <passes.csv) lines"
expect 3 "nowhere" train a.railyard --model gpt3-175b --pp 8 --timeline nowhere/passes.csv
printf '{"jobs": [{"name": "a", "model": "llama3-8b", "gpus": 64, "placement": "spread"}, {"model": "llama3-8b", "gpus": 128}]}' >jobs.json
expect 0 "" train a.railyard --jobs jobs.json --json
grep -q '"worst_slowdown"' out; say $? "train --jobs has no slowdown"
expect 2 "--model: is not used with --jobs" train a.railyard --jobs jobs.json --model llama3-8b
expect 2 "--timeline: is not used with --jobs" train a.railyard --jobs jobs.json --timeline t.csv
printf '{"jobs": [{"gpus": 64},\n {"gpu": 128}]}' >wrong.json
expect 3 "wrong.json:2:.*is not an option" train a.railyard --jobs wrong.json
expect 0 "" infer a.railyard --model mixtral-8x7b --tp 2 --ep 8 --prefill-share 0.3 --traffic flows.csv --over-batch --json
grep -q '"railyard.infer/1"' out; say $? "infer has no schema"
expect 0 "" loads a.railyard --pattern flows.csv -o carried.csv
expect 1 "tp = 7" infer a.railyard --tp 7
expect 1 "" infer a.railyard --model llama3-70b --tp 1
grep -q "more GPUs for a replica" out; say $? "infer does not say what would fit"
expect 3 "nowhere" infer a.railyard --traffic nowhere/flows.csv
expect 0 "" rlhf a.railyard --model llama3-8b --tp 2 --global-batch 1024 --json
grep -q '"resharding"' out; say $? "rlhf has no resharding"
expect 1 "tp = 3" rlhf a.railyard --model llama3-8b --tp 2 --global-batch 1024 --generation-tp 3
# The job of a document gives the figures that `train` gives for the same options.
cp a.railyard job.railyard
expect 0 "" edit job.railyard --set training.model=gpt3-175b --set training.pp=8 --set training.global_batch=64
expect 3 "absent.json" edit job.railyard --set training.model=absent.json
expect 2 "pp = 0: must be a whole number from 1" edit job.railyard --set training.pp=0
# One job a design: every verb has the same one, and says so.
job_says() { # PATTERN VERB...
    local pattern=$1; shift
    "$cli" "$@" >"$work/out" 2>"$work/err"
    tr -d ' \n' <"$work/out" | grep -qE -- "$pattern"; say $? "no /$pattern/ in: $(head -c 300 "$work/out") ($*)"
}
iteration() { tr -d ' \n' | grep -oE '"iteration_s":[0-9.e-]+' | head -1; }
stored_iteration=$("$cli" metrics job.railyard --json | iteration)
[ -n "$stored_iteration" ] && [ "$stored_iteration" = "$("$cli" train job.railyard --json | iteration)" ]; say $? "train has another job than metrics"
"$cli" compare job.railyard job.railyard --train --json | tr -d ' \n' | grep -qF "$stored_iteration"; say $? "compare --train has another job"
[ "$stored_iteration" = "$("$cli" train a.railyard --model gpt3-175b --pp 8 --global-batch 64 --json | iteration)" ]; say $? "the same job, given as options"
job_says '"job_source":"design"' train job.railyard --json
job_says '"pp":4,' train job.railyard --pp 4 --json
job_says '"pp":1,.*"job_source":"defaults"' train job.railyard --model gpt3-175b --json
job_says '"job_source":"design".*"tp":8,"pp":8,' search job.railyard --top 1 --tp 8 --pp 8 --json
job_says '"job_source":"defaults"' search a.railyard --top 1 --tp 8 --pp 8 --json
job_says '"job_source":"design"' loads job.railyard --pattern training --json
job_says 'iterationofgpt3-175b","job_source":"design"' heatmap job.railyard --kind traffic --by su --json -o -
expect 2 "pp: must be a whole number from 1 to 1000000" train a.railyard --pp 0
# Settings of the site.
cp a.railyard site.railyard
expect 0 "" edit site.railyard --set bill.pue=1 --set bill.usd_per_kwh=0.06 --set bill.years=4
job_says '"power":.*"total_w":([0-9.]+),.*"facility_w":\1,' metrics site.railyard --json
"$cli" explain site.railyard power.facility_w | grep -q "site settings of the design"; say $? "explain names the site settings"
expect 2 "pue = 9: must be a number from 1 to 3" edit site.railyard --set bill.pue=9
expect 2 "is not an option of the site; known are pue" edit site.railyard --set bill.price=9
expect 0 "" edit site.railyard --set bill=none
"$cli" metrics site.railyard --json >site.json; "$cli" metrics a.railyard --json >a.json; diff -q site.json a.json >/dev/null; say $? "bill=none restores the usual site"
"$cli" explain job.railyard training.iteration_s --json | grep '"value"' | head -1 | tr -d ' ,' >stored
"$cli" train a.railyard --model gpt3-175b --pp 8 --global-batch 64 --json | grep '"iteration_s"' | tr -d ' ,' | sed 's/iteration_s/value/' >asked
cmp -s stored asked; say $? "the stored job has another time: $(cat stored asked)"
expect 0 "" compare job.railyard a.railyard --json
expect 3 "absent.json" train a.railyard --calibration absent.json
expect 3 "nowhere.txt" train a.railyard --placement nowhere.txt
expect 0 "" search a.railyard --model llama3-8b --global-batch 256 --top 2 --json
grep -q '"space"' out; say $? "search does not state its space"
expect 1 "nothing fits in memory" search a.railyard --model gpt3-175b --gpus 8 --global-batch 8
# Every answer differs from the others in what is printed.
"$cli" search a.railyard --model llama3-8b --global-batch 256 --top 20 >listed
[ "$(grep -E ' per iteration|^  Configuration' listed | sed 's/: .* per iteration.*//' | paste - - | sort -u | wc -l)" = 20 ]; say $? "answers of search look alike"
"$cli" search --help >help.txt
! grep -E -- '--(pp|cp|ep|micro-batch|interleave|recompute|zero|overlap-dp|overlap-tp|offload) ' help.txt | sed 's/INT in \[[^]]*\]//' | grep -q '\['; say $? "search states defaults of train"
expect 1 "gpus = 1024: must be a multiple of tp × pp × cp × ep" search a.railyard --tp 65536 --pp 65536 --cp 65536 --ep 65536
expect 1 "" search a.railyard --tp 65536 --pp 65536 --cp 65536 --ep 65536 --json
grep -q '"reasons": \[$' out; say $? "search --json does not say why there is nothing"
expect 1 "there is no GPU" search a.railyard --objective cost --fail "**/gpu[*]"
expect 1 "64 GPUs, but 32 are available" train a.railyard --gpus 32 --tp 8 --pp 8 --over gpus
for verb in "train a.railyard" "search a.railyard" "loads a.railyard --pattern training" "heatmap a.railyard --kind traffic" "infer a.railyard"; do
    expect 1 "" $verb --tp 65536 --pp 65536 --ep 65536
done
expect 0 "" compare a.railyard b.railyard --train --model llama3-8b --tp 8 --json
grep -q '"training.iteration_s"' out; say $? "compare --train has no difference of the iteration time"
expect 2 "--tp: is used with --train only" compare a.railyard b.railyard --tp 8
expect 2 "--dp: is not searched" search a.railyard --model llama3-8b --dp 4
expect 0 "" compare a.railyard b.railyard -o c.md
expect 0 "" compare a.railyard b.railyard -o c.xlsx
for verb in "metrics a.railyard" "check a.railyard" "bisection a.railyard" "collective a.railyard" "explain a.railyard counts.gpus" recipes "recipes rail-only" "catalog list" version; do
    "$cli" $verb --json >printed.json; "$cli" $verb -o written.json >said
    cmp -s printed.json written.json && [ ! -s said ]; say $? "$verb -o writes what --json prints"
done
expect 0 "" explain a.railyard cost.by_category_usd.switch
grep -q 32870 "$work/out"; say $? "explain shows the price of a switch"
expect 0 "" explain a.railyard collectives.all-to-all@256MiB.time_s --json
expect 2 "counts.switches" explain a.railyard switches
"$cli" export a.railyard --format csv -o flat >/dev/null; grep -E ',gpu,' flat/devices.csv | cut -d, -f1 >near.txt
"$cli" collective a.railyard --json >near.json; "$cli" collective a.railyard --order near.txt --json >listed.json
cmp -s near.json listed.json; say $? "--order FILE that lists all GPUs in the order of the design is near"
expect 2 "GPUs in near.txt" collective a.railyard --order near.txt --ranks 1000000
expect 3 "none.txt" collective a.railyard --order none.txt
printf '# ranks\n\nleaf[1]\n' >bad.txt; head -1 near.txt >>bad.txt; head -1 near.txt >>bad.txt; printf '  su[1]/srv[9999]/gpu[1]\n' >>bad.txt
expect 3 "bad.txt:3:1" collective a.railyard --order bad.txt
expect 3 "bad.txt:5:1: .*is already listed on line 4" collective a.railyard --order bad.txt
expect 3 "bad.txt:6:3" collective a.railyard --order bad.txt
# Edits are all or nothing, and a rack moved by hand shows in the cable list.
expect 0 "" edit a.railyard --set 'tier=leaf.label=DC1-{su}-L{position}' -o labelled.railyard
"$cli" cables labelled.railyard -o labelled.csv; grep -q ',DC1-4-L8,' labelled.csv; say $? "labels are in the cable schedule"
expect 0 "only 8 of 32 labels differ" edit a.railyard --set 'tier=leaf.label=L{position}' -o x.railyard
expect 2 "no racks are placed" edit a.railyard --set 'tier=leaf.label={rack}' -o x.railyard
expect 2 "no racks are placed" cables a.railyard -o x.csv --labels '{a.rack}-{a.u}'
expect 0 "only 48 of [0-9,]+ cable labels differ" cables a.railyard -o x.csv --labels '{z.node}'
expect 0 "" edit a.railyard --disconnect 'su[1]/leaf[1]:3' -o cut.railyard
"$cli" metrics cut.railyard --json | grep -q '"links": 2047,'; say $? "a cable of a recipe is taken away"
expect 1 "has no cable" edit cut.railyard --disconnect 'su[1]/leaf[1]:3'
cp a.railyard e.railyard
printf 'set name=Hall 2\n# a comment\n\n  set racks=auto\nset su[1]/rack[1].place=K03\nset su[2]/leaf[1].rack=net-1\nset su[2]/leaf[1].u=30\n' >edits.txt
expect 0 "" edit e.railyard --script edits.txt --set 'su[1]/leaf[2].label=Sue' --remove 'su[4]/srv[32]' --connect 'su[4]/leaf[1]' 'su[4]/leaf[2]'
expect 1 "no free port" edit e.railyard --connect 'su[1]/leaf[1]' 'su[2]/leaf[2]' --set name=half
grep -q '"name": "Hall 2"' e.railyard; say $? "an edit that fails leaves the file alone"
"$cli" cables e.railyard -o e.csv; grep -q ',K03,1,su\[1\]/srv\[1\]/nic\[1\],' e.csv; say $? "the cable schedule names the rack and the unit"
expect 0 "" edit e.railyard --set 'su[3]/leaf[8].rack=K03' -o label.railyard
grep -q '"su\[3\]/leaf\[8\]": {"rack": "su\[1\]/rack\[1\]"}' label.railyard; say $? "a rack may be called by its tile"
"$cli" export e.railyard --format csv -o placed >/dev/null
grep -q '^su\[2\]/leaf\[1\],switch,leaf,1,1,2,,,sw-qm9700,[A-Z]*[0-9]*,30,' placed/devices.csv; say $? "a device stands where it was put"
printf 'set name=x\nturn left\n\tset bar\nremove x[1]\nset su[1]/leaf[1].u=abc\nset su[1]/rack[1].place=3K\n' >bad.txt
expect 2 "bad.txt:2:1: \"turn\" is not an edit" edit e.railyard --script bad.txt
expect 2 "bad.txt:3:2: set bar" edit e.railyard --script bad.txt
expect 2 "bad.txt:6:1: .*must be a position such as B07" edit e.railyard --script bad.txt
expect 2 "no rack at Z09" edit e.railyard --set 'su[2]/leaf[1].rack=Z09'
expect 2 "no rack \"nonsense\"" edit e.railyard --set nonsense.place=B07
expect 2 "not mounted in a rack" edit e.railyard --set 'su[1]/srv[1]/gpu[1].u=3'
expect 2 "is a server, not a switch" edit e.railyard --set 'su[1]/leaf[1].part=srv-dgx-h100'
expect 2 "only GPUs, NICs and switches have a part of their own" edit e.railyard --set 'su[1]/srv[1].part=srv-dgx-h200'
for bad in --set --remove; do expect 2 "" edit e.railyard $bad ""; done
expect 2 "two ends" edit e.railyard --connect 'spine[1]' ''
expect 2 "position on the drawing" edit e.railyard --set 'su[1]/srv[1].at=1,nan'
expect 0 "" check e.railyard
expect 1 "storage_gbps: sw-qm9700" new superpod-h100 --set storage=on --set storage_gbps=300 -o x.railyard
expect 2 "no edits" edit e.railyard
expect 3 "none.txt" edit e.railyard --script none.txt
expect 0 "" edit a.railyard --set gpus=512 -o g.railyard
expect 0 "" edit g.railyard --set servers=32
expect 0 "" new superpod-h100 --set medium=by-length --set servers=32 -o by-length.railyard
expect 1 "racks=auto" new superpod-h100 --set row_racks=9 -o x.railyard
expect 0 "" bom by-length.railyard -o placed.xlsx
expect 3 "cannot be written" metrics a.railyard -o no/such/folder/m.json
before=$(cksum <a.railyard); "$cli" metrics a.railyard >/dev/null; [ "$before" = "$(cksum <a.railyard)" ]; say $? "opening wrote to the design"
"$cli" metrics a.railyard --json 2>/dev/null | head -c 1 | grep -q '{'; say $? "--json prints only JSON"
[ -z "$(ls ./*.part 2>/dev/null)" ]; say $? "temporary files are left"

# No output replaces an input or another output, whatever links lead to it; `edit` may name its own file.
cp a.railyard input.railyard; ln -s input.railyard soft.railyard; ln input.railyard hard.railyard; mkdir same; cp a.railyard same/links.csv
echo 'input.railyard' >order.txt
before=$(cksum <input.railyard)
for target in input.railyard soft.railyard hard.railyard ./input.railyard; do
    for command in "metrics input.railyard -o" "check input.railyard -o" "bisection input.railyard --witness" "bisection input.railyard -o" "loads input.railyard -o" \
        "collective input.railyard -o" "train input.railyard -o" "train input.railyard --timeline" "search input.railyard --gpus 8 -o" "explain input.railyard counts.gpus -o" \
        "heatmap input.railyard --kind traffic -o" "infer input.railyard -o" "infer input.railyard --traffic" "rlhf input.railyard -o"; do
        "$cli" $command $target >out.txt 2>err.txt; code=$?
        [ $code != 0 ] && [ $code != 1 ] && [ "$before" = "$(cksum <input.railyard)" ]; say $? "$command $target: exit $code, $(head -1 err.txt)"
    done
done
expect 2 "is also an input" metrics input.railyard -o hard.railyard
expect 2 "is also an input" export same/links.csv --format csv -o same
cp ../model.json model.json 2>/dev/null || printf '{"name": "m", "layers": 4, "hidden": 1024, "heads": 8, "kv_heads": 8, "ffn_hidden": 4096, "gated_ffn": false, "vocab": 1000, "vocab_padded": 1024, "sequence_tokens": 512, "tied_embeddings": true, "moe": false}' >model.json
before=$(cksum <model.json)
expect 2 "is also an input" train a.railyard --model model.json --timeline model.json
[ "$before" = "$(cksum <model.json)" ]; say $? "a model file was overwritten"
expect 2 "another output" train a.railyard --timeline both.csv -o both.csv
expect 0 "" edit input.railyard --set name=same -o soft.railyard
printf 'set name=one\rset name=two\r' >mac.txt
expect 0 "" edit input.railyard --script mac.txt
"$cli" metrics input.railyard --json | grep -q '"name": "two"'; say $? "a script with CR line ends is read line by line"

# Text that is not text, prices in use, files that never end, others at the same time.
"$cli" catalog list --kind switch >list.txt; say $? "catalog list with a price book"
grep -q '^sw-qm9700' list.txt; say $? "catalog list names the switch"
printf 'id;base_usd;source\nsw-qm9700;1234;Caf\xe9 M\xfcller\n' >latin1.csv
expect 0 "" catalog import latin1.csv
"$cli" catalog show sw-qm9700 --json | grep -q 'Café Müller'; say $? "Latin-1 of a spreadsheet is converted"
"$cli" catalog list --json >list.json; grep -q own_price list.json; say $? "catalog list shows own prices"
expect 0 "" bom a.railyard -o latin1.json
expect 2 "argument 4 contains the byte 0xE9" edit a.railyard --set "$(printf 'name=Caf\xe9')"
expect 2 "U\+001B" metrics "$(printf 'x\033[31m.railyard')"
printf 'set name=Caf\xe9\n' >latin1.txt
expect 3 "latin1.txt:1:13: contains the byte 0xE9" edit a.railyard --script latin1.txt
printf '{"format": 2, "name": "Caf\xe9"}' >latin1.railyard
expect 3 "latin1.railyard:1:27: contains the byte 0xE9" metrics latin1.railyard
sed 's/"name": "[^"]*"/"name": "a\\u001b[31mb"/' a.railyard >escape.railyard
"$cli" metrics escape.railyard >escape.txt && ! grep -q "$(printf '\033')" escape.txt; say $? "no escape sequence reaches the terminal"
expect 3 "is a device or a named pipe" metrics /dev/zero
mkfifo never
expect 3 "is a device or a named pipe" catalog import never
"$cli" metrics /dev/stdin <a.railyard >/dev/null; say $? "standard input is read"
mkfifo slow; (sleep 3; cat a.railyard) >slow & script -qec "timeout 60 $cli metrics /dev/stdin <slow" typescript >/dev/null </dev/null; wait
grep -q "still working after 2 s; Ctrl+C cancels" typescript; say $? "long work says that it goes on"
truncate -s 300M sparse.railyard
expect 3 "larger than 256 MiB" metrics sparse.railyard
expect 2 'selector "" is empty' metrics a.railyard --fail ''
expect 2 "specify a folder" export a.railyard --format csv -o -
# Two people change a design: what differs, and both together, as git would ask for it.
cp a.railyard ours.railyard; cp a.railyard theirs.railyard
"$cli" edit ours.railyard --set servers=100 >/dev/null; "$cli" edit theirs.railyard --set training.pp=2 --set 'su[1]/leaf[2].label=left' >/dev/null
expect 0 "" diff a.railyard ours.railyard --json
grep -q '"path": "recipe.parameters.servers"' out; say $? "diff does not name the setting"
expect 0 "" diff a.railyard a.railyard
grep -q "The designs are the same" out; say $? "a design differs from itself"
expect 0 "" merge a.railyard ours.railyard theirs.railyard -o both.railyard --json
cp ours.railyard sequence.railyard; "$cli" edit sequence.railyard --set training.pp=2 --set 'su[1]/leaf[2].label=left' >/dev/null
cmp -s both.railyard sequence.railyard; say $? "a merge is not one edit after the other"
"$cli" edit theirs.railyard --set servers=90 >/dev/null
expect 1 "conflict: recipe.parameters.servers: ours \"100\", theirs \"90\"" merge a.railyard ours.railyard theirs.railyard -o ours.railyard
"$cli" metrics ours.railyard --json | grep -q '"servers": 100'; say $? "a conflict keeps ours"
expect 3 "absent.railyard" merge absent.railyard ours.railyard theirs.railyard -o both.railyard
expect 2 "is also an input" merge a.railyard ours.railyard theirs.railyard -o theirs.railyard
if command -v git >/dev/null; then
    (mkdir repository && cd repository && git init -q . && git config user.name t && git config user.email t@t && git config merge.railyard.driver "$cli merge %O %A %B -o %A" &&
        echo '*.railyard merge=railyard' >.gitattributes && cp ../a.railyard d.railyard && git add . && git commit -qm base && git checkout -qb theirs &&
        "$cli" edit d.railyard --set training.pp=2 >/dev/null && git commit -qam theirs && git checkout -q - && "$cli" edit d.railyard --set servers=100 >/dev/null &&
        git commit -qam ours && git merge -q theirs -m merged && grep -q '"pp": "2"' d.railyard && grep -q '"servers": "100"' d.railyard) >git.log 2>&1
    say $? "git cannot merge with it: $(tail -2 git.log)"
fi
# A fabric that was exported comes back: the same devices, links and metrics.
expect 0 "" formats --json
grep -q '"name": "csv"' out; say $? "formats does not list csv"
"$cli" export b.railyard --format csv -o flatb >/dev/null
expect 0 "" import flatb -o again.railyard --json
grep -q '"losses": \[\]' out; say $? "import of our own export has losses: $(head -c 300 out)"
"$cli" export again.railyard --format csv -o flatagain >/dev/null
for f in devices links; do cmp -s <(cut -d, -f1-6 flatb/$f.csv | sort) <(cut -d, -f1-6 flatagain/$f.csv | sort); say $? "$f.csv differs after an import"; done
cmp -s <("$cli" metrics b.railyard --json | sed 1,5d) <("$cli" metrics again.railyard --json | sed 1,5d); say $? "metrics differ after an import"
expect 3 "contains neither devices.csv nor links.csv" import . -o x.railyard
sed -i '3s/gpu/gpa/' flatagain/links.csv
expect 3 "flatagain/links.csv:3:[0-9]+: " import flatagain -o unmade.railyard
[ ! -e unmade.railyard ]; say $? "a failed import leaves a file"
expect 2 "must be one of auto, railyard, carried, csv, prices" import flatb -o x.railyard --format dot
expect 3 "has the content of none of the formats" import out -o x.railyard
expect 2 "use .railyard render" export a.railyard --format png -o x.png
printf 'part_number,base_usd\nMQM9700-NS2F,31000\n' >numbers.csv
expect 0 "" import numbers.csv -o book.csv
grep -q '^sw-qm9700,,,31000' book.csv; say $? "price by part number: $(cat book.csv)"
printf 'part_number,base_usd\nNO-SUCH,31000\n' >numbers.csv
expect 3 "numbers.csv:2:1: the catalogue has no part with the number" import numbers.csv -o book.csv
expect 2 "both write to standard output" import book.csv -o - --json
printf 'Base USD,id\n100,sw-qm9700\n' >named.csv
expect 0 "" import named.csv -o book.csv
# Networks beside the compute fabric, and what a flat fabric cannot state, are losses.
"$cli" new rail-optimized --set servers=40 --set storage=on --set training.pp=2 --set training.zero=2 --set bill.pue=1.2 -o beside.railyard >/dev/null
grep -q '"pue": "1.2"' beside.railyard; say $? "new takes options of the site"
expect 2 "training.pp = none: must be" new rail-optimized --set training.pp=none -o x.railyard
expect 0 "site settings of the design cannot be stated" export beside.railyard --format csv -o beside
expect 0 "storage-devices.csv was not read" import beside -o beside2.railyard
(cd beside && "$cli" import devices.csv -o ../beside3.railyard 2>&1 | grep -q "storage-devices.csv was not read"); say $? "a file in the folder where one stands"
# One job a design: options that are not given are the design's, and the answer says so.
for verb in "train" "search --top 1" "rlhf" "loads --pattern training" "heatmap --kind link-load --pattern training"; do
    expect 0 "" $verb beside.railyard --tp 8 --pp 1 --json
    grep -q '"job_source": "design"' out; say $? "$verb does not say whose job it is"
done
for zero in --tp --dp --gpus; do expect 2 "must be a whole number from 1 to" train beside.railyard $zero 0; done
"$cli" edit beside.railyard --set training.gpus=320 >/dev/null
expect 1 "the training job of the design needs 320 GPUs" train beside.railyard --fail 'su[1]/srv[1]'
expect 1 "beside.railyard: the job needs tp 8 × pp 2" compare a.railyard beside.railyard --train --tp 8 --dp 900
expect 2 "bill.pue = 0.5: must be a number from 1 to 3" edit beside.railyard --set bill.pue=0.5
expect 0 "" metrics beside.railyard --fail tier=spine
grep -q "by design" out && say 1 "failures are called a design: $(grep 'by design' out)"
[ ! -e ./- ]; say $? "no folder named -"
expect 2 "not a whole number from 0 to 9223372036854775807" loads a.railyard --seed 99999999999999999999
expect 2 "exchange rate" bom a.railyard --currency EUR=1e308 -o x.csv
expect 2 "at most 100 on each axis" heatmap a.railyard --kind collective-time --servers "$(seq -s, 1 101)"
cp a.railyard protected.railyard; chmod 444 protected.railyard
expect 3 "write-protected" edit protected.railyard --set name=x
cp a.railyard together.railyard
for i in $(seq 12); do
    "$cli" edit together.railyard --set "su[1]/leaf[$(((i % 4) + 1))].label=$i" >/dev/null & "$cli" edit together.railyard --set "su[1]/srv[$i].label=s$i" >/dev/null &
done
for i in $(seq 12); do printf 'id,base_usd\nmade-up-%d,5\n' "$i" >"book$i.csv"; "$cli" catalog import "book$i.csv" >/dev/null 2>&1 & done
wait
[ "$(grep -c '"label": "s[0-9]*"' together.railyard)" = 12 ]; say $? "edits at the same time are all kept"
[ "$(grep -c '^made-up-' "$RAILYARD_PRICE_BOOK")" = 12 ]; say $? "imports at the same time are all kept"
cp "$RAILYARD_PRICE_BOOK" whole.csv; echo "id,nonsense" >"$RAILYARD_PRICE_BOOK"
expect 0 "" version
expect 0 "" bisection a.railyard
expect 0 "" heatmap a.railyard --kind traffic -o maps.csv
expect 3 "unknown column" heatmap a.railyard --kind decision -o maps.csv
expect 3 "unknown column" metrics a.railyard
expect 3 "unknown column" catalog import prices.csv # nothing is overwritten
cp whole.csv "$RAILYARD_PRICE_BOOK"
env -u HOME -u XDG_DATA_HOME -u APPDATA -u RAILYARD_PRICE_BOOK "$cli" version >/dev/null; say $? "without HOME"
[ ! -e /.local ]; say $? "no price book in the root folder"
# Every example of the manual, in its order, but for the one that needs a reader's own prices and the measurement of this machine.
# Decisions by other objectives
expect 0 "" heatmap b.railyard --kind decision --x gpus=512..2048 --y hb-domain=8,16 --objective network-cost --json
grep -q '"schema": "railyard.decision/1"' "$work/out"; say $? "a decision by cost: $(head -c 200 "$work/out")"
expect 0 "" heatmap b.railyard --kind decision --x gpus=512,1024 --objective step-time --model llama3-8b --y hb-domain=8
grep -q "^8,rail-" "$work/out"; say $? "a decision by step time: $(cat "$work/out")"
expect 2 "--tp: is used with --objective step-time" heatmap b.railyard --kind decision --tp 8
expect 2 "--y colour=1: must be" heatmap b.railyard --kind decision --y colour=1
expect 2 "--kinds: needs at least two" heatmap b.railyard --kind decision --kinds rail-only
expect 2 "--gpus and --hb-domain-gpus" heatmap b.railyard --kind decision --gpus 512 --objective switches
# Candidates
expect 0 "" bom a.railyard -o customer.csv --copy customer
! grep -qi "price\|usd\|cost" customer.csv && [ "$(wc -l <customer.csv)" -gt 4 ]; say $? "a customer's bill has prices: $(grep -i "price\|usd\|cost" customer.csv | head -3)"
expect 2 "copy" bom a.railyard -o customer.csv --copy nobody
expect 0 "" bom a.railyard -o carried.xlsx
expect 0 "" metrics carried.xlsx --json; cp "$work/out" carried.json; expect 0 "" metrics a.railyard --json
cmp -s "$work/out" carried.json; say $? "a workbook does not carry its design"
expect 2 "name the design to write with -o" edit carried.xlsx --set servers=64
expect 0 "" bom a.railyard -o customer.xlsx --copy customer
expect 3 "carries no design" metrics customer.xlsx
expect 0 "" candidates --gpus 2048 --server srv-dgx-b200 -o found
[ "$(ls found/*.railyard | wc -l)" -ge 3 ]; say $? "candidates writes fewer than three designs: $(ls found)"
expect 0 "" check "$(ls found/rail-only*.railyard | head -1)" --severity error
expect 0 "" candidates --gpus 512 --set training.tp=3
grep -q '^  no step time: tp = 3: must divide the 64 heads' "$work/out"; say $? "candidates do not say why they have no step time: $(head -c 400 "$work/out")"
expect 0 "" candidates --gpus 16 --model llama3-405b --server srv-dgx-a100-320
grep -q '^  no step time: the fullest GPU needs ' "$work/out"; say $? "candidates do not say that the model does not fit: $(head -c 400 "$work/out")"
expect 1 "" candidates --gpus 2048 --budget 10k --json
grep -q '"requirement": "budget"' "$work/out"; say $? "candidates does not name the budget: $(head -c 300 "$work/out")"
expect 2 "a size is missing" candidates
expect 0 "" candidates --gpus 64 --model model.json --json
grep -q '"iteration_s": [0-9]' "$work/out"; say $? "candidates with a model file have no step time"
expect 3 "absent.json" candidates --gpus 64 --model absent.json
expect 2 "use one of them" candidates --gpus 64 --model llama3-8b --set training.model=llama3-70b
expect 2 "--order far: a decision map" heatmap a.railyard --kind decision --objective step-time --order far
expect 2 "--order far: a decision map" heatmap a.railyard --kind decision --order far
expect 2 "--slow: names servers of one fabric" heatmap a.railyard --kind decision --objective step-time --slow "su[1]/srv[1]=2"
expect 2 "--placement absent: a decision map" heatmap a.railyard --kind decision --objective step-time --placement absent
expect 0 "" candidates --set training.model=llama3-8b --days 30
expect 2 "has all its GPUs" candidates --gpus 64 --set training.gpus=32
expect 0 "" candidates --gpus 64 --set training.model=llama3-8b --json
cp "$work/out" "$work/set"
expect 0 "" candidates --gpus 64 --model llama3-8b --json
cmp -s "$work/out" "$work/set"; say $? "candidates --set training.model is not --model"
expect 0 "" candidates --gpus 128 -o found --json
grep -q "found also holds [0-9]* design" "$work/err"; say $? "candidates takes designs of before for its own: $(head -c 300 "$work/err")"
expect 2 "--gpus 0: must be" candidates --gpus 0
expect 2 "--power 4 apples: must be" candidates --power "4 apples"
expect 2 "--budget -5: must be" candidates --budget=-5
expect 2 "--server srv-x: is no server" candidates --gpus 64 --server srv-x
expect 2 "needs a model" candidates --days 10
expect 0 "" candidates --gpus 2048 --vendor arista --json
grep -q '"switch": "sw-' "$work/out"; say $? "candidates of a vendor state no switch: $(head -c 600 "$work/out")"
expect 2 "the catalogue has switches of Alibaba, Arista" candidates --gpus 2048 --vendor nobody
expect 1 "" candidates --gpus 1024 --server srv-dgx-b300 --link-gbps 400 --json
grep -q '"requirement": "link"' "$work/out"; say $? "candidates does not name the speed of links: $(head -c 300 "$work/out")"
expect 1 "" candidates --gpus 2048 --interval-h 1000 --json
grep -q '"requirement": "interval"' "$work/out"; say $? "candidates does not name the interval: $(head -c 300 "$work/out")"
expect 0 "" candidates --gpus 2048 --oversubscription 1:1
! grep -q "2:1" "$work/out"; say $? "candidates exceeds the oversubscription: $(cat "$work/out")"
expect 2 "must be a ratio" candidates --gpus 2048 --oversubscription 2:x
expect 2 "unknown parameter" candidates --gpus 2048 --set stoarge=on
expect 2 "expected KEY=VALUE" candidates --gpus 2048 --set storage
expect 0 "" candidates --gpus 2048 --set manager_ports=2
grep -q "2,040 GPUs save a tier" "$work/out"; say $? "candidates crosses a tier without a word: $(cat "$work/out")"
expect 0 "" candidates --model llama3-405b --days 60 --server srv-dgx-b200
grep -q "GPUs" "$work/out"; say $? "candidates finds no size for a model that has to be divided: $(cat "$work/out")"
# Sweeps
cp "$source/samples/sweep.json" .
expect 0 "" sweep plan sweep.json -o swept --engine slurm
grep -q "16 points in 1 shard" "$work/out"; say $? "sweep plan does not say how much it is: $(cat "$work/out")"
grep -q -- "--dependency=afterany" swept/railyard.sbatch && [ "$(wc -l <swept/joblist)" = 1 ]; say $? "sweep plan writes no job files"
expect 1 "missing point [0-9a-f]{16}: gpus=512 recipe=rail-optimized hb_domain_gpus=8" sweep merge swept -o swept.csv
[ ! -e swept.csv ]; say $? "an incomplete sweep was merged"
expect 0 "" sweep run swept --shard 1/3
expect 0 "" sweep run swept --shard 3/3 --json
expect 1 "missing shards: 2/3" sweep merge swept -o swept.csv
expect 0 "" sweep run swept --engine local
expect 0 "" sweep merge swept -o swept.csv
expect 0 "" sweep merge swept -o swept.json --json
head -1 swept.csv | grep -q "^point,gpus,recipe,hb_domain_gpus,counts.switches,cost.network_usd,bisection.server.fraction_of_injection,collective.all-to-all@256MiB.op,.*,error"; say $? "columns of a sweep: $(head -1 swept.csv)"
[ "$(wc -l <swept.csv)" = 17 ]; say $? "rows of a sweep"
expect 2 "--shard 4/3: must be I/N" sweep run swept --shard 4/3
expect 2 "--shard : must be I/N" sweep run swept --shard "" # a variable that is not set
expect 2 "-o - and --json both" sweep merge swept -o - --json
expect 2 "-o -: a sweep has several files" sweep plan spec.json -o -
cp -r swept piped; rm piped/parts/*; mkfifo piped/parts/part-1-of-1.jsonl
expect 3 "is no regular file" sweep run piped
expect 2 "is written as .csv or .json" sweep merge swept -o swept.pdf
expect 3 "manifest.json" sweep run nowhere
expect 3 "sweep.jsom" sweep plan sweep.jsom -o x
sed 's/gpus/gpsu/' sweep.json >wrong.json
expect 3 "wrong.json:4:13: .axes.gpsu. is no parameter" sweep plan wrong.json -o x
sed 's/512, //; s/, 2048, 4096//' sweep.json >other.json
expect 1 "holds another sweep" sweep plan other.json -o swept
mkdir manual; cd manual
cp "$source/samples/sweep.json" .
ln -s "$cli" railyard-cli
while read -r line; do
    PATH="$PWD:$PATH" bash -c "$line" >out 2>err; say $? "the manual's example fails: $line: $(head -c 200 err)"
done < <(sed -n '/^```sh/,/^```/p' "$source/docs/manual/command_line.md" | grep '^railyard-cli' | grep -vE 'my-prices.csv|railyard-cli bench')
echo "Totals: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
