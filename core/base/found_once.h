// A value that is found when first asked for, by whichever thread asks first.
#pragma once

#include <mutex>

namespace railyard {

template <class Value>
class FoundOnce {
public:
    template <class Find>
    const Value& get(const Find& find) const {
        std::call_once(m_once, [&] { m_value = find(); });
        return m_value;
    }

private:
    mutable std::once_flag m_once;
    mutable Value m_value;
};

} // namespace railyard
