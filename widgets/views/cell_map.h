// A heat map of named cells in QCustomPlot: values in the cells, hatches for what does not exist, a read-out on hover.
#pragma once

#include "widgets/views/plot_page.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

class QCPItemRect;
class QCPItemText;

namespace railyard {

struct CellMapData {
    QString title, subtitle, xName, yName, colorName;
    QStringList xLabels, yLabels;              // yLabels from the bottom up
    std::vector<std::optional<double>> values; // row by row from the bottom; on the colour scale: 0...1, or -1...1
    std::vector<QString> cellText, tips;       // parallel
    std::vector<bool> undecided;               // hatched: no difference worth a colour
    bool isDiverging = false;
    double lowLabel = 0, highLabel = 1;
    QString hatchText;                       // what hatched cells of diverging maps are
    QString lowText, highText;               // ends of the colour scale
    std::optional<std::pair<int, int>> mark; // the design's own cell
    struct Contour {                         // drawn between the cells where it holds and those where it does not
        QString name;
        std::vector<bool> holds; // parallel to values
    };
    std::vector<Contour> contours;
    QString markText;
    struct Dot { // at a place between the cells
        double x = 0, y = 0;
        double share = 1; // of the largest
        QString tip;
    };
    std::vector<Dot> dots;
    QString dotText; // below the map: what they are
    bool isEmpty() const { return values.empty(); }
};

class CellMap : public PlotPage {
    Q_OBJECT

public:
    explicit CellMap(QWidget* parent = nullptr);
    void show(const CellMapData& cells, const Tokens& tokens);
    std::optional<std::pair<int, int>> cellAt(QPoint position) const;

signals:
    void hovered(int x, int y);
    void chosen(int x, int y);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawCells();
    void drawDots();
    void drawCross();
    void moveCross(std::optional<std::pair<int, int>> cell);
    QString legend() const;
    void drawContour(const CellMapData::Contour& contour);
    void nameContour(const QString& text, const std::vector<QPointF>& places);
    void fitTexts();
    bool nameColumns(int every);
    void drawAxes();
    QColor colorOf(double value) const;

    QLabel* m_legend = nullptr;
    std::vector<QCPItemText*> m_texts;     // of the cells; the plot owns them
    int m_namedColumns = 1;                // every so many
    std::vector<QPointF> m_names;          // where those of contours stand
    std::array<QCPItemRect*, 2> m_cross{}; // row and column below the pointer; the plot owns them
    CellMapData m_data;
};

} // namespace railyard
