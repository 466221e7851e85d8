// An immutable text that all copies of a value share; empty takes no memory of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace railyard {

class SharedText {
public:
    SharedText() = default;
    explicit SharedText(std::string text) : m_text(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}
    bool empty() const { return !m_text; }
    std::string_view text() const { return m_text ? std::string_view(*m_text) : std::string_view(); }
    const std::shared_ptr<const std::string>& shared() const { return m_text; }
    bool operator==(const SharedText& other) const { return m_text == other.m_text || text() == other.text(); }

private:
    std::shared_ptr<const std::string> m_text;
};

} // namespace railyard
