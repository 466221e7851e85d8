#pragma once

#include "widgets/canvas/viewport/canvas_part.h"

namespace railyard {

// The two halves of a bisection: the share of every visible server on side A.
class HalvesOverlay : public CanvasPart {
public:
    using CanvasPart::CanvasPart;

    void show(const QString& key); // of a figure, as in railyard-cli explain; only bisections have halves
    const QString& figure() const { return m_figure; }
    const QString& text() const { return m_text; }
    void take(); // repeated after every edit, and when the background figures have arrived
    void paint(QPainter& painter) override;

private:
    QString m_figure, m_text;
    std::vector<std::pair<std::size_t, double>> m_halves; // node and its share on side A
};

} // namespace railyard
