// Who sends whom how much, GPU by GPU: every pair a cell, HB domains outlined, the wheel zooms, dragging pans.
#pragma once

#include "core/analysis/traffic_matrix.h"
#include "widgets/views/plot_page.h"

#include <memory>

namespace railyard {

struct MatrixMapData {
    QString title, subtitle;
    std::shared_ptr<const TrafficMatrix> matrix; // none: only the words
    QString what = QStringLiteral("GPU");        // rows are
    bool isByKind = false;                       // colours tell the kinds apart, and how strong they are the volume
};

class MatrixMap : public PlotPage {
    Q_OBJECT

public:
    explicit MatrixMap(QWidget* parent = nullptr);
    void show(const MatrixMapData& shown, const Tokens& tokens);
    QString tipAt(QPoint position) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawAxes();
    void keepInside();
    void keepSquare();
    QString legend() const;
    QString subtitle() const;
    double rowsPerPixel() const;

    QLabel* m_legend = nullptr;
    MatrixMapData m_data;
};

} // namespace railyard
