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
    struct Failed {
        std::size_t node = 0;
        int devices = 0, all = 0; // that have failed; in all
        std::vector<int> nics;    // of those that have failed, the NICs, from 1
        bool isWhole() const { return devices == all; }
        bool areOnlyNics() const { return static_cast<std::size_t>(devices) == nics.size(); }
    };
    void paintNics(QPainter& painter, const Failed& failed, const QRectF& box) const;

    std::function<void(const std::string&)> m_asked;
    std::vector<Failed> m_failed;
    std::vector<std::size_t> m_deadBundles;
};

} // namespace railyard
