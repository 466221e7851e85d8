// Selects module and fibre for a link: accepted by both cages at the lane rate, the shortest reach class that is long
// enough, multimode before single-mode, then the lowest known price, then the ID. One choice per kind of link, not per link.
#pragma once

#include "core/fabric/fabric.h"

#include <map>

namespace railyard {

// A cage of a faceplate, and the number of links of one speed that it serves.
struct Cage {
    std::string form; // osfp-finned, osfp-flat, ...; "any" accepts every single-port NIC module
    int links = 1;
    Bandwidth speed;
    std::string protocol; // for switches: ib, eth; otherwise empty
    auto operator<=>(const Cage&) const = default;
};

// How a fibre cable joins the sockets of two modules.
enum class FibreShape : std::uint8_t {
    Straight,  // one socket to one socket
    SplitsAtA, // a splitter: one socket at end a, one socket for each leg at end b
    SplitsAtB,
    Crossed // links of one socket run to several sockets that have other links too: no straight cable or splitter does it
};

struct OpticChoice {
    const Part *a = nullptr, *b = nullptr;        // modules at both ends; null if the catalogue has none that fits
    const Part* cable = nullptr;                  // fibre, or copper with connectors; null if the catalogue has none that fits
    std::string medium;                           // mmf, smf, dac, acc, aec; empty if unknown
    std::string cableName;                        // description for the bill
    Metres ordered;                               // stock length to order
    int linksPerSocketA = 1, linksPerSocketB = 1; // links that leave one socket of the module together
    FibreShape shape = FibreShape::Straight;
    bool pluggable() const { return !cable || !cable->as<CablePart>() || cable->as<CablePart>()->nearForm.empty(); } // needs modules
};

// The next available length: from the list of the part, otherwise from the usual fibre lengths; beyond the longest, rounded
// up to the next 10 m.
Metres stockLength(const Part* cable, Metres length);

// Reach in steps: the choice is the same for all lengths within a step.
class ReachSteps {
public:
    explicit ReachSteps(const Catalog& catalog);
    std::size_t stepOf(Metres length) const; // the shortest published reach that is long enough; size() beyond the longest
    std::size_t size() const { return m_reaches.size(); }
    Metres reachOf(std::size_t step) const; // infinite for size()

private:
    std::vector<Metres> m_reaches;
};

class OpticChooser {
public:
    explicit OpticChooser(const Catalog& catalog) : m_catalog(catalog) {}
    // `shape` matters only where several links share a socket at both ends; the modules do not depend on it.
    const OpticChoice& choose(const Cage& a, const Cage& b, Metres length, FibreShape shape = FibreShape::Crossed);
    // Copper, or with `optical` an active optical cable, with `breakout` connectors at the end of `far`: shortest reach first, then the
    // lowest price, then the ID; null if none fits.
    const Part* fixedEnds(const Cage& near, const Cage& far, int breakout, Metres length, bool optical = false) const;

private:
    OpticChoice find(const Cage& a, const Cage& b, Metres length, FibreShape shape) const;
    const Catalog& m_catalog;
    std::map<std::tuple<Cage, Cage, double, FibreShape>, OpticChoice> m_known;
};

} // namespace railyard
