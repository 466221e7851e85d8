// Numbers (owner, slot) pairs, such as (switch, port), from 0 for tables with one entry per pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace railyard {

class SlotNumbers {
public:
    // `each` calls its argument with every pair in use, in any order and any number of times.
    template <class Each>
    SlotNumbers(std::size_t owners, Each each) : m_first(owners) {
        std::size_t pairs = 0;
        each([&](std::size_t owner, std::uint32_t slot) {
            m_first[owner] = std::max(m_first[owner], slot + 1);
            ++pairs;
        });
        number(pairs, each);
    }
    // Quicker, where it is known how many slots each owner has at most (`mostOf`), and how many pairs there are.
    template <class Each>
    SlotNumbers(std::vector<std::uint32_t> mostOf, std::size_t pairs, Each each) : m_first(std::move(mostOf)) {
        number(pairs, each);
    }

    std::size_t numberOf(std::size_t owner, std::uint32_t slot) const { // for a pair in use
        if (m_pairs.empty()) return std::size_t{m_first[owner]} + slot;
        return static_cast<std::size_t>(std::lower_bound(m_pairs.begin(), m_pairs.end(), std::pair(owner, slot)) - m_pairs.begin());
    }
    std::size_t size() const { return m_size; }

private:
    template <class Each>
    void number(std::size_t pairs, Each each) {
        for (std::uint32_t& first : m_first) m_size += std::exchange(first, static_cast<std::uint32_t>(m_size));
        // Slots are usually dense. A document may contain port numbers in the millions, which must not cost memory.
        if (m_size <= 16 * pairs + 1'000'000) return;
        m_pairs.reserve(pairs);
        each([&](std::size_t owner, std::uint32_t slot) { m_pairs.emplace_back(owner, slot); });
        std::sort(m_pairs.begin(), m_pairs.end());
        m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
        m_size = m_pairs.size();
    }

    std::vector<std::uint32_t> m_first; // by owner; not used where there are more pairs than numbers
    std::uint64_t m_size = 0;
    std::vector<std::pair<std::size_t, std::uint32_t>> m_pairs; // sorted; empty if slots are dense
};

} // namespace railyard
