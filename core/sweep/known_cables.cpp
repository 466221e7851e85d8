#include "core/sweep/known_cables.h"

#include <utility>

namespace railyard {

std::shared_ptr<const CableFigures> KnownCables::find(const Fingerprint& key) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_figures.find(key);
    return found == m_figures.end() ? nullptr : found->second;
}

void KnownCables::add(const Fingerprint& key, std::shared_ptr<const CableFigures> figures) {
    const std::lock_guard lock(m_mutex);
    if (!m_figures.try_emplace(key, std::move(figures)).second) return;
    m_order.push_back(key);
    if (m_order.size() > mostKept) m_figures.erase(m_order.front()), m_order.pop_front();
}

} // namespace railyard
