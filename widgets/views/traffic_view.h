// For the open design: collective time over message size and servers, or over NIC and HB bandwidth; what hashing costs.
#pragma once

#include "core/collective/collective.h"
#include "widgets/document/document.h"
#include "widgets/views/cell_map.h"
#include "widgets/views/curve_plot.h"

class QComboBox;
class QStackedWidget;

namespace railyard {

class TrafficView : public QWidget {
    Q_OBJECT

public:
    explicit TrafficView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    CellMap& map() { return *m_map; }
    CollectiveOp op() const;
    QString picture() const; // what `railyard render --view` calls the map that is shown
    void refresh();

signals:
    void exportAsked();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void askForCurves();
    void takeCurves(const CurveData& curves, const SnapshotPointer& of);

    Document& m_document;
    Tokens m_tokens;
    QStackedWidget* m_stack = nullptr;
    CellMap* m_map = nullptr;
    CurvePlot* m_curves = nullptr;
    QComboBox *m_op = nullptr, *m_kind = nullptr;
    SnapshotPointer m_shown;
    CurveData m_collisions;
    SnapshotPointer m_collisionsOf; // none yet
    bool m_working = false;         // at collisions
};

} // namespace railyard
