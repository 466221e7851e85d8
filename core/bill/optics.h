// Which module and which fibre for a link: accepted by both cages at the lane rate, shortest reach class that is long
// enough, multimode before single-mode, then lowest known price, then id. A choice per kind of link, not per link.
#pragma once

#include "core/fabric/fabric.h"

#include <map>

namespace railyard {

// A hole in a faceplate, and how many links of one speed it serves.
struct Cage {
    std::string form; // osfp-finned, osfp-flat, ...; "any" takes every single-port NIC module
    int links = 1;
    Bandwidth speed;
    std::string protocol; // of switches: ib, eth; empty elsewhere
    auto operator<=>(const Cage&) const = default;
};

struct OpticChoice {
    const Part *a = nullptr, *b = nullptr; // modules of the two ends; null where the catalogue has none that fits
    const Part* fibre = nullptr;           // null where the catalogue has none with these connectors
    std::string medium;                    // mmf, smf; empty while unknown
    std::string fibreName;                 // in words, for the bill
};

class OpticChooser {
public:
    explicit OpticChooser(const Catalog& catalog) : m_catalog(catalog) {}
    const OpticChoice& choose(const Cage& a, const Cage& b, Metres length);

private:
    OpticChoice find(const Cage& a, const Cage& b, Metres length) const;
    const Catalog& m_catalog;
    std::map<std::tuple<Cage, Cage, double>, OpticChoice> m_known;
};

} // namespace railyard
