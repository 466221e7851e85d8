#!/usr/bin/env python3
"""Fits what NCCL does not publish to measured cases, and prints the errors.

    resources/calibration/refit.py --cli build/release/bin/railyard-cli --cases published_cases.json [--write]

The cases are those of group "collective", kind "measured", of the validation set (ids A29, A30, A32). Every figure comes from
`railyard-cli collective --calibration FILE`, so what is fitted is the engine itself. Each constant gets the value that leaves
the least mean square of the logarithms of its cases, and as its range the values that single cases ask for.
With --write the fitted constants replace those in collectives.json beside this script.
"""
import argparse
import json
import math
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "collectives.json")


class Engine:
    """Times by the engine, with the constants of `data`."""

    def __init__(self, cli, folder, data):
        self.cli, self.folder, self.data, self.designs, self.known = cli, folder, data, {}, {}

    def design(self, settings):
        key = tuple(sorted(settings.items()))
        if key not in self.designs:
            path = os.path.join(self.folder, f"design{len(self.designs)}.railyard")
            command = [self.cli, "new", "rail-optimized", "-o", path]
            for name, value in settings.items():
                command += ["--set", f"{name}={value}"]
            subprocess.run(command, check=True, capture_output=True)
            self.designs[key] = path
        return self.designs[key]

    def seconds(self, case):
        text = json.dumps(self.data)
        if (text, case["name"]) not in self.known:
            path = os.path.join(self.folder, "calibration.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            command = [self.cli, "collective", self.design(case["design"]), "--calibration", path, "--op", "all-reduce", "--json",
                       "--size", f"{case['bytes']}B", "--algorithm", case["algorithm"]]
            answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            self.known[text, case["name"]] = (answer["time_s"], answer["time_low_s"], answer["time_high_s"])
        return self.known[text, case["name"]]


def size_text(count):
    return f"{count >> 30} GiB" if count >= 1 << 30 else f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


