#pragma once

#include "widgets/canvas/painter/failure_marks.h"
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
    std::function<void(const std::string&)> m_asked;
    FailureMarks m_marks;
};

} // namespace railyard
