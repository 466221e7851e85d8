#include "core/design/recipe.h"

#include <algorithm>

namespace railyard {

// Settings of the presets: contract of the published systems, each named in docs/recipes.md.
const std::vector<RecipeInfo>& recipes() {
    using enum RecipeFamily;
    static const std::vector<RecipeInfo> table{
        {"rail-optimized", RailOptimized, "NIC k of every server of an SU goes to leaf k; spines join the rails", {}},
        {"rail-only", RailOnly, "each rail is a Clos of its own; cross-rail traffic is forwarded inside the HB domain", {}},
        {"fat-tree", FatTree, "all NICs of a server to one leaf, or single-port endpoints", {}},
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
         "NVIDIA DGX SuperPOD, DGX B300, Spectrum-X Ethernet in two planes",
         {{"server", "srv-dgx-b300"},
          {"switch", "sw-sn5600"},
          {"nic_ports", "2"},
          {"planes", "2"},
          {"su_servers", "64"},
          {"trunk", "per-cage"},
          {"servers", "64"}}},
        {"aipod",
         RailOptimized,
         "Baidu AIPod: spine planes per rail, superspines join the rails, 16,384 GPUs",
         {{"server", "srv-dgx-a100-640"},
          {"switch", "sw-th4-64x400"},
          {"su_servers", "64"},
          {"rail_scope", "per-rail"},
          {"tiers", "3"},
          {"uplinks", "used"},
          {"servers", "2048"}}},
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
         "Meta's 24,576-GPU RoCE cluster: pods of 3,072 GPUs, 7:1 between them",
         {{"servers", "3072"},
          {"leaf_down", "16"},
          {"leaf_up", "16"},
          {"pod_servers", "384"},
          {"spine_radix", "224"},
          {"core_oversubscription", "7:1"}}},
        {"rail-only-gh200",
         RailOnly,
         "rail-only over HB domains of 256 GPUs, 32,768 GPUs, radix 64",
         {{"server", "srv-dgx-h100"}, {"switch", "sw-qm9700"}, {"hb_domain_gpus", "256"}, {"radix", "64"}, {"servers", "4096"}}},
    };
    return table;
}

const RecipeInfo* findRecipe(std::string_view name) {
    const auto it = std::find_if(recipes().begin(), recipes().end(), [&](const RecipeInfo& info) { return info.name == name; });
    return it == recipes().end() ? nullptr : &*it;
}

const std::vector<RecipeParameter>& recipeParameters() {
    static const std::vector<RecipeParameter> table{
        {"servers", "integer", "", "16", "1…131072", "size in servers; give this or gpus, not both"},
        {"gpus", "integer", "", "", "a multiple of gpus_per_server and hb_domain_gpus", "size in GPUs"},
        {"server", "part", "", "srv-dgx-h100", "catalog list --kind server", "server part"},
        {"switch", "part", "", "sw-qm9700", "catalog list --kind switch", "switch part of every tier"},
        {"spine_switch", "part", "", "switch", "catalog list --kind switch", "switch part of the tiers above the leaf"},
        {"nic", "part", "", "inside the server", "catalog list --kind nic", "NIC part, bought apart from the server"},
        {"gpu", "part", "", "from the server", "catalog list --kind gpu", "GPU part"},
        {"gpus_per_server", "integer", "", "from the server", "1…1024", "GPUs in one chassis"},
        {"nics_per_server", "integer", "", "from the server", "1…1024", "NICs of one chassis on this fabric"},
        {"nic_gbps", "number", "Gb/s", "from the server", "above 0", "one direction of one NIC, all its ports"},
        {"nic_ports", "integer", "", "1", "1…8", "ports of a NIC; link speed = nic_gbps / nic_ports"},
        {"hb_domain_gpus", "integer", "", "one server", "a multiple of gpus_per_server", "GPUs that share a scale-up domain"},
        {"hb_gbps", "number", "Gb/s", "from the server", "above 0", "one direction of one GPU's scale-up bandwidth"},
        {"rails", "integer", "", "NICs of a server, or of an HB domain under rail-only", "1…that", "rail of a NIC = its index mod rails"},
        {"radix", "integer", "", "from the switch", "2…4096", "ports of a leaf at the link speed"},
        {"spine_radix", "integer", "", "from the switch", "2…4096", "ports of the tiers above at uplink_gbps"},
        {"tiers", "choice", "", "auto", "auto, 1…4", "switch tiers; auto takes the fewest that fit"},
        {"oversubscription", "ratio", "", "1:1", "d:u", "leaf ports down to up: d·⌊radix/(d+u)⌋ and u·⌊radix/(d+u)⌋"},
        {"leaf_down", "integer", "", "by oversubscription", "1…radix", "ports of a leaf towards servers"},
        {"leaf_up", "integer", "", "by oversubscription", "0…radix", "ports of a leaf towards spines"},
        {"core_oversubscription", "ratio", "", "1:1", "d:u", "the same one tier higher"},
        {"uplink_gbps", "number", "Gb/s", "the link speed", "above 0", "speed of leaf uplinks and everything above"},
        {"su_servers", "integer", "", "what leaf_down holds", "1…", "servers of a scalable unit"},
        {"pod_servers", "integer", "", "what half a spine holds", "1…", "servers of a pod in three tiers"},
        {"planes", "integer", "", "1", "1…NIC ports of a server",
         "separate fabrics; plane of a NIC port = (nic · nic_ports + port) mod planes"},
        {"manager_ports", "integer", "", "0", "0…", "ports for the fabric manager, one a leaf, leaves 1… of the last SU"},
        {"spine_rule", "choice", "", "even-split", "even-split, exact", "smallest spine count that divides the uplinks, or just enough"},
        {"uplinks", "choice", "", "full-su", "full-su, used", "uplinks as for full SUs, or as many as down-ports in use"},
        {"rail_scope", "choice", "", "shared", "shared, per-rail", "spines of a pod serve all its rails, or one (three tiers)"},
        {"spines", "integer", "", "by spine_rule", "need…uplinks", "spines of a network (of a pod in three tiers), set by hand"},
        {"trunk", "choice", "", "per-link", "per-link, per-cage", "a cable carries one link, or all that leave one cage on its lower side"},
        {"medium", "choice", "", "optical", "optical, by-length", "fibre only, or copper where it reaches (places racks)"},
        {"racks", "choice", "", "auto with medium=by-length, else none", "none, auto", "without racks every cable is 30 m"},
        {"rack", "part", "", "the one made for the server, else the smallest that holds it", "catalog list --kind rack", "rack part"},
        {"servers_per_rack", "integer", "", "what power and units allow", "1…that", "servers of a rack"},
        {"row_racks", "integer", "", "as square as whole SUs allow", "1…10000", "racks of a row"},
        {"leaf_racks", "choice", "", "middle", "middle, end", "leaf racks amid the racks of their SU, or before them"},
        {"aisle_m", "number", "m", "1.2", "0…20", "between two rows"},
        {"tray_height_m", "number", "m", "2.7", "1…20", "of the cable trays above the floor"},
        {"slack_m", "number", "m", "1", "0…50", "service loop at each end of a cable that leaves its rack (assumption)"},
        {"slack_fraction", "number", "", "0.05", "0…1", "of the route, on top (assumption)"},
    };
    return table;
}

} // namespace railyard
