#!/usr/bin/env python3
"""Fits the constants of collectives inside one HB domain, and prints how far they are from the measurements.

    one_domain.py POINTS.csv [--write]

Columns of POINTS.csv: gpu (a100, h100, h200, b200, b300, gb200, gb300), op, ranks, size_bytes, time_us, as nccl-tests measure them. Points of
up to 16 GiB on one server come from measured_collectives.csv of the tests; those were timed from a framework, which takes LAUNCH_US. Which
protocol runs is NCCL's choice, by its published constants; the program does the same (core/collective/algorithms/one_domain.cpp). Every time
is (latency^p + transfer^p)^(1/p) + sqrt(growth * transfer). --write puts the constants into collectives.json.
"""
import argparse
import collections
import csv
import json
import math
import os
import random
import re
import statistics

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "collectives.json")
SERVERS = os.path.join(HERE, "..", "..", "tests", "data", "published", "measured_collectives.csv")
LAUNCH_US = 22
GENERATIONS = {"ampere": ("a100",), "hopper": ("h100", "h200"), "blackwell": ("b200", "b300", "gb200", "gb300")}
HB_GBYTES_S = {"ampere": 300.0, "hopper": 450.0, "blackwell": 900.0}
LIBRARY_BASE_US, LIBRARY_HOP_US = {"ll": 6.6, "ll128": 14.0, "simple": 8.4}, {"ll": 0.6, "ll128": 1.9, "simple": 3.4}
PROTOCOLS = ("ll", "ll128", "simple")
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

Point = collections.namedtuple("Point", "generation op ranks size us how")


def choice(facts, generation, op, n, size):
    """Algorithm and protocol that NCCL takes."""
    if op == "all-to-all":
        return "exchange", "ll" if size / n <= facts["one_domain"]["exchange_ll_most_bytes"] else "simple"
    bandwidth = HB_GBYTES_S[generation] * facts["one_domain"]["library_share"] * 1e3
    steps = (n - 1) * (2 if op == "all-reduce" else 1)
    limit = {"ll": min(facts["ll_most_gbytes_s"] * 1e3, bandwidth * 0.5), "ll128": bandwidth * 0.92, "simple": bandwidth}
    ways = [(LIBRARY_BASE_US[p] + LIBRARY_HOP_US[p] * steps + size * steps / n / limit[p], 1, ("ring", p)) for p in PROTOCOLS]
    if "nvls" in facts["one_domain"] and op == "all-reduce":
        ways.append((25 + size / (min(bandwidth, n * facts["channel_most_gbytes_s"] * 1e3) * n / steps), 0, ("nvls", "simple")))
    return min(ways)[2]


