// The Traffic view: maps and charts of the open design, such as collective times, the traffic matrix and hash collisions.
#pragma once

#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/plots/cell_map.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/views/heat_maps.h"

class QComboBox;
class QSpinBox;
class QStackedWidget;

namespace railyard {

class TrafficView : public QWidget {
    Q_OBJECT

public:
    explicit TrafficView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    CellMap& map() { return *m_map; }
    CollectiveOp op() const;
    JobChoice job() const;
    ColorScale scale() const;
    QString picture() const; // the name of the shown map in `railyard render --view`
    void refresh();

signals:
    void exportAsked();
    void pairChosen(DeviceId from, DeviceId to);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Request { // identifies the requested map
        SnapshotPointer of;
        QString picture;
        CollectiveOp op = CollectiveOp::AllReduce;
        JobChoice job;
        bool operator==(const Request&) const = default;
    };
    struct Answer {
        Request to;
        CellMapData cells;
        CurveData curves;
        MatrixMapData matrix;
    };
    Request request() const;
    static Answer answerTo(const Request& request);
    static void answerTimes(Answer& answer);
    QWidget* opRow();
    QWidget* jobRow();
    QWidget* scaleRow();
    void take(Answer answer);
    void draw();

    Document& m_document;
    Tokens m_tokens;
    QStackedWidget* m_stack = nullptr;
    CellMap* m_map = nullptr;
    CurvePlot* m_curves = nullptr;
    MatrixMap* m_matrix = nullptr;
    QComboBox *m_op = nullptr, *m_kind = nullptr, *m_model = nullptr, *m_against = nullptr, *m_color = nullptr, *m_scale = nullptr;
    QSpinBox *m_tensor = nullptr, *m_pipeline = nullptr, *m_expert = nullptr;
    QWidget *m_opRow = nullptr, *m_jobRow = nullptr, *m_againstRow = nullptr, *m_colorRow = nullptr;
    Answer m_answer; // the last finished map
    Request m_asked;
    LatestTask<Answer> m_answers;
};

} // namespace railyard
