// Points over two quantities, with the line through the best of them.
#pragma once

#include "widgets/plots/plot_page.h"
#include "widgets/theme/plain_text.h"

#include <functional>
#include <optional>
#include <vector>

namespace railyard {

struct ScatterData {
    struct Tick {
        double value = 0, step = 0; // to the next tick
        double largest = 0;         // absolute value on the axis
    };
    struct Point {
        double x = 0, y = 0;
        int row = 0; // that `chosen` names
    };
    QString title, subtitle, hint, xName, yName;
    std::vector<Point> points;
    std::function<RichText(int row)> tip;             // of a row
    std::vector<std::size_t> front;                   // of the points, from left to right
    bool isLessBetter[2] = {true, true};              // of x and y
    std::function<QString(const Tick&)> xText, yText; // without, numbers
};

class ScatterPlot : public PlotPage {
    Q_OBJECT

public:
    explicit ScatterPlot(QWidget* parent = nullptr);
    void show(const ScatterData& shown, const Tokens& tokens);
    std::optional<std::size_t> pointAt(QPoint position) const; // the nearest within reach of the pointer

signals:
    void chosen(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawPoints();
    void drawAxes();

    ScatterData m_data;
};

} // namespace railyard