def points_of(path, generations):
    points = []

    def add(gpu, op, n, size, us):
        generation = next(g for g, gpus in GENERATIONS.items() if gpu in gpus)
        points.append(Point(generation, op, n, float(size), us, choice(generations[generation], generation, op, n, size)))

    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            add(row["gpu"], row["op"], int(row["ranks"]), int(row["size_bytes"]), float(row["time_us"]))
    given = len(points)
    with open(SERVERS, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            size = int(row["size"][:-3]) * UNITS[row["size"][-3:]]
            if row["servers"] == "1" and size >= UNITS["MiB"]:
                factor = (2 if row["operation"] == "all-reduce" else 1) * 7 / 8
                add(re.search("[abh][0-9]+", row["server_part"].split("dgx-")[1]).group(0), row["operation"], 8, size,
                    factor * size / float(row["busbw_gbytes_s"]) / 1e3 - LAUNCH_US)
    return points, given


def parts(c, q):
    """Latency, transfer, exponent, growth."""
    way, protocol = q.how
    steps = (q.ranks - 1) * (2 if q.op == "all-reduce" else 1)
    link = HB_GBYTES_S[q.generation] * 1e3
    if way == "nvls":
        return c["nvls.base"], q.size / (link * c["nvls.share"]), 1, c["nvls.growth"]
    key, simple = f"{way}.{protocol}", protocol == "simple"
    latency = c[key + ".base"] + c[key + ".hop"] * steps
    share = c[key + ".share"] if way == "ring" or simple else min(1, steps * c[key + ".share"])
    transfer = q.size * steps / q.ranks / (link * share) * (1 + (c[way + ".copy"] / steps if simple else 0))
    return latency, transfer, c["ring.hiding"] if simple and way == "ring" else 1, c["exchange.growth"] if simple and way == "exchange" else 0


def estimate(c, q, latency_scale=1, share_scale=1):
    latency, transfer, p, growth = parts(c, q)
    latency, transfer = latency * latency_scale, transfer / share_scale
    return (latency ** p + transfer ** p) ** (1 / p) + math.sqrt(growth * transfer)


def dips(c, generation):
    """How much faster the next larger all-to-all is where the protocol changes: noise of the points, as that does not happen."""
    size, sum_of_dips = 16384, 0
    for n in (2, 3, 4, 8, 16, 72):
        ll, simple = (estimate(c, Point(generation, "all-to-all", n, n * size, 0, ("exchange", p))) for p in ("ll", "simple"))
        sum_of_dips += max(0, math.log(ll / simple))
    return sum_of_dips


def error(c, points):
    if not points:
        return 0
    extra = dips(c, points[0].generation) if any(q.how[0] == "exchange" for q in points) else 0
    return extra + sum(min(0.5, abs(math.log(estimate(c, q) / q.us))) for q in points) / len(points)


def concerned(name, points):
    way, *rest = name.split(".")
    protocol = rest[0] if len(rest) == 2 else "simple"
    return [q for q in points if q.how == (way, protocol)]


def start(seed):
    c = {"ring.copy": 0.4, "ring.hiding": 1.2, "exchange.copy": 0.2, "exchange.growth": 2, "nvls.base": 40, "nvls.share": 0.5, "nvls.growth": 10}
    for p in PROTOCOLS:
        c |= {f"ring.{p}.base": LIBRARY_BASE_US[p], f"ring.{p}.hop": LIBRARY_HOP_US[p], f"ring.{p}.share": {"ll": 0.3, "ll128": 0.6}.get(p, 0.75)}
    for p in ("ll", "simple"):
        c |= {f"exchange.{p}.base": 8, f"exchange.{p}.hop": 0.3, f"exchange.{p}.share": 0.6}
    random_of = random.Random(seed)
    for name in c if seed else ():
        if name != "ring.hiding":
            c[name] *= math.exp(random_of.uniform(-0.7, 0.7))
        if name.endswith("share"):
            c[name] = min(0.9, c[name])
    return c


def descend(c, points):
    """One constant after the other up and down, by ever smaller factors."""
    for factor in (1.5, 1.2, 1.08, 1.03, 1.01, 1.005):
        for _ in range(80):
            is_better = False
            for name in c:
                some = concerned(name, points)
                if not some:
                    continue
                before, value = error(c, some), c[name]
                for tried in (value * factor, value / factor):
                    if (name == "ring.hiding" and not 1 <= tried <= 4) or (name.endswith("share") and tried > 0.95):
                        continue
                    c[name] = tried
                    if error(c, some) < before - 1e-7:
                        is_better = True
                        break
                    c[name] = value
            if not is_better:
                break
    return c


def fit(points):
    return min((descend(start(seed), points) for seed in range(8)), key=lambda c: error(c, points))


def put(one_domain, c):
    for way in ("ring", "exchange"):
        for protocol, costs in one_domain[way].items():
            key = f"{way}.{protocol}"
            costs |= {"base_us": round(c[key + ".base"], 1), "hop_us": round(c[key + ".hop"], 2), "share": round(c[key + ".share"], 3)}
        one_domain[way + "_copy"] = round(c[way + ".copy"], 2)
    one_domain["ring_hiding_exponent"] = round(c["ring.hiding"], 2)
    one_domain["exchange_growth_us"] = round(c["exchange.growth"], 1)
    if "nvls" in one_domain:
        one_domain["nvls"] |= {"base_us": round(c["nvls.base"], 1), "share": round(c["nvls.share"], 3), "growth_us": round(c["nvls.growth"], 1)}


def constants_of(one_domain):
    nvls = one_domain.get("nvls", {"base_us": 0, "share": 1, "growth_us": 0})
    c = {"ring.hiding": one_domain["ring_hiding_exponent"], "exchange.growth": one_domain["exchange_growth_us"], "nvls.base": nvls["base_us"],
         "nvls.share": nvls["share"], "nvls.growth": nvls["growth_us"]}
    for way in ("ring", "exchange"):
        c[way + ".copy"] = one_domain[way + "_copy"]
        for protocol, costs in one_domain[way].items():
            c |= {f"{way}.{protocol}.{name}": costs[key] for name, key in (("base", "base_us"), ("hop", "hop_us"), ("share", "share"))}
    return c


def report(points, generations, title):
    groups = collections.defaultdict(list)
    for q in points:
        of = generations[q.generation]["one_domain"]
        c, latency, share = constants_of(of), of["latency_scale"], of["share_scale"]
        low, high = estimate(c, q, latency["low"], share["high"]), estimate(c, q, latency["high"], share["low"])
        row = (abs(estimate(c, q) / q.us - 1), low <= q.us <= high, high / low)
        size = "from 1 MiB" if q.size >= 1 << 20 else "below 1 MiB"
        for key in ((q.generation, *q.how, size), ("all", "", "", size), ("all", "", "", "")):
            groups[key].append(row)
    print(f"\n{title}\n{'':<46}points  median error  inside  median width")
    for key, rows in sorted(groups.items()):
        print(f"{' '.join(key):<46}{len(rows):>6}{statistics.median(r[0] for r in rows):>13.1%}{sum(r[1] for r in rows) / len(rows):>9.0%}"
              f"{statistics.median(r[2] for r in rows):>10.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--report-only", action="store_true", help="no fit: the errors of the constants as they are")
    arguments = parser.parse_args()
    with open(DATA, encoding="utf-8") as file:
        text = file.read()
    data = json.loads(text)
    generations = {g["architecture"]: g for g in data["libraries"][0]["generations"] if "one_domain" in g}
    before = {name: copy_text(g["one_domain"]) for name, g in generations.items()}
    points, given = points_of(arguments.points, generations)
    if not arguments.report_only:
        for name, g in generations.items():
            put(g["one_domain"], fit([q for q in points if q.generation == name]))
    report(points[:given], generations, "All points")
    report(points[given:], generations, "One server, up to 16 GiB")
    if arguments.write:
        for name, g in generations.items():
            for old, new in zip(before[name], copy_text(g["one_domain"])):
                text = text.replace(old, new)
        with open(DATA, "w", encoding="utf-8") as file:
            file.write(text)


def copy_text(one_domain):
    """Its lines, as the file has them."""
    keys = [["ring"], ["ring_copy", "ring_hiding_exponent"], ["exchange"], ["exchange_copy", "exchange_growth_us", "exchange_ll_most_bytes"], ["nvls"]]
    return [", ".join(f'"{k}": {json.dumps(one_domain[k])}' for k in line) for line in keys if line[0] in one_domain]


if __name__ == "__main__":
    main()
