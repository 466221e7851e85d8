#!/usr/bin/env python3
"""Fits what NCCL does not publish to measured collectives, and prints every error.

    resources/calibration/refit.py MEASURED.csv --cli build/release/bin/railyard-cli [--write] [--cross-validate]

MEASURED.csv has the columns series, server_part, servers, nics_per_server, nic_gbps, operation, algorithm, protocol, size,
busbw_gbytes_s and note. Series whose name or note says EFA or "Ethernet transport of a cloud" run over `--transport efa`. Every
figure comes from `railyard-cli collective --calibration FILE`, so what is fitted is the program itself. The fit has the least mean
absolute logarithm of estimate / measured, one constant after the other, each over the points that it concerns. Ranges are the same
multiples of every constant of a kind (RANGES), wide enough that points of a series that was left out of the fit lie inside.
With --write the fitted constants replace those in collectives.json beside this script.
"""
import argparse
import concurrent.futures
import copy
import csv
import json
import math
import os
import re
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "collectives.json")
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
# Low and high as multiples of the base. Shares never exceed 1.
RANGES = {"share": (0.94, 1.05), "network share": (0.92, 1.05), "exchange share": (0.92, 1.07), "overhead": (0.3, 2.0), "growth": (0.3, 2.2), "hop": (0.5, 1.6),
          "exponent": (1.0, 1.0)}


class Engine:
    """Times by the program, with the constants of `data`."""

    def __init__(self, cli, folder):
        self.cli, self.folder, self.designs, self.known = cli, folder, {}, {}

    def design(self, settings):
        if settings not in self.designs:
            path = os.path.join(self.folder, f"design{len(self.designs)}.railyard")
            command = [self.cli, "new", "rail-optimized", "-o", path]
            for name, value in settings:
                command += ["--set", f"{name}={value}"]
            subprocess.run(command, check=True, capture_output=True)
            self.designs[settings] = path
        return self.designs[settings]

    def seconds(self, data, points):
        """(base, low, high) of each point."""
        text = json.dumps(data)
        name = os.path.join(self.folder, f"calibration{abs(hash(text))}.json")
        missing = [p for p in points if (text, p["name"]) not in self.known]
        if missing:
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)

            def ask(point):
                command = [self.cli, "collective", point["file"], "--calibration", name, "--op", point["operation"], "--json", "--size",
                           point["size"], "--algorithm", point["algorithm"], "--protocol", point["protocol"], "--transport",
                           point["transport"], "--launch-us", str(point["launch_us"])]
                answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                return answer["time_s"], answer["time_low_s"], answer["time_high_s"]

            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                for point, times in zip(missing, pool.map(ask, missing)):
                    self.known[text, point["name"]] = times
            os.remove(name)
        return [self.known[text, p["name"]] for p in points]


def points_of(path, engine):
    points = []
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            servers = int(row["servers"])
            settings = (("servers", row["servers"]), ("server", row["server_part"]), ("nics_per_server", row["nics_per_server"]),
                        ("nic_gbps", row["nic_gbps"]))
            design = engine.design(settings)
            with open(design, encoding="utf-8") as text:
                ranks = servers * int(re.search(r'"slug": "gpu".*?"count": (\d+)', text.read()).group(1))
            size = int(row["size"][:-3]) * UNITS[row["size"][-3:]]
            factor = (2 if row["operation"] == "all-reduce" else 1) * (ranks - 1) / ranks
            is_cloud = "EFA" in row["series"] or "Ethernet transport of a cloud" in (row.get("note") or "")
            points.append({"name": f"{row['series']} {row['operation']} {row['size']} {row['algorithm']}", "series": row["series"],
                           "file": design, "size": row["size"], "operation": row["operation"], "algorithm": row["algorithm"],
                           "protocol": row["protocol"], "server": row["server_part"], "servers": servers,
                           "transport": "efa" if is_cloud else "rdma",
                           # Those of one server were timed from PyTorch, not by nccl-tests.
                           "launch_us": 22 if servers == 1 and "stas00" in row["source"] else 0,
                           "measured": factor * size / float(row["busbw_gbytes_s"]) / 1e9})
    return points


def generation(data, architecture):
    return next(g for g in data["libraries"][0]["generations"] if g["architecture"] == architecture)


def is_of(point, *names):
    return any(name in point["server"] for name in names)


