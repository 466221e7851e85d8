#include "core/reliability/server_pool.h"

#include <algorithm>

namespace railyard {

void ServerPool::start() {
    const std::size_t servers = m_operation.groupOf.size(), groups = m_operation.groups.size();
    m_down.assign(servers, 0);
    m_isUsed.assign(servers, false);
    m_up.assign(groups, 0);
    m_used.assign(groups, 0);
    m_wanted.assign(groups, 0);
    m_short.clear();
    m_spare.clear();
    m_missing = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
        const Operation::Group& group = m_operation.groups[g];
        m_up[g] = static_cast<std::uint32_t>(group.servers.size());
        m_wanted[g] = m_used[g] = group.needed;
        for (std::uint32_t i = 0; i < group.needed; ++i) m_isUsed[group.servers[i]] = true;
        if (group.needed == 0) m_spare.push_back(g);
    }
}

bool ServerPool::takeDown(std::uint32_t server) {
    if (m_down[server]++ > 0) return false;
    const std::uint32_t group = m_operation.groupOf[server];
    --m_up[group];
    if (!m_isUsed[server]) return false;
    m_isUsed[server] = false;
    --m_used[group];
    ++m_missing;
    if (std::find(m_short.begin(), m_short.end(), group) == m_short.end()) m_short.push_back(group);
    return true;
}

void ServerPool::bringUp(std::uint32_t server) {
    if (--m_down[server] == 0) ++m_up[m_operation.groupOf[server]];
}

void ServerPool::fill() {
    for (std::size_t at = 0; at < m_short.size() && m_missing > 0;) {
        const std::uint32_t group = m_short[at];
        use(group);
        if (m_used[group] < m_wanted[group]) migrate(group);
        if (m_used[group] < m_wanted[group])
            ++at;
        else
            m_short.erase(m_short.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

void ServerPool::use(std::uint32_t group) {
    for (const std::uint32_t server : m_operation.groups[group].servers) {
        if (m_used[group] >= m_wanted[group]) return;
        if (m_isUsed[server] || m_down[server] > 0) continue;
        m_isUsed[server] = true;
        ++m_used[group];
        --m_missing;
    }
}

void ServerPool::release(std::uint32_t group) {
    for (const std::uint32_t server : m_operation.groups[group].servers)
        if (m_isUsed[server]) m_isUsed[server] = false, --m_used[group], ++m_missing;
}

void ServerPool::migrate(std::uint32_t group) {
    const std::uint32_t wanted = m_wanted[group];
    const auto to = std::find_if(m_spare.begin(), m_spare.end(), [&](std::uint32_t each) { return m_up[each] >= wanted; });
    if (to == m_spare.end()) return;
    release(group);
    m_wanted[group] = 0;
    m_wanted[*to] = wanted;
    use(*to);
    *to = group;
}

} // namespace railyard
