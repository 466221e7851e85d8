// A line chart over a logarithmic x axis, drawn with QCustomPlot. Each line carries its label; a tool tip gives the values.
#pragma once

#include "widgets/plots/plot_page.h"

#include <vector>

namespace railyard {

struct CurveData {
    struct Line {
        QString name;
        std::vector<std::pair<double, double>> points; // in ascending order of x
    };
    QString title, subtitle, xName, yName;
    std::vector<Line> lines;   // no more lines than rail colours
    std::vector<double> ticks; // x values that get a tick and a label
    double least = 0;          // lower end of the y axis
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
