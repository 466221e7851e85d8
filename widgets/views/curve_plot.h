// Lines over a logarithmic axis in QCustomPlot, each with its name beside it, with a read-out on hover.
#pragma once

#include "widgets/theme/tokens.h"

#include <QWidget>
#include <vector>

class QCustomPlot;
class QLabel;

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

class CurvePlot : public QWidget {
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);
    void show(const CurveData& curves, const Tokens& tokens);
    bool savePicture(const QString& path, int width, int height, double scale); // .png or .svg by extension

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawLines();
    void drawAxes(double most);

    QCustomPlot* m_plot = nullptr;
    QLabel *m_title = nullptr, *m_subtitle = nullptr;
    CurveData m_data;
    Tokens m_tokens;
};

} // namespace railyard
