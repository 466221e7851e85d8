#include "core/design/recipes/recipe_table.h"

#include <algorithm>
#include <unordered_map>

namespace railyard {

// Settings of the presets: contract of the published systems, each named in docs/recipes.md.
namespace {

std::vector<RecipeInfo> families() {
    using enum RecipeFamily;
    return {
        {"rail-optimized", RailOptimized, "NIC k of every server in an SU connects to leaf k; spines connect the rails", {}},
        {"rail-only", RailOnly, "each rail is a separate Clos network; cross-rail traffic is forwarded inside the HB domain", {}},
        {"fat-tree", FatTree, "all NICs of a server connect to the same leaf; also for single-port endpoints", {}},
    };
}
// Reference designs of NVIDIA.
std::vector<RecipeInfo> superPods() {
    using enum RecipeFamily;
    return {
        {"superpod-h100",
         RailOptimized,
         "NVIDIA DGX SuperPOD, DGX H100, NDR InfiniBand",
         {{"server", "srv-dgx-h100"}, {"switch", "sw-qm9700"}, {"su_servers", "32"}, {"servers", "128"}}},
        {"superpod-b200",
         RailOptimized,
         "NVIDIA DGX SuperPOD, DGX B200, NDR InfiniBand",
         {{"server", "srv-dgx-b200"}, {"switch", "sw-qm9700"}, {"su_servers", "32"}, {"servers", "128"}}},
        {"superpod-b300-xdr",
         RailOptimized,
         "NVIDIA DGX SuperPOD, DGX B300, XDR InfiniBand",
         {{"server", "srv-dgx-b300"}, {"switch", "sw-q3400-ra"}, {"su_servers", "72"}, {"servers", "288"}}},
        {"superpod-b300",
         RailOptimized,
         "NVIDIA DGX SuperPOD, DGX B300, Spectrum-X Ethernet with two planes",
         {{"server", "srv-dgx-b300"},
          {"switch", "sw-sn5600"},
          {"nic_ports", "2"},
          {"planes", "2"},
          {"su_servers", "64"},
          {"trunk", "per-cage"},
          {"servers", "64"}}},
        {"superpod-gb200",
         RailOptimized,
         "NVIDIA DGX SuperPOD, DGX GB200 NVL72 racks, NDR InfiniBand, one rack per SU",
         {{"server", "srv-gb200-tray"}, {"switch", "sw-qm9700"}, {"su_servers", "18"}, {"servers", "144"}}},
        {"superpod-gb300",
         RailOptimized,
         "NVIDIA DGX SuperPOD, DGX GB300 NVL72 racks, XDR InfiniBand",
         {{"server", "srv-gb300-tray"}, {"switch", "sw-q3400-ra"}, {"su_servers", "72"}, {"servers", "144"}}},
    };
}
std::vector<RecipeInfo> publishedFabrics() {
    using enum RecipeFamily;
    return {
        {"aipod",
         RailOptimized,
         "Baidu AIPod: spine planes per rail, superspines connect the rails, 16,384 GPUs",
         {{"server", "srv-dgx-a100-640"},
          {"switch", "sw-th4-64x400"},
          {"su_servers", "64"},
          {"rail_scope", "per-rail"},
          {"tiers", "3"},
          {"uplinks", "used"},
          {"servers", "2048"}}},
        {"superpod-h100-nvlink",
         RailOptimized,
         "DGX H100 SuperPOD with an NVLink network: HB domains of 256 GPUs, half of the NVLink bandwidth leaves the server",
         {{"server", "srv-dgx-h100"},
          {"switch", "sw-qm9700"},
          {"hb_domain_gpus", "256"},
          {"hb_out_gbps", "1800"},
          {"su_servers", "32"},
          {"servers", "128"}}},
        {"hpn-pod",
         RailOptimized,
         "Alibaba HPN 7.0 pod: two planes, dual-ToR, 15,360 GPUs, no backup servers",
         {{"server", "srv-dgx-h100"},
          {"switch", "sw-alibaba-hpn-tor"},
          {"spine_switch", "sw-th5-64x800"},
          {"nic_ports", "2"},
          {"planes", "2"},
          {"leaf_down", "128"},
          {"leaf_up", "60"},
          {"uplink_gbps", "400"},
          {"spine_radix", "128"},
          {"su_servers", "128"},
          {"tiers", "2"},
          {"servers", "1920"}}},
        {"meta-24k",
         FatTree,
         "Meta 24,576-GPU RoCE cluster: pods of 3,072 GPUs with 7:1 oversubscription between pods",
         {{"servers", "3072"},
          {"leaf_down", "16"},
          {"leaf_up", "16"},
          {"pod_servers", "384"},
          {"spine_radix", "224"},
          {"core_oversubscription", "7:1"}}},
        {"rail-only-gh200",
         RailOnly,
         "rail-only with HB domains of 256 GPUs, 32,768 GPUs, radix 64",
         {{"server", "srv-dgx-h100"}, {"switch", "sw-qm9700"}, {"hb_domain_gpus", "256"}, {"radix", "64"}, {"servers", "4096"}}},
    };
}

} // namespace

const std::vector<RecipeInfo>& recipes() {
    static const std::vector<RecipeInfo> table = [] {
        std::vector<RecipeInfo> all = families();
        for (const auto& presets : {superPods(), publishedFabrics()}) all.insert(all.end(), presets.begin(), presets.end());
        return all;
    }();
    return table;
}

const RecipeInfo* findRecipe(std::string_view name) {
    const auto it = std::find_if(recipes().begin(), recipes().end(), [&](const RecipeInfo& info) { return info.name == name; });
    return it == recipes().end() ? nullptr : &*it;
}

namespace {

// Whole numbers and numbers from `low` to `high`; `range`: the words where the bound depends on other parameters.
ParameterInfo whole(std::string_view key, std::string_view label, std::string_view usual, int low, int high, std::string_view help,
                    std::string_view range = {}) {
    ParameterInfo row{.key = key, .label = label, .help = help, .low = double(low), .high = double(high)};
    row.usual = usual;
    row.range = range;
    return row;
}
ParameterInfo real(std::string_view key, std::string_view label, std::string_view unit, std::string_view usual, double low, double high,
                   std::string_view help, std::string_view range = {}) {
    ParameterInfo row{.key = key, .label = label, .unit = unit, .help = help, .kind = ParameterInfo::Kind::Real, .low = low, .high = high};
    row.usual = usual;
    row.range = range;
    return row;
}
ParameterInfo speed(std::string_view key, std::string_view label, std::string_view usual, std::string_view help,
                    std::string_view range = "greater than 0") {
    return real(key, label, "Gb/s", usual, 0, 1e6, help, range);
}
ParameterInfo part(std::string_view key, std::string_view label, std::string_view usual, std::string_view range, std::string_view help) {
    ParameterInfo row{.key = key, .label = label, .help = help, .kind = ParameterInfo::Kind::Part};
    row.usual = usual;
    row.range = range;
    return row;
}
ParameterInfo ratio(std::string_view key, std::string_view label, std::string_view usual, std::string_view help) {
    ParameterInfo row{.key = key, .label = label, .help = help, .kind = ParameterInfo::Kind::Ratio, .low = 1, .high = 4096};
    row.usual = usual;
    row.range = "d:u";
    return row;
}
// The first choice is taken where none is stated.
ParameterInfo choice(std::string_view key, std::string_view label, std::string_view usual, std::initializer_list<std::string_view> values,
                     std::string_view help, std::string_view range = {}) {
    ParameterInfo row{.key = key, .label = label, .help = help, .kind = ParameterInfo::Kind::Choice};
    for (const std::string_view value : values) row.choices.push_back({value, value});
    row.usual = usual;
    row.range = range;
    return row;
}

ParameterInfo withBounds(ParameterInfo row, int low, int high) {
    row.low = low;
    row.high = high;
    return row;
}

std::vector<ParameterInfo> networkRows() {
    return {
        whole("servers", "Servers", "16", 1, 131072, "number of servers; set either servers or gpus"),
        whole("gpus", "GPUs", "", 1, 1048576, "number of GPUs; set either servers or gpus",
              "a multiple of gpus_per_server and hb_domain_gpus"),
        part("server", "Server part", "srv-dgx-h100", "server ID from the catalogue", "server part"),
        part("switch", "Switch", "sw-qm9700", "switch ID from the catalogue", "switch part of all tiers"),
        part("spine_switch", "Spine switch", "switch", "switch ID from the catalogue", "switch part of the tiers above the leaves"),
        part("nic", "NIC part", "built into the server", "NIC ID from the catalogue", "NIC part, purchased separately from the server"),
        part("gpu", "GPU part", "from the server", "GPU ID from the catalogue",
             "GPU part; its scale-up speed comes along unless hb_gbps is set"),
        whole("gpus_per_server", "GPUs per server", "from the server", 1, 1024, "GPUs per server"),
        whole("nics_per_server", "NICs per server", "from the server", 1, 1024, "NICs per server on this fabric"),
        speed("nic_gbps", "NIC bandwidth (Gb/s)", "from the server", "NIC bandwidth per direction, all ports of a NIC together"),
        whole("nic_ports", "Ports per NIC", "1", 1, 8, "ports per NIC; link speed = nic_gbps / nic_ports"),
        whole("hb_domain_gpus", "GPUs per HB domain", "GPUs of one server", 1, 1048576, "GPUs per scale-up (HB) domain",
              "a multiple of gpus_per_server"),
        speed("hb_gbps", "HB bandwidth per GPU (Gb/s)", "from the server", "scale-up bandwidth per GPU and direction"),
        speed("hb_out_gbps", "HB bandwidth out of the server (Gb/s)", "one level of HB switches",
              "scale-up bandwidth per GPU and direction out of its server, over a second level of HB switches; requires HB domains of "
              "several servers",
              "at most hb_gbps"),
        whole("hb_spines", "HB spines", "HB links out of the server / its HB switches", 1, 1024,
              "HB switches of the second level per HB domain; requires hb_out_gbps"),
        whole("rails", "Rails", "NICs of a server; auto with rail-only", 1, 4096,
              "number of rails; rail of a NIC = its index mod rails; auto (rail-only): the divisor of the NICs of an HB domain with the "
              "fewest switches",
              "auto, 1…NICs of a server (rail-only: of an HB domain)"),
        whole("radix", "Leaf radix", "from the switch", 2, 4096, "ports per leaf at the link speed"),
        whole("spine_radix", "Spine radix", "from the switch", 2, 4096, "ports per switch above the leaves, at uplink_gbps"),
        withBounds(choice("tiers", "Switch tiers", "auto", {"auto", "1", "2", "3", "4"},
                          "switch tiers; auto selects the smallest number that fits", "auto, 1…4"),
                   1, 4),
        ratio("oversubscription", "Leaf oversubscription", "1:1",
              "ratio of leaf downlinks to uplinks in bandwidth: d·⌊radix/(d+u)⌋ down, u·⌊radix/(d+u)⌋ up; with another uplink_gbps the "
              "most downlinks and fewest uplinks that keep the ratio"),
        whole("leaf_down", "Leaf downlinks", "from oversubscription", 1, 4096, "downlink ports per leaf, towards servers", "1…radix"),
        whole("leaf_up", "Leaf uplinks", "from oversubscription", 0, 4096, "uplink ports per leaf, towards spines", "0…radix"),
        ratio("core_oversubscription", "Spine oversubscription", "1:1", "ratio of downlinks to uplinks one tier higher"),
        speed("uplink_gbps", "Uplink speed (Gb/s)", "the link speed", "speed of leaf uplinks and of all links above"),
        whole("su_servers", "Servers per SU", "as many as leaf_down allows", 1, 1000000,
              "servers per scalable unit (SU); the default of a preset holds for its own switch", "1…"),
        whole("pod_servers", "Servers per pod", "as many as half the ports of a spine allow", 1, 1000000,
              "servers per pod in a three-tier fabric", "1…"),
        whole("planes", "Planes", "1", 1, 64, "number of separate fabrics; plane of a NIC port = (nic · nic_ports + port) mod planes",
              "1…NIC ports of a server"),
        whole("manager_ports", "Manager ports", "0", 0, 100000, "ports for the fabric manager, one per leaf, on leaves 1… of the last SU",
              "0…"),
        choice("spine_rule", "Spine rule", "even-split", {"even-split", "exact"},
               "even-split: smallest spine count that divides the uplinks; exact: smallest spine count that fits"),
        choice("uplinks", "Uplinks", "full-su", {"full-su", "used"},
               "full-su: uplinks of leaves and spines as for full SUs and pods; used: the fewest that keep the ratio for the downlinks in "
               "use"),
        choice("rail_scope", "Rail scope", "shared", {"shared", "per-rail"},
               "shared: the spines of a pod serve all rails; per-rail: one rail (three tiers)"),
        whole("spines", "Spines", "from spine_rule", 1, 100000,
              "spines per network, or per pod with three or four tiers; fewer than the uplinks of a leaf have parallel links to it",
              "from the required number to the uplinks of a leaf")};
}

std::vector<ParameterInfo> cableAndSideRows() {
    return {
        choice("trunk", "Trunk cables", "per-link", {"per-link", "per-cage"},
               "per-link: one link per cable; per-cage: all links of a cage at the lower end share a cable"),
        choice("medium", "Cable medium", "optical", {"optical", "by-length"},
               "optical: fibre only; by-length: copper where it is long enough (places racks)"),
        choice("racks", "Racks", "auto with medium=by-length, else none", {"none", "auto"},
               "auto: place racks; none: assume 30 m for every cable"),
        part("rack", "Rack part", "the rack designed for the server, otherwise the smallest that fits", "rack ID from the catalogue",
             "rack part"),
        whole("servers_per_rack", "Servers per rack", "as many as power and height allow", 1, 1000, "servers per rack", "1…as many as fit"),
        whole("row_racks", "Racks per row", "as square as possible with whole SUs", 1, 10000, "racks per row"),
        choice("leaf_racks", "Leaf racks", "middle", {"middle", "end"},
               "middle: leaf racks in the middle of the racks of their SU; end: in front of them"),
        real("aisle_m", "Aisle width (m)", "m", "1.2", 0, 20, "aisle width between two rows"),
        real("tray_height_m", "Tray height (m)", "m", "2.7", 1, 20, "height of the cable trays above the floor"),
        real("slack_m", "Service loop (m)", "m", "1", 0, 50, "service loop at each end of a cable between racks (assumption)"),
        real("slack_fraction", "Additional length", "", "0.05", 0, 1, "additional cable length as a fraction of the route (assumption)"),
        choice("power_feeds", "Power feeds", "a+b", {"a+b", "alternating", "a"},
               "a+b: every rack on both feeds of its row, either of which carries it; alternating: racks of a row on feed A and feed B in "
               "turn; a: all on feed A"),
        choice("storage", "Storage network", "off", {"off", "on"}, "adds a separate storage network, counted separately"),
        whole("storage_ports", "Storage ports per server", "2", 1, 8, "storage ports per server, each connected to a different leaf"),
        speed("storage_gbps", "Storage port speed (Gb/s)", "the speed of a NIC, at most 400", "speed of a storage port per direction"),
        part("storage_switch", "Storage switch", "switch", "switch ID from the catalogue", "switch part of the storage network"),
        ratio("storage_oversubscription", "Storage oversubscription", "4:3", "ratio of leaf downlinks to uplinks in the storage network"),
        whole("storage_nodes", "Storage systems", "0", 0, 100000, "number of storage systems, each with as many ports as a server"),
        choice("in_band", "In-band network", "off", {"off", "on"}, "adds an in-band management network with 2 × 100 Gb/s per server"),
        part("in_band_switch", "In-band switch", "sw-sn4600c", "switch ID from the catalogue", "switch part of the in-band network"),
        ratio("in_band_oversubscription", "In-band oversubscription", "1:1", "ratio of leaf downlinks to uplinks in the in-band network"),
        choice("out_of_band", "Out-of-band network", "off", {"off", "on"},
               "adds an out-of-band management network with 1 Gb/s to every server and switch"),
        part("out_of_band_switch", "Out-of-band switch", "sw-sn2201", "switch ID from the catalogue",
             "leaf switch part of the out-of-band network")};
}

} // namespace

std::span<const ParameterInfo> recipeParameters() {
    static const std::vector<ParameterInfo> rows = [] {
        std::vector<ParameterInfo> all = networkRows(), sideRows = cableAndSideRows();
        for (ParameterInfo& row : sideRows) all.push_back(std::move(row));
        return all;
    }();
    return rows;
}

const ParameterInfo* recipeParameter(std::string_view key) {
    static const auto byKey = [] {
        std::unordered_map<std::string_view, const ParameterInfo*> index;
        for (const ParameterInfo& row : recipeParameters()) index.emplace(row.key, &row);
        return index;
    }();
    const auto found = byKey.find(key);
    return found == byKey.end() ? nullptr : found->second;
}

} // namespace railyard
