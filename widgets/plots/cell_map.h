// A heat map with labelled columns and rows, drawn with QCustomPlot. Cells show their value; missing cells are hatched; a tool tip gives
// details.
#pragma once

#include "widgets/plots/plot_page.h"
#include "widgets/theme/plain_text.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

class QCPItemRect;
class QCPItemText;

namespace railyard {

struct CellMapData {
    QString title, subtitle, xName, yName, colorName;
    QString hint;                 // how to use the map; not in exported pictures
    QStringList xLabels, yLabels; // yLabels run from bottom to top
    std::vector<std::optional<double>>
        values;                    // row by row from the bottom, as a position on the colour scale: 0...1, or -1...1 if diverging
    std::vector<QString> cellText; // parallel to values
    std::vector<RichText> tips;    // parallel to values
    std::vector<bool> undecided;   // drawn hatched because the difference is too small or too uncertain for a colour
    bool isDiverging = false;
    double lowLabel = 0, highLabel = 1;
    QString hatchText;                       // the legend's explanation of hatched cells in a diverging map
    QString lowText, highText;               // labels at the ends of the colour scale
    std::optional<std::pair<int, int>> mark; // the cell of the open design: column and row; a column of -1 marks the whole row
    struct Contour {                         // a line between the cells where a condition holds and those where it does not
        QString name;
        std::vector<bool> holds; // parallel to values
    };
    std::vector<Contour> contours;
    QString markText;
    struct Dot { // a marker at fractional cell coordinates
        double x = 0, y = 0;
        double share = 1; // relative to the largest dot
        QString tip;
    };
    std::vector<Dot> dots;
    QString dotText; // the caption below the map that explains the dots
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
    RichText legend() const;
    void drawContour(const CellMapData::Contour& contour);
    void nameContour(const QString& text, const std::vector<QPointF>& places);
    void fitTexts();
    bool nameColumns(int every);
    void drawAxes();
    QColor colorOf(double value) const;

    QLabel* m_legend = nullptr;
    std::vector<QCPItemText*> m_texts;     // cell values; owned by the plot
    int m_namedColumns = 1;                // every n-th column is labelled
    std::vector<QPointF> m_names;          // positions of the contour labels
    std::array<QCPItemRect*, 2> m_cross{}; // row and column under the pointer; owned by the plot
    CellMapData m_data;
};

} // namespace railyard
