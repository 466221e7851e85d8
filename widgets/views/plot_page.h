// A chart with its sentence above it, on screen and as a picture.
#pragma once

#include "widgets/theme/tokens.h"

#include <QWidget>

class QCPPainter;
class QCustomPlot;
class QLabel;

namespace railyard {

class PlotPage : public QWidget {
    Q_OBJECT

public:
    explicit PlotPage(QWidget* parent = nullptr);
    void paintOn(QCPPainter& painter, QSize size); // as a picture
    QString title() const;
    QCustomPlot& plot() { return *m_plot; }

protected:
    void setWords(const QString& title, const QString& subtitle, const Tokens& tokens);
    void setSubtitle(const QString& subtitle);
    // A legend, of rich text.
    void addBelow(QLabel* label);
    void addBeside(QLabel* label); // with the plot a square on its left

    QCustomPlot* m_plot = nullptr;
    Tokens m_tokens;

private:
    void drawWords(QPainter& painter) const;
    void drawLegend(QPainter& painter) const;
    void layOut();

    QLabel *m_title = nullptr, *m_subtitle = nullptr, *m_below = nullptr;
};

} // namespace railyard