def cases_of(path):
    """What was measured, in seconds, and the design it was measured on."""
    with open(path, encoding="utf-8") as file:
        by_id = {case["id"]: case for case in json.load(file)["cases"]}
    cases = []

    def add(case_id, size, design, seconds, algorithm="auto"):
        cases.append({"name": f"{case_id} {size_text(size)}{'' if algorithm == 'auto' else ' ' + algorithm}", "id": case_id,
                      "bytes": size, "design": design, "measured": seconds, "algorithm": algorithm})

    one_node = by_id["A29"]
    gpus = one_node["inputs"]["gpus"]
    for size, busbw in zip(one_node["inputs"]["message_bytes_list"], one_node["expected"].values()):
        add("A29", size, {"servers": 1, "server": "srv-dgx-a100-640"}, 2 * (gpus - 1) / gpus * size / busbw / 1e9)
    four_nodes = by_id["A30"]
    inputs = four_nodes["inputs"]
    blackwell = {"server": "srv-dgx-b200", "servers": inputs["gpus"] // inputs["gpus_per_node"]}
    for algorithm in ("auto", "hierarchical"):
        add("A30", inputs["message_bytes"], blackwell, four_nodes["expected"]["time_ms"] / 1e3, algorithm)
    x = inputs["gpus_per_node"]
    add("A30 one node", 16 << 30, {"server": "srv-dgx-b200", "servers": 1},
        2 * (x - 1) / x * (16 << 30) / inputs["hb_busbw_one_node_gbytes_s"] / 1e9, "nvls")
    nodes = by_id["A32"]["inputs"]
    n, nic = nodes["nodes"] * nodes["gpus_per_node"], 8 * 50e9
    for size in nodes["message_bytes_list"]:
        efficiency = by_id["A32"]["expected"][f"efficiency_{size_text(size).replace(' ', '')}"]
        # Of NICs alone: a server whose HB fabric is no limit.
        add("A32", size, {"server": "srv-dgx-b200", "servers": nodes["nodes"]}, 2 * (n - 1) / n * size / nic / efficiency, "ring")
    return cases


def generation(data, architecture):
    return next(g for g in data["libraries"][0]["generations"] if g["architecture"] == architecture)


def fitted(data):
    """Constant, the cases it is fitted to, its least and largest sensible value, the least width of its range either way."""
    library = data["libraries"][0]
    return [
        (generation(data, "ampere")["hb_share"], ["A29 1 GiB", "A29 16 GiB"], 0.5, 1.0, 0.03),
        (generation(data, "blackwell")["nvls_share"], ["A30 one node 16 GiB nvls"], 0.3, 1.0, 0.05),
        (library["nic_share"], ["A30 4 GiB", "A32 1 GiB ring", "A32 16 GiB ring"], 0.5, 1.0, 0.03),
        (library["ramp_us"], ["A29 32 KiB", "A29 1 MiB", "A29 8 MiB", "A29 64 MiB"], 0.0, 400.0, 30.0),
        (library["hierarchical_overlap"], ["A30 4 GiB hierarchical"], 0.0, 1.0, 0.25),
    ]


def best(engine, constant, cases, low, high):
    """The value with the least mean square of logarithms: golden section, as that has one minimum here."""
    def error(value):
        constant["base"] = value
        return sum(math.log(engine.seconds(case)[0] / case["measured"]) ** 2 for case in cases) / len(cases)

    ratio = (math.sqrt(5) - 1) / 2
    a, b = low, high
    while b - a > (high - low) * 1e-4:
        left, right = b - (b - a) * ratio, a + (b - a) * ratio
        a, b = (a, right) if error(left) <= error(right) else (left, b)
    return (a + b) / 2


def fit(engine, data, cases):
    by_name = {case["name"]: case for case in cases}
    constants = fitted(data)
    for constant, _, low, high, _ in constants:  # ranges play no part in the likely value, and must not be in its way
        constant["low"], constant["high"] = low, high
    for _ in range(3):
        for constant, names, low, high, _ in constants:
            constant["base"] = round(best(engine, constant, [by_name[n] for n in names], low, high), 4)
    for constant, names, low, high, width in constants:
        base = constant["base"]
        single = [round(best(engine, constant, [by_name[n]], low, high), 4) for n in names]
        constant["base"] = base
        # One case says nothing of how far the next one lies.
        constant["low"] = round(max(low, min(single + [base - width])), 4)
        constant["high"] = round(min(high, max(single + [base + width])), 4)
        constant["source"] = "fitted: " + ", ".join(names) + (f"; at least {width:g} either way" if width else "")
    # No measured all-to-all among the cases: both media as NICs in reductions.
    data["libraries"][0]["send_receive_share"]["base"] = data["libraries"][0]["nic_share"]["base"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--cases", required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with open(DATA, encoding="utf-8") as file:
        text = file.read()
    data = json.loads(text)
    before = json.loads(text)
    cases = cases_of(arguments.cases)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(arguments.cli, folder, data)
        fit(engine, data, cases)
        print(f"{'constant':<28}{'was':>10}{'fitted':>10}{'low':>10}{'high':>10}")
        for (new, *_), (old, *_), name in zip(fitted(data), fitted(before),
                                              ("hb_share ampere", "nvls_share blackwell", "nic_share", "ramp_us", "hierarchical_overlap")):
            print(f"{name:<28}{old['base']:>10.4g}{new['base']:>10.4g}{new['low']:>10.4g}{new['high']:>10.4g}")
        print(f"\n{'case':<28}{'measured':>12}{'engine':>12}{'error':>9}  interval")
        for case in cases:
            seconds, low, high = engine.seconds(case)
            inside = "" if low <= case["measured"] <= high else "  OUTSIDE"
            print(f"{case['name']:<28}{case['measured'] * 1e3:>9.4f} ms{seconds * 1e3:>9.4f} ms"
                  f"{(seconds / case['measured'] - 1) * 100:>+8.1f}%  {low * 1e3:.4f} to {high * 1e3:.4f} ms{inside}")
    if arguments.write:
        pairs = [(new[0], old[0]) for new, old in zip(fitted(data), fitted(before))]
        pairs.append((data["libraries"][0]["send_receive_share"], before["libraries"][0]["send_receive_share"]))
        for new, old in pairs:
            text = text.replace(json.dumps(old), json.dumps(new))
        with open(DATA, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
