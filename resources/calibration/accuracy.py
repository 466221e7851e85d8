#!/usr/bin/env python3
"""How far estimates are from measurements: n, mean, 90th percentile and worst error, share inside the interval, median width of it.

    accuracy.py RAILYARD_CLI --training RUNS.csv [--rows]

Columns of RUNS.csv: id, system (H100, B200, B300, GB200, GB300), gpus, model, precision, sequence_tokens, global_batch, micro_batch, tp, pp,
interleave, cp, ep, zero, step_s. Each row is asked as a person would ask it; none is treated apart. The error is estimate / measured - 1.
"""
import argparse
import collections
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

PRESETS = {"H100": "superpod-h100", "H200": "superpod-h100", "B200": "superpod-b200", "B300": "superpod-b300", "GB200": "superpod-gb200",
           "GB300": "superpod-gb300"}
OTHER = {"H200": {"server": "srv-dgx-h200"}, "A100": {"server": "srv-dgx-a100-640"}}
PRECISIONS = {"mxfp8": "fp8", "nvfp4": "fp4"}


class Runner:
    def __init__(self, program, folder):
        self.program, self.folder, self.designs, self.models = program, folder, {}, {}

    def call(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True)
        if done.stdout.strip():
            return json.loads(done.stdout), done.stderr
        return None, done.stderr.strip()

    def design(self, system, gpus):
        """The smallest of the preset that holds the job; of a rack of 72 GPUs a job takes 64."""
        rack = system.startswith("GB")
        servers = -(-gpus // 64) * 18 if rack else -(-gpus // 8)
        key = (system, servers)
        if key not in self.designs:
            path = os.path.join(self.folder, f"{system}-{servers}.railyard")
            settings = {"servers": servers, **OTHER.get(system, {})}
            subprocess.run([self.program, "new", PRESETS.get(system, "rail-optimized"), "-o", path,
                            *sum((["--set", f"{k}={v}"] for k, v in settings.items()), [])], check=True, capture_output=True)
            self.designs[key] = path
        return self.designs[key]

    def model(self, name, sequence):
        """The shipped model with this sequence length, as a file."""
        key = (name, sequence)
        if key not in self.models:
            with open(os.path.join(os.path.dirname(__file__), "..", "models", "models.json")) as file:
                model = next(m for m in json.load(file)["models"] if m["id"] == name)
            model["sequence_tokens"] = sequence
            path = os.path.join(self.folder, f"{name}-{sequence}.json")
            with open(path, "w") as file:
                json.dump(model, file)
            self.models[key] = path
        return self.models[key]


def train(run, row):
    gpus, precision = int(row["gpus"]), row["precision"]
    arguments = ["train", run.design(row["system"], gpus), "--json", "--model", run.model(row["model"], int(row["sequence_tokens"])),
                 "--gpus", gpus, "--precision", PRECISIONS.get(precision, precision)]
    for key in ("tp", "pp", "cp", "ep", "micro_batch", "global_batch", "interleave", "zero"):
        if row.get(key):
            arguments += ["--" + key.replace("_", "-"), row[key]]
    if int(row["tp"] or 1) > 1:
        arguments += ["--overlap-tp", "pipeline"]
    answer, problem = run.call(*arguments)
    if not answer or "iteration_s" not in answer:
        return None, problem
    return (answer["iteration_s"], answer["iteration_low_s"], answer["iteration_high_s"], float(row["step_s"])), ""


def table(title, found, key):
    groups = collections.defaultdict(list)
    for row, numbers in found:
        for name in ("all", *key(row)):
            groups[name].append(numbers)
    print(f"\n{title}\n{'set':<34}{'n':>5}{'mean':>8}{'signed':>8}{'90 %':>8}{'worst':>8}{'inside':>8}{'width':>7}")
    for name, all_of in sorted(groups.items(), key=lambda item: (item[0] != "all", item[0])):
        errors = [e / m - 1 for e, _, _, m in all_of]
        sizes = sorted(abs(e) for e in errors)
        inside = sum(low <= m <= high for _, low, high, m in all_of) / len(all_of)
        width = statistics.median(high / low for _, low, high, _ in all_of)
        print(f"{name:<34}{len(errors):>5}{statistics.mean(sizes):>8.1%}{statistics.mean(errors):>+8.1%}"
              f"{sizes[int(0.9 * (len(sizes) - 1))]:>8.1%}{max(errors, key=abs):>+8.1%}{inside:>8.0%}{width:>7.2f}")


def intervals(found, shipped):
    """Of each kind of machine, dense and with experts: between which ratios of measurement to estimate 95 % of the runs lie, leaving out one
    model after the other so that no model alone sets them (the median of the ends), and the interval that the calibration has."""
    kinds = {"H100": "h100-sxm5-80", "H200": "h200-sxm-141", "B200": "b200-sxm-180", "B300": "b200-sxm-180", "GB200": "gb200-gpu", "GB300": "gb200-gpu"}
    groups = collections.defaultdict(list)
    for row, (estimate, _, _, measured) in found:
        groups[kinds.get(row["system"], row["system"]), int(row["ep"] or 1) > 1].append((row["model"], measured / estimate))
    print(f"\nmeasured / estimated\n{'kind':<34}{'n':>5}{'2.5 %':>8}{'97.5 %':>8}{'file':>14}")
    for (gpu, experts), runs in sorted(groups.items()):
        ends = []
        for left_out in {model for model, _ in runs}:
            kept = sorted(ratio for model, ratio in runs if model != left_out)
            if kept:
                ends.append((kept[int(0.025 * (len(kept) - 1))], kept[-1 - int(0.025 * (len(kept) - 1))]))
        entry = next((g for g in shipped["generations"] if gpu in g.get("gpus", [])), None)
        of = entry.get("experts", entry) if entry and experts else entry
        has = f"{of['time_low_ratio']:.2f} to {of['time_high_ratio']:.2f}" if of else "-"
        low, high = (statistics.median(end[i] for end in ends) if ends else float("nan") for i in (0, 1))
        print(f"{gpu + (', experts' if experts else ''):<34}{len(runs):>5}{low:>8.2f}{high:>8.2f}{has:>14}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--training", action="append", default=[])
    parser.add_argument("--rows", action="store_true", help="every row too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Runner(os.path.abspath(options.program), folder)
        for path in options.training:
            found, refused = [], []
            with open(path) as file:
                for row in csv.DictReader(file):
                    numbers, problem = train(run, row)
                    if numbers:
                        found.append((row, numbers))
                    else:
                        refused.append((row["id"], problem))
                    if options.rows and numbers:
                        print(f"{row['id']:<6}{row['system']:<7}{row['model']:<18}{row['precision']:<7}{row['gpus']:>5} GPUs  tp {row['tp']} pp {row['pp']} "
                              f"cp {row['cp']} ep {row['ep']} vp {row['interleave']:<3} measured {numbers[3]:8.3f}  estimate {numbers[0]:8.3f} {numbers[0] / numbers[3] - 1:+7.1%}")
            if found:
                table(os.path.basename(path), found, lambda row: (row["system"], f"{row['system']} {row['precision']}", row["model"]))
                with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "training.json")) as file:
                    intervals(found, json.load(file))
            for name, problem in refused:
                print(f"refused {name}: {problem[:200]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
