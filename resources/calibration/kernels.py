#!/usr/bin/env python3
"""Fits the curves of attention and of grouped products to kernels measured on single GPUs.

    kernels.py tests/data/published/attention_measured.csv tests/data/published/experts_measured.csv

Attention, of each GPU: share of the peak = top * keys / (keys + half keys) * width / (width + half width) * (128 + half width) / 128, and 20 us.
Half of the tiles count, as the mask is causal. Grouped products: the roofline of each product with its share of the peak and of the memory
bandwidth, the tokens moved so many times, and 20 us. The errors are means of |ln(estimated / measured)|.
"""
import collections
import csv
import itertools
import math
import sys

# bf16 FLOP/s and byte/s, as in resources/catalog
PEAKS = {"a100-sxm4-80": (312e12, 2.039e12), "h100-sxm5-80": (989.4e12, 3.35e12), "h200-sxm-141": (989.4e12, 4.8e12),
         "b200-sxm-180": (2250e12, 8e12), "b300-sxm-288": (2250e12, 8e12), "gb200-gpu": (2500e12, 8e12), "gb300-gpu": (2500e12, 8e12)}
LAUNCH = 20e-6


def rows(path):
    groups = collections.defaultdict(list)
    with open(path) as file:
        for row in csv.DictReader(file):
            groups[row["gpu"]].append({key: value if key == "gpu" else float(value) for key, value in row.items()})
    return groups


def best(measured, estimate, *axes):
    def error(values):
        return sum(abs(math.log(estimate(row, *values) / (row["measured_us"] * 1e-6))) for row in measured) / len(measured)
    return min(((error(values), *values) for values in itertools.product(*axes)))


def attention(gpu):
    peak, _ = PEAKS[gpu]

    def estimate(row, top, half_keys, half_width):
        keys, width = row["keys"], row["head_width"]
        flops = 2 * keys * row["sequences"] * keys * row["heads"] * width
        share = top * keys / (keys + half_keys) * width / (width + half_width) * (128 + half_width) / 128
        return flops / (peak * share) + LAUNCH
    return estimate


def experts(gpu):
    peak, bandwidth = PEAKS[gpu]

    def estimate(row, share, memory_share, moves):
        hidden, width, tokens = row["hidden"], row["ffn_hidden"], row["tokens"]
        routed = tokens * row["top_k"] / row["expert_parallel"]
        used = row["experts"] / row["expert_parallel"] * (1 - (1 - row["top_k"] / row["experts"]) ** tokens)
        each, moved = routed / used, bandwidth * memory_share
        time = LAUNCH + 2 * moves * routed * hidden / moved
        for columns, depth in ((2 * width, hidden), (hidden, width)):
            time += used * max(2 * each * columns * depth / (peak * share), 2 * (each * depth + columns * depth + each * columns) / moved)
        return time
    return estimate


def main():
    print(f"{'attention':<16}{'n':>5}{'top':>7}{'half keys':>11}{'half width':>12}{'error':>8}")
    for gpu, measured in rows(sys.argv[1]).items():
        widths = [0] if len({row["head_width"] for row in measured}) == 1 else [0, 16, 32, 64, 96, 128]
        error, top, keys, width = best(measured, attention(gpu), [x / 100 for x in range(30, 82, 2)], [400, 600, 800, 1000, 1250, 1500, 2000, 2500], widths)
        print(f"{gpu:<16}{len(measured):>5}{top:>7.2f}{keys:>11}{width:>12}{error:>8.1%}")
    print(f"\n{'experts':<16}{'n':>5}{'share':>7}{'memory':>8}{'moves':>7}{'error':>8}")
    for gpu, measured in rows(sys.argv[2]).items():
        error, share, memory, moves = best(measured, experts(gpu), [x / 100 for x in range(40, 95, 5)], [0.6, 0.7, 0.8, 0.9, 1], [2, 4, 6, 8, 10, 12])
        print(f"{gpu:<16}{len(measured):>5}{share:>7.2f}{memory:>8.2f}{moves:>7}{error:>8.1%}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
