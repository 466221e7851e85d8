// A property of something that no longer changes, found when first asked for.
#pragma once

#include <atomic>

namespace railyard {

// Several threads may ask at the same time: they find the same. A copy does not know it, as the copy may be changed.
class KnownOnce {
public:
    KnownOnce() = default;
    KnownOnce(const KnownOnce&) {}
    KnownOnce& operator=(const KnownOnce&) {
        m_known = unknown;
        return *this;
    }
    template <class Find>
    bool get(const Find& find) const {
        signed char known = m_known.load(std::memory_order_relaxed);
        if (known == unknown) m_known.store(known = find() ? 1 : 0, std::memory_order_relaxed);
        return known == 1;
    }

private:
    static constexpr signed char unknown = -1;
    mutable std::atomic<signed char> m_known = unknown;
};

} // namespace railyard
