// Lines over a logarithmic axis in QCustomPlot, each with its name beside it, with a read-out on hover.
#pragma once

#include "widgets/views/plot_page.h"

#include <vector>

namespace railyard {

struct CurveData {
    struct Line {
        QString name;
        std::vector<std::pair<double, double>> points; // x rising
    };
    QString title, subtitle, xName, yName;
    std::vector<Line> lines;   // at most as many as there are rail colours
    std::vector<double> ticks; // of x, labelled as they are
    double least = 0;          // where the y axis begins
};

class CurvePlot : public PlotPage {
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);
    void show(const CurveData& curves, const Tokens& tokens);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawLines();
    void drawAxes(double most);

    CurveData m_data;
};

} // namespace railyard
