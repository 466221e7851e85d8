#include "core/design/model/element_names.h"

#include <algorithm>

namespace railyard {

ElementNames::ElementNames(const Design& design)
    : m_design(design),
      m_hasLabels(
          std::any_of(design.overrides.begin(), design.overrides.end(), [](const auto& each) { return !each.second.label.empty(); })) {}

std::string ElementNames::nameOf(const std::string& path) const {
    for (std::size_t end = path.size(); m_hasLabels && end != std::string::npos && end > 0; end = path.rfind('/', end - 1)) {
        const auto change = m_design.overrides.find(path.substr(0, end));
        if (change != m_design.overrides.end() && !change->second.label.empty()) return change->second.label + path.substr(end);
    }
    return path;
}

} // namespace railyard
