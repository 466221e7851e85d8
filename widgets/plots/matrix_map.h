// The traffic matrix: one cell for each pair of GPUs, HB domains outlined. The wheel zooms and dragging pans.
#pragma once

#include "core/analysis/maps/traffic_matrix.h"
#include "widgets/plots/plot_page.h"
#include "widgets/theme/plain_text.h"

#include <array>
#include <memory>

class QCPItemRect;

namespace railyard {

struct MatrixMapData {
    QString title, subtitle;
    std::shared_ptr<const TrafficMatrix> matrix; // null: only title and subtitle are shown
    QString what = QStringLiteral("GPU");        // what a row and a column stand for
    bool isByKind = false;                       // hue shows the kind of parallelism, intensity the volume
    FabricPointer fabric{};                      // used for the paths in tool tips; null: no paths are shown
};

class MatrixMap : public PlotPage {
    Q_OBJECT

public:
    explicit MatrixMap(QWidget* parent = nullptr);
    void show(const MatrixMapData& shown, const Tokens& tokens);
    RichText tipAt(QPoint position) const;

signals:
    void pairChosen(DeviceId from, DeviceId to);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void drawAxes();
    void keepInside();
    void keepSquare();
    RichText legend() const;
    QString subtitle() const;
    QString hint() const;
    double rowsPerPixel() const;
    const TrafficMatrix::Cell* cellBelow(QPoint position) const;
    void moveCross(const TrafficMatrix::Cell* cell);

    QLabel* m_legend = nullptr;
    std::array<QCPItemRect*, 2> m_cross{}; // row and column under the pointer; owned by the plot
    MatrixMapData m_data;
};

} // namespace railyard
