// The attachments of every endpoint one after the other.
#pragma once

#include "core/bisection/problem/endpoints.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace railyard {

class PortsOfEndpoints {
public:
    struct Port {
        NodeId node;
        Bandwidth capacity;
        bool operator==(const Port&) const = default;
        auto operator<=>(const Port&) const = default;
    };

    // Of each in the order of the attachments.
    explicit PortsOfEndpoints(const Endpoints& ends) : m_first(ends.size() + 1), m_ports(ends.attachments.size()) {
        for (const auto& a : ends.attachments) ++m_first[a.endpoint + 1];
        std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
        std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
        for (const auto& a : ends.attachments) m_ports[next[a.endpoint]++] = {a.node, a.capacity};
    }
    void sort() {
        for (std::size_t e = 0; e < size(); ++e) {
            const std::span own = std::span(m_ports).subspan(m_first[e], m_first[e + 1] - m_first[e]);
            if (!std::is_sorted(own.begin(), own.end())) std::sort(own.begin(), own.end());
        }
    }

    std::size_t size() const { return m_first.size() - 1; }
    std::span<const Port> of(std::size_t endpoint) const {
        return std::span(m_ports).subspan(m_first[endpoint], m_first[endpoint + 1] - m_first[endpoint]);
    }

private:
    std::vector<std::uint32_t> m_first; // by endpoint
    std::vector<Port> m_ports;
};

} // namespace railyard
