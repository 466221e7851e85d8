// Parallel coordinates: an axis for each quantity, a line for each row through its values.
#pragma once

#include "widgets/plots/plot_page.h"
#include "widgets/theme/plain_text.h"

#include <functional>
#include <optional>
#include <vector>

namespace railyard {

struct ParallelData {
    struct Axis {
        QString name;
        std::vector<std::pair<double, QString>> labels; // at heights from 0 to 1
    };
    struct Line {
        std::vector<std::optional<double>> heights; // by axis, from 0 to 1
        int row = 0;                                // that `chosen` names
        bool isMarked = false;
    };
    QString title, subtitle, hint;
    std::vector<Axis> axes;
    std::vector<Line> lines;
    std::function<RichText(int row)> tip; // of a row
};

class ParallelPlot : public PlotPage {
    Q_OBJECT

public:
    explicit ParallelPlot(QWidget* parent = nullptr);
    void show(const ParallelData& shown, const Tokens& tokens);
    std::optional<std::size_t> lineAt(QPoint position) const; // the nearest within reach of the pointer

signals:
    void chosen(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addLines(bool areMarked);
    void drawAxes();
    void highlight(std::optional<std::size_t> line);

    ParallelData m_data;
    class QCPCurve* m_highlight = nullptr; // owned by the plot
    std::optional<std::size_t> m_highlighted;
};

} // namespace railyard