# Name, where it stands, first step, kind of range, the points that it concerns.
CONSTANTS = [
    ("hb_share ampere", lambda d: generation(d, "ampere")["hb_share"], 0.01, "share", lambda p: is_of(p, "a100")),
    ("hb_share hopper", lambda d: generation(d, "hopper")["hb_share"], 0.01, "share", lambda p: is_of(p, "h100", "h200")),
    ("nvls_share hopper", lambda d: generation(d, "hopper")["nvls_share"], 0.01, "share", lambda p: is_of(p, "h100", "h200")),
    ("nvls_share blackwell", lambda d: generation(d, "blackwell")["nvls_share"], 0.01, "share", lambda p: is_of(p, "b200", "b300")),
    ("nic_share", lambda d: d["libraries"][0]["nic_share"], 0.01, "network share", lambda p: p["servers"] > 1 and p["transport"] == "rdma"),
    ("efa nic_share", lambda d: d["libraries"][0]["networks"]["efa"]["nic_share"], 0.01, "share", lambda p: p["transport"] == "efa"),
    ("efa nic_hop_us", lambda d: d["libraries"][0]["networks"]["efa"]["nic_hop_us"], 10, "hop", lambda p: p["transport"] == "efa"),
    ("send_receive_share", lambda d: d["libraries"][0]["send_receive_share"], 0.01, "exchange share",
     lambda p: p["operation"] == "all-to-all"),
    ("ramp_us", lambda d: d["libraries"][0]["ramp_us"], 4, "overhead", lambda p: p["operation"] != "all-to-all"),
    ("ramp_growth_us", lambda d: d["libraries"][0]["ramp_growth_us"], 5, "growth", lambda p: p["operation"] != "all-to-all"),
    ("latency_hiding_exponent", lambda d: d["libraries"][0]["latency_hiding_exponent"], 0.1, "exponent", lambda p: True),
]


def limits_of(kind):
    return (0.3, 1.0) if kind.endswith("share") else (1.0, 4.0) if kind == "exponent" else (0.0, 1000.0)


def set_base(constant, kind, value):
    low, high = RANGES[kind]
    least, most = limits_of(kind)
    constant["base"] = round(value, 4)
    constant["low"] = round(max(least, value * low), 4)
    constant["high"] = round(min(most, value * high) if kind.endswith("share") else value * high, 4)


def error(engine, data, points):
    most = math.log(1.4)  # single measurements that are far off pull no harder
    times = engine.seconds(data, points)
    return sum(min(most, abs(math.log(t[0] / p["measured"]))) for t, p in zip(times, points)) / max(1, len(points))


def fit(engine, data, points, scales):
    """Steps up and down, one constant after the other, halving the steps."""
    data = copy.deepcopy(data)
    for scale in scales:
        for _ in range(4):
            is_better = False
            for _, where, step, kind, concerns in CONSTANTS:
                some = [p for p in points if concerns(p)]
                if not some:
                    continue
                constant = where(data)
                best, base = error(engine, data, some), constant["base"]
                for direction in (1, -1):
                    value = base + direction * step * scale
                    if not limits_of(kind)[0] <= value <= limits_of(kind)[1]:
                        continue
                    set_base(constant, kind, value)
                    if error(engine, data, some) < best - 1e-6:
                        is_better = True
                        break
                    set_base(constant, kind, base)
            if not is_better:
                break
    return data


def report(engine, data, points, title):
    inside, widths, errors = 0, [], []
    print(f"\n{title}\n{'point':<52}{'measured':>12}{'estimate':>12}{'error':>8}  interval, high / low")
    for point, (seconds, low, high) in zip(points, engine.seconds(data, points)):
        is_inside = low <= point["measured"] <= high
        inside += is_inside
        widths.append(high / low)
        errors.append(abs(seconds / point["measured"] - 1))
        print(f"{point['name']:<52}{point['measured'] * 1e3:>9.3f} ms{seconds * 1e3:>9.3f} ms"
              f"{(seconds / point['measured'] - 1) * 100:>+7.1f}%  {low * 1e3:.3f} to {high * 1e3:.3f} ms, {high / low:.2f}"
              f"{'' if is_inside else '  OUTSIDE'}")
    return inside, widths, errors


def summary(inside, widths, errors):
    print(f"{inside} of {len(widths)} inside, median high / low {statistics.median(widths):.3f}, "
          f"median error {statistics.median(errors) * 100:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured")
    parser.add_argument("--cli", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--report-only", action="store_true", help="no fit: the errors of the constants as they are")
    parser.add_argument("--cross-validate", action="store_true", help="fit without each series in turn, and report that series")
    arguments = parser.parse_args()
    with open(DATA, encoding="utf-8") as file:
        text = file.read()
    before = json.loads(text)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(arguments.cli, folder)
        points = points_of(arguments.measured, engine)
        data = before if arguments.report_only else fit(engine, before, points, (1, 0.5, 0.25))
        print(f"{'constant':<28}{'was':>10}{'now':>10}{'low':>10}{'high':>10}")
        for name, where, *_ in CONSTANTS:
            old, new = where(before), where(data)
            print(f"{name:<28}{old['base']:>10.4g}{new['base']:>10.4g}{new['low']:>10.4g}{new['high']:>10.4g}")
        summary(*report(engine, data, points, "All points"))
        if arguments.cross_validate:
            inside, widths, errors = 0, [], []
            for series in sorted({p["series"] for p in points}):
                others = fit(engine, data, [p for p in points if p["series"] != series], (2, 1, 0.5))
                some = report(engine, others, [p for p in points if p["series"] == series], f"Without {series}")
                inside, widths, errors = inside + some[0], widths + some[1], errors + some[2]
            print("\nSeries left out:")
            summary(inside, widths, errors)
    if arguments.write:
        for _, where, *_ in CONSTANTS:
            text = text.replace(json.dumps(where(before)), json.dumps(where(data)))
        with open(DATA, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
