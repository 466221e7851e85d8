// The passes of an iteration over time, a row for each pipeline stage, drawn with QCustomPlot. Ctrl and the wheel zoom, dragging moves,
// a double click shows all; a tool tip names the pass.
#pragma once

#include "widgets/plots/plot_page.h" // first, because moc cannot parse <concepts>

#include "core/training/pipeline_timeline.h"

#include <memory>

namespace railyard {

struct PipelineData {
    QString title, subtitle;
    std::shared_ptr<const PipelineTimeline> timeline; // null: only the words
};

class PipelinePlot : public PlotPage {
    Q_OBJECT

public:
    explicit PipelinePlot(QWidget* parent = nullptr);
    void show(const PipelineData& shown, const Tokens& tokens);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawAxes();
    void keepInside();
    void zoom(double factor, double at);
    void showTip(const QPointF& pixel, const QPoint& global);

    PipelineData m_data;
};

} // namespace railyard
