#!/usr/bin/env bash
# A sweep on Slurm: a job array on this machine, one of whose tasks is killed. Usage: slurm.sh CLI
# munged, slurmctld and slurmd run in a folder of their own on the loopback interface, as whoever runs this.
set -u
cli=$1
for program in munged slurmctld slurmd sbatch squeue; do
    PATH="$PATH:/usr/sbin:/sbin" command -v $program >/dev/null && continue
    echo "SKIP   : Slurm: $program is not installed"
    echo "Totals: 0 passed, 0 failed, 1 skipped"
    exit 0
done
export PATH="$PATH:/usr/sbin:/sbin"
work=$(mktemp -d -t slurm.XXXXXX) # short: the path of a socket has at most 108 bytes
chmod 755 "$work"                            # munged refuses a socket in a folder that others cannot enter
passed=0 failed=0
say() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi; }
ours() { # the processes that name the folder, but for this one
    local each
    for each in /proc/[0-9]*; do
        [ "${each#/proc/}" != $$ ] && cat "$each/cmdline" 2>/dev/null | tr '\0' ' ' | grep -q "$work" && echo "${each#/proc/}"
    done
}
end() {
    local try
    kill $(ours) 2>/dev/null
    for try in $(seq 20); do [ -z "$(ours)" ] && break; sleep 0.2; done
    kill -9 $(ours) 2>/dev/null
}
trap 'end; rm -rf "$work"' EXIT

# A port that nobody listens to.
port=$((20000 + $$ % 20000))
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || (exec 3<>"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null; do port=$((port + 2)); done
host=$(hostname -s)
mkdir -p "$work/state" "$work/spool" "$work/munge"
chmod 755 "$work/munge"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
cat >"$work/slurm.conf" <<EOF
ClusterName=railyard
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SelectType=select/cons_res
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF="$work/slurm.conf"
munged --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed" \
    --force >"$work/munge/said" 2>&1
slurmctld -f "$work/slurm.conf" >"$work/slurmctld.said" 2>&1
slurmd -f "$work/slurm.conf" -N "$host" >"$work/slurmd.said" 2>&1
# The daemons end with exit code 0 before they have started in the background.
for try in $(seq 100); do [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break; sleep 0.2; done
if [ "$(sinfo -h -o %T 2>/dev/null)" != idle ]; then
    tail -5 "$work"/*.said "$work"/*.log "$work"/munge/said 2>/dev/null
    echo "FAIL: Slurm does not start"
    echo "Totals: 0 passed, 1 failed, 0 skipped"
    exit 1
fi

cd "$work"
export RAILYARD_PRICE_BOOK="$work/books/own.csv" # not the one of whoever runs this
cat >spec.json <<'EOF'
{"base": "rail-optimized", "axes": {"servers": [16, 32, 64, 128, 256, 512], "recipe": ["rail-optimized", "rail-only"], "hb_domain_gpus": [8, 16, 32]},
 "evaluate": ["counts", "cost", "bisection", "collective all-to-all@256MiB"]}
EOF
"$cli" sweep plan spec.json -o local >/dev/null && "$cli" sweep run local >/dev/null && "$cli" sweep merge local -o expected.csv >/dev/null; say $? "the sweep on this machine"
# A slow program in place of railyard-cli for one shard, so that it can be killed in the middle.
cat >slow <<EOF
#!/bin/bash
case " \$* " in *" 3/6 "*) [ -e "$work/fast" ] || { touch "$work/slow-runs"; sleep 60 & wait; };; esac
exec "$cli" "\$@"
EOF
chmod +x slow
"$cli" sweep plan spec.json -o my\ sweep --engine slurm --shards 6 >/dev/null; say $? "sweep plan --engine slurm"
sed -i "s#exec '[^']*railyard-cli' sweep run#exec '$work/slow' sweep run#" my\ sweep/railyard.sbatch
parts() { ls my\ sweep/parts/part-*-of-6.jsonl 2>/dev/null | wc -l; }
sbatch my\ sweep/railyard.sbatch >submitted 2>&1; say $? "sbatch: $(cat submitted)"
for try in $(seq 300); do [ "$(parts)" = 5 ] && [ -e slow-runs ] && break; sleep 0.2; done
[ "$(parts)" = 5 ]; say $? "five of six shards are done: $(ls my\ sweep/parts); $(squeue 2>&1); $(tail -qn 3 my\ sweep/logs/*)"
kill -9 $(pgrep -f "$work/slow sweep run") 2>/dev/null
sleep 1
scancel -u "$(id -un)" 2>/dev/null # a task that was killed may count as running for ever, and its merge waits
for try in $(seq 100); do [ -z "$(squeue -h)" ] && break; sleep 0.2; done
"$cli" sweep merge my\ sweep -o shared.csv 2>merged; [ $? = 1 ]; say $? "merge of an incomplete sweep"
grep -q "missing shards: 3/6" merged; say $? "merge names the missing shard: $(cat merged)"
[ "$(grep -c "missing point" merged)" = 6 ]; say $? "merge names the missing points"
[ ! -e shared.csv ]; say $? "merge wrote an incomplete table"
before=$(stat -c '%n %i %Y' my\ sweep/parts/part-[124-6]-of-6.jsonl)
touch fast
sbatch --array=3 my\ sweep/railyard.sbatch >submitted 2>&1; say $? "sbatch of the missing shard: $(cat submitted)"
for try in $(seq 300); do [ -e my\ sweep/results.csv ] && [ -z "$(squeue -h)" ] && break; sleep 0.2; done
[ -e my\ sweep/results.csv ]; say $? "the merge that the array submits: $(squeue 2>&1); $(tail -qn 3 my\ sweep/logs/*)"
cmp -s expected.csv my\ sweep/results.csv; say $? "the table of Slurm differs from that of this machine"
[ "$before" = "$(stat -c '%n %i %Y' my\ sweep/parts/part-[124-6]-of-6.jsonl)" ]; say $? "shards that were done were written again"
end
[ -z "$(ours)" ]; say $? "processes are left: $(ours)"
echo "Totals: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
