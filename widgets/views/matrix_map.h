// Who sends whom how much, GPU by GPU: every pair a cell, HB domains outlined, the wheel zooms, dragging pans.
#pragma once

#include "core/analysis/traffic_matrix.h"
#include "widgets/views/plot_page.h"

#include <array>
#include <memory>

class QCPItemRect;

namespace railyard {

struct MatrixMapData {
    QString title, subtitle;
    std::shared_ptr<const TrafficMatrix> matrix; // none: only the words
    QString what = QStringLiteral("GPU");        // rows are
    bool isByKind = false;                       // colours tell the kinds apart, and how strong they are the volume
    FabricPointer fabric{};                      // of the matrix, for the ways between its GPUs; none: no ways are told
};

class MatrixMap : public PlotPage {
    Q_OBJECT

public:
    explicit MatrixMap(QWidget* parent = nullptr);
    void show(const MatrixMapData& shown, const Tokens& tokens);
    QString tipAt(QPoint position) const;

signals:
    void pairChosen(std::uint32_t from, std::uint32_t to); // GPUs as devices

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawAxes();
    void keepInside();
    void keepSquare();
    QString legend() const;
    QString subtitle() const;
    double rowsPerPixel() const;
    const TrafficMatrix::Cell* cellBelow(QPoint position) const;
    void moveCross(const TrafficMatrix::Cell* cell);

    QLabel* m_legend = nullptr;
    std::array<QCPItemRect*, 2> m_cross{}; // row and column below the pointer; the plot owns them
    MatrixMapData m_data;
};

} // namespace railyard
