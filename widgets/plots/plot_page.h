// A chart with a title sentence above it, on screen and as an exported picture.
#pragma once

#include "widgets/theme/tokens.h"

#include <QWidget>

class QCPAxis;
class QCPPainter;
class QCustomPlot;
class QLabel;

namespace railyard {

class PlotPage : public QWidget {
    Q_OBJECT

public:
    explicit PlotPage(QWidget* parent = nullptr);
    // For exported pictures. Text is as large as on a slide: a page of 1920 × 1080 has none below 22 pixels. What only helps at
    // the screen, like a hint about the pointer, is left out.
    void paintOn(QCPPainter& painter, QSize size);
    QString title() const;
    QCustomPlot& plot() { return *m_plot; }

protected:
    // The wheel scrolls the page on which the chart stands; a chart that uses it takes it before.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void setWords(const QString& title, const QString& subtitle, const Tokens& tokens);
    void styleAxis(QCPAxis& axis) const; // fonts and colours
    void setSubtitle(const QString& subtitle);
    void setHint(const QString& hint); // how to use the chart; stands behind the subtitle on screen only
    // Adds a legend in rich text.
    void addBelow(QLabel* label);
    void addLegend(QLabel* label); // puts the legend to the right of a square plot

    QCustomPlot* m_plot = nullptr;
    Tokens m_tokens;

private:
    void showSubtitle();
    void drawWords(QPainter& painter) const;
    void drawLegend(QPainter& painter) const;
    void layOut();

    QLabel *m_title = nullptr, *m_subtitle = nullptr, *m_below = nullptr;
    QString m_words, m_hint; // the subtitle and what follows it on screen
    bool m_isPicture = false;
};

} // namespace railyard
