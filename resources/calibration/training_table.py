#!/usr/bin/env python3
"""Prints the error of every measured training run, by the program itself.

    resources/calibration/training_table.py RUNS.csv --cli build/release/bin/railyard-cli [--calibration FILE] [--vtrain FILE]

RUNS.csv has the columns of tests/data/published/training.csv: 8 GPUs of the type A100 80 GB a server, with NICs of 200 Gb/s. `used` says
whether the constants were fitted to a run, `calculon_s` what Calculon's own validation (calculon llm-validation) gives for it. --vtrain reads the table ground_truth_multi.csv of vTrain instead (4 NICs a server, full
recomputation, no interleaving).
"""
import argparse
import concurrent.futures
import csv
import json
import os
import statistics
import subprocess
import tempfile


def rows_of(path, vtrain):
    with open(path) as file:
        for row in csv.DictReader(file):
            if vtrain:
                row = dict(id="{parameters_billion}B tp{tp} pp{pp} dp{dp} mb{micro_batch_sequences}".format(**row), layers=row["layers"], hidden=row["hidden"],
                           heads=row["heads"], vocab=50257, sequence_tokens=row["sequence_tokens"], nics_per_server=4, tp=row["tp"], pp=row["pp"], dp=row["dp"],
                           interleave=1, micro_batch=row["micro_batch_sequences"], global_batch=row["global_batch_sequences"], recompute="full",
                           sequence_parallel="off", iteration_s=float(row["iteration_time_ms"]) / 1e3, used="apart", group=(row["parameters_billion"], row["gpus"]))
            yield row


class Engine:
    def __init__(self, cli, folder, calibration):
        self.cli, self.folder, self.calibration = cli, folder, calibration

    def run(self, *words):
        done = subprocess.run([self.cli, *map(str, words)], capture_output=True, text=True)
        if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stdout):
            raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
        return done.stdout

    def design(self, servers, nics):
        path = os.path.join(self.folder, f"{servers}-{nics}.railyard")
        if not os.path.exists(path):
            self.run("new", "rail-optimized", "--set", f"servers={servers}", "--set", "server=srv-dgx-a100-640", "--set", f"nics_per_server={nics}",
                     "--set", "switch=sw-qm8700", "-o", path)
        return path

    def model(self, row):
        step = 128 * int(row["tp"])
        padded = -(-int(row["vocab"]) // step) * step
        name = f"{row['layers']}-{row['hidden']}-{row['heads']}-{padded}.json"
        path = os.path.join(self.folder, name)
        hidden = int(row["hidden"])
        with open(path + row["id"].replace(" ", "_").replace("/", "_"), "w") as file:
            json.dump({"name": name, "layers": int(row["layers"]), "hidden": hidden, "heads": int(row["heads"]), "kv_heads": int(row["heads"]), "ffn_hidden": 4 * hidden,
                       "gated_ffn": False, "vocab": padded, "sequence_tokens": int(row["sequence_tokens"]), "tied_embeddings": True, "moe": False}, file)
        os.replace(file.name, path)
        return path

    def estimate(self, row):
        gpus = int(row["tp"]) * int(row["pp"]) * int(row["dp"])
        words = ["train", self.design(-(-gpus // 8), row["nics_per_server"]), "--model", self.model(row), "--zero", 0, "--overlap-dp", "off",
                 "--attention", "unfused"]  # as the published runs
        for option, key in (("--tp", "tp"), ("--pp", "pp"), ("--dp", "dp"), ("--interleave", "interleave"), ("--micro-batch", "micro_batch"),
                            ("--global-batch", "global_batch"), ("--recompute", "recompute"), ("--sequence-parallel", "sequence_parallel")):
            words += [option, row[key]]
        if self.calibration:
            words += ["--calibration", self.calibration]
        return json.loads(self.run(*words, "--json"))


def ranks_of(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0] * len(values)
    for rank, i in enumerate(order):
        ranks[i] = rank
    return ranks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs")
    parser.add_argument("--cli", required=True)
    parser.add_argument("--calibration")
    parser.add_argument("--vtrain", action="store_true")
    asked = parser.parse_args()
    rows = list(rows_of(asked.runs, asked.vtrain))
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(asked.cli, folder, asked.calibration)
        for row in rows:  # designs and models once, before several processes read them
            engine.design(-(-int(row["tp"]) * int(row["pp"]) * int(row["dp"]) // 8), row["nics_per_server"])
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(engine.estimate, rows))
    errors, inside = {}, 0
    print(f"{'run':<28}{'measured':>10}{'estimate':>10}{'error':>9}{'Calculon':>10}  interval")
    for row, answer in zip(rows, found):
        measured, time = float(row["iteration_s"]), answer["iteration_s"]
        error = time / measured - 1
        errors.setdefault(row["used"], []).append(abs(error))
        inside += answer["iteration_low_s"] <= measured <= answer["iteration_high_s"]
        other = float(row["calculon_s"]) / measured - 1 if row.get("calculon_s") else None
        print(f"{row['id']:<28}{measured:>10.3f}{time:>10.3f}{error:>+9.1%}{'' if other is None else f'{other:+.1%}':>10}  {answer['iteration_low_s']:.2f} to {answer['iteration_high_s']:.2f}  {row['used']}")
    for used, all_of in errors.items():
        print(f"{used}: mean {statistics.mean(all_of):.1%}, worst {max(all_of):.1%}, {len(all_of)} runs")
    print(f"inside the interval: {inside} of {len(rows)}")
    if asked.vtrain:
        for group in sorted({row["group"] for row in rows}):
            own = [i for i, row in enumerate(rows) if row["group"] == group]
            a, b = ranks_of([float(rows[i]["iteration_s"]) for i in own]), ranks_of([found[i]["iteration_s"] for i in own])
            n = len(own)
            print(f"rank correlation of {group[0]} B on {group[1]} GPUs: {1 - 6 * sum((x - y) ** 2 for x, y in zip(a, b)) / (n * (n * n - 1)):.2f}")


if __name__ == "__main__":
    main()
