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
    const Part* cable = nullptr;           // fibre, or copper with its plugs; null where the catalogue has none that fits
    std::string medium;                    // mmf, smf, dac, acc, aec; empty while unknown
    std::string cableName;                 // in words, for the bill
    Metres ordered;                        // the stock length to buy
    bool pluggable() const { return !cable || !cable->as<CablePart>() || cable->as<CablePart>()->nearForm.empty(); } // needs modules
};

// The next length one can buy: from the part's list, else from those that fibre is sold in; beyond the longest, cut to
// the next 10 m.
Metres stockLength(const Part* cable, Metres length);

// What a run of cable has to reach, in steps: no choice differs between two lengths of one step.
class ReachSteps {
public:
    explicit ReachSteps(const Catalog& catalog);
    std::size_t stepOf(Metres length) const; // the shortest published reach that is long enough; size() beyond the longest
    std::size_t size() const { return m_reaches.size(); }
    Metres reachOf(std::size_t step) const; // endless for size()

private:
    std::vector<Metres> m_reaches;
};

class OpticChooser {
public:
    explicit OpticChooser(const Catalog& catalog) : m_catalog(catalog) {}
    // `joined`: ports split at both ends whose lanes run together, so that no splitter is needed.
    const OpticChoice& choose(const Cage& a, const Cage& b, Metres length, bool joined = false);
    // Copper, or with `optical` an active optical cable, with `ways` plugs at the end of `far`, shortest reach first, then lowest price,
    // then id; null where none fits.
    const Part* fixedEnds(const Cage& near, const Cage& far, int ways, Metres length, bool optical = false) const;

private:
    OpticChoice find(const Cage& a, const Cage& b, Metres length, bool joined) const;
    const Catalog& m_catalog;
    std::map<std::tuple<Cage, Cage, double, bool>, OpticChoice> m_known;
};

} // namespace railyard
