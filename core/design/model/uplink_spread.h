// How the uplinks of switches are distributed over the switches of the tier above, for plans and for the fabric alike.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace railyard {

// Over `uppers` upper devices that a group of lower ones shares, lower by lower in path order.
class UplinkSpread {
public:
    explicit UplinkSpread(std::size_t uppers) : m_uppers(uppers) {}

    // Where link j < uplinks of the next lower device goes, from 0. Whole multiples of the uppers stand side by side; fewer uplinks
    // than uppers take the first; else in turn, so that ports fill evenly.
    std::size_t upperOf(std::size_t j, std::size_t uplinks) const {
        assert(j < uplinks);
        if (uplinks % m_uppers == 0) return j / (uplinks / m_uppers);
        return uplinks < m_uppers ? j : (m_turn + j) % m_uppers;
    }
    // visit(upper) for every link of the next lower device in order, until it answers false: upperOf() without a division for each.
    template <class Visit>
    void forEachUpper(std::size_t uplinks, Visit visit) const {
        const std::size_t each = uplinks % m_uppers == 0 ? uplinks / m_uppers : 1; // side by side
        std::size_t upper = uplinks > m_uppers && each == 1 ? m_turn % m_uppers : 0;
        for (std::size_t done = 0; done < uplinks;) {
            for (std::size_t k = 0; k < each; ++k, ++done)
                if (!visit(upper)) return;
            if (++upper == m_uppers) upper = 0;
        }
    }
    // After all links of a lower device, or of several with as many.
    void next(std::size_t uplinks, std::size_t lowers = 1) {
        if (uplinks > m_uppers) m_turn += uplinks * lowers;
    }

private:
    std::size_t m_uppers;
    std::uint64_t m_turn = 0;
};

} // namespace railyard
