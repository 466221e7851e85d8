// What people call an element: its label. Outputs for programs keep paths.
#pragma once

#include "core/design/model/design.h"

#include <string>

namespace railyard {

class ElementNames {
public:
    explicit ElementNames(const Design& design);
    // The label of the element; without one, that of the nearest element around it and the rest of the path: dgx-001/nic[3].
    std::string nameOf(const std::string& path) const;

private:
    const Design& m_design;
    bool m_hasLabels = false;
};

} // namespace railyard
