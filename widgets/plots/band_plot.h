// A line chart over a linear or logarithmic x axis in which every line may have a band around it. Lines carry their names; one point may
// be marked with a flag.
#pragma once

#include "widgets/plots/plot_page.h"

#include <optional>
#include <vector>

namespace railyard {

struct BandPoint {
    double x = 0, y = 0, low = 0, high = 0; // the band from low to high
};

struct BandData {
    struct Line {
        QString name, note; // the note stands behind the name
        std::vector<BandPoint> points;
        bool isMain = true; // of this design; the other one is drawn thinner and its band is not filled
        bool hasBand = true;
    };
    struct Flag {
        double x = 0, y = 0;
        QString text;
    };
    QString title, subtitle, xName, bandName; // bandName: in the legend
    std::vector<Line> lines;
    std::optional<Flag> flag;
    double least = 0, most = 1;
    bool isPercent = false, isLogarithmic = false;
};

class BandPlot : public PlotPage {
    Q_OBJECT

public:
    explicit BandPlot(QWidget* parent = nullptr);
    void show(const BandData& shown, const Tokens& tokens);

private:
    void drawLine(const BandData::Line& line);
    void drawFlag(const BandData::Flag& flag);
    void drawAxes();
    void drawLegend();
    int pointsWithin(const QRectF& box) const;
    QColor colorOf(const BandData::Line& line) const { return line.isMain ? m_tokens.accent : m_tokens.neutral; }

    BandData m_data;
};

} // namespace railyard
