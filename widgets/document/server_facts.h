// What stands in one server and where its NICs lead, as the inspector says it.
#pragma once

#include "core/bill/cabling.h"

#include <QString>
#include <optional>

namespace railyard {

struct ServerFacts {
    struct Nic {             // a row for every cabled port, and one for a NIC without a cable
        std::size_t nic = 0; // into `nics`
        int rail = 0;        // 0: none
        QString farEnd;      // its port as it is named beside it: leaf[2]:5; empty: no cable
        QString farPath;     // of that port
        QString cable, length;
    };
    std::vector<int> gpus, nics, hbSwitches;      // their numbers
    std::vector<Nic> rows;                        // in the order of the NICs
    std::vector<std::vector<std::size_t>> nicsOf; // by GPU, into `nics`: those that it uses
    std::vector<std::vector<int>> hbLinks;        // by GPU and HB switch: how many; empty where GPUs are joined directly, or not at all
    int hbSwitchesPerTray = 0;                    // 0: they stand in no tray of their own
    Bandwidth hbLink;                             // of one of them, one-way
    Bandwidth hbOfGpu;                            // of all of the first GPU
    const Part* part = nullptr;                   // null: unknown
};
// Empty if the path is no server. Reads every link once.
std::optional<ServerFacts> serverFactsAt(const Fabric& fabric, const Cabling& cabling, const std::string& path);

// Trays of racks that are bought as a whole, and nothing else.
bool areTraysOfRacks(const Fabric& fabric, const std::vector<std::string>& paths);
// The loss of GPUs when these trays fail: "If it fails: 4 GPUs lost · su[1]/hb[1] keeps 68 of 72 GPUs".
QString lossOfTrays(const Fabric& fabric, const std::vector<std::string>& paths);

} // namespace railyard
