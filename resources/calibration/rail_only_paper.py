#!/usr/bin/env python3
"""Prints figures 8 to 10 of the rail-only paper (Wang et al., arXiv 2307.12169), by the program itself and under the paper's assumptions.

    resources/calibration/rail_only_paper.py --cli build/release/bin/railyard-cli

H100 with 400 Gb/s NICs where nothing else is said; no communication of data or tensor parallelism overlaps, and all servers are equally fast; the
fastest division is searched at every point. Switches of 128 ports stay as they are while speeds change.
"""
import argparse
import json
import os
import subprocess
import tempfile

TRILLION, BILLIONS = "megatron-1008b", "megatron-145.6b"


class Paper:
    def __init__(self, cli, folder):
        self.cli, self.folder = cli, folder
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "training.json")) as file:
            calibration = json.load(file)
        del calibration["stragglers"]
        self.calibration = os.path.join(folder, "equally-fast.json")
        with open(self.calibration, "w") as file:
            json.dump(calibration, file)

    def design(self, gpus, domain, nic, hb):
        path = os.path.join(self.folder, f"{gpus}-{domain}-{nic}-{hb}.railyard")
        if not os.path.exists(path):
            sets = dict(gpus=gpus, hb_domain_gpus=domain, nic_gbps=nic, hb_gbps=hb, radix=128, spine_radix=128)
            options = [part for key, value in sets.items() for part in ("--set", f"{key}={value}")]
            subprocess.run([self.cli, "new", "rail-only", *options, "-o", path], check=True, stdout=subprocess.DEVNULL)
        return path

    def seconds(self, gpus, domain, batch, model=TRILLION, nic=400, hb=3600):
        command = [self.cli, "search", self.design(gpus, domain, nic, hb), "--model", model, "--global-batch", str(batch), "--overlap-dp", "off",
                   "--overlap-tp", "none", "--offload", "none", "--calibration", self.calibration, "--json"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["best"][0]["iteration_s"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    cli = os.path.abspath(parser.parse_args().cli)
    with tempfile.TemporaryDirectory() as folder:
        paper = Paper(cli, folder)
        print("Figure 8: iteration time with HB domains of K GPUs, relative to one domain; batch 4,096")
        for gpus in (16384, 32768, 65536):
            for model in (TRILLION, BILLIONS):
                ideal = paper.seconds(gpus, gpus, 4096, model)
                print(f"  {gpus:>6} GPUs {model:<16}", *(f"K={k} {paper.seconds(gpus, k, 4096, model) / ideal - 1:+7.1%} " for k in (8, 32, 256)))
        print("Figure 9: 4 times the bandwidth of NICs (100 to 400 Gb/s) and of HB links (2.4 to 9.6 Tb/s); 32,768 GPUs, batch 4,096")
        for k in (8, 256):
            slow = paper.seconds(32768, k, 4096, nic=100, hb=2400)
            nics, links = paper.seconds(32768, k, 4096, nic=400, hb=2400), paper.seconds(32768, k, 4096, nic=100, hb=9600)
            print(f"  K={k:<4} NICs {slow / nics - 1:+.1%}, HB links {slow / links - 1:+.1%}")
        print("Figure 10: speed relative to one HB domain, over the batch; 32,768 GPUs")
        for batch in (256, 1024, 4096):
            ideal = paper.seconds(32768, 32768, batch)
            print(f"  batch {batch:<5}", *(f"K={k} {ideal / paper.seconds(32768, k, batch):.0%} " for k in (8, 256)))


if __name__ == "__main__":
    main()
