#pragma once

#include "widgets/canvas/tools/tool.h"

#include <functional>

namespace railyard {

// Failure mode: a click fails an element, failed elements are crossed out, and the drawing is tinted.
class FailTool : public Tool {
public:
    FailTool(Viewport& port, std::function<void(const std::string& path)> asked);

    bool press(const Press& press) override;
    void paint(QPainter& painter) override;
    bool takeFailed(); // true if a failed element is hidden in a fold

private:
    void takeDeadBundles(const std::vector<bool>& gone);
    void paintDeadBundles(QPainter& painter) const;

    std::function<void(const std::string&)> m_asked;
    std::vector<std::pair<std::size_t, bool>> m_failed; // node, and whether all of it has failed
    std::vector<std::size_t> m_deadBundles;
};

} // namespace railyard
