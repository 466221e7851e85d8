// The Traffic view: the heat maps and curves of the open design (mapTable), such as collective times and the traffic matrix of its training
// job.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "widgets/document/latest_task.h"
#include "widgets/plots/cell_map.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/views/map_table.h"

class QHBoxLayout;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace railyard {

class TrafficView : public QWidget {
    Q_OBJECT

public:
    explicit TrafficView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    CellMap& map() { return *m_map; }
    CollectiveOp op() const;
    ColorScale scale() const;
    bool isByKind() const;   // the traffic matrix is coloured by parallelism
    QString picture() const; // the name of the shown map in `railyard render --view`
    void refresh();

signals:
    void exportAsked();
    void jobAsked(); // to edit the training job
    void pairChosen(DeviceId from, DeviceId to);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Request { // identifies the requested map
        SnapshotPointer of;
        const MapInfo* map = nullptr;
        CollectiveOp op = CollectiveOp::AllReduce;
        bool isByKind = false;
        bool operator==(const Request&) const = default;
    };
    struct Answer {
        Request to;
        MapContent content;
    };
    Request request() const;
    static Answer answerTo(const Request& request, const TaskContext& context);
    const MapInfo& chosen() const;
    QComboBox* choice(QHBoxLayout& row, const QString& name, const QString& object);
    QWidget* jobRow();
    void take(Answer answer);
    void draw();

    Document& m_document;
    Tokens m_tokens;
    QStackedWidget* m_stack = nullptr;
    CellMap* m_map = nullptr;
    CurvePlot* m_curves = nullptr;
    MatrixMap* m_matrix = nullptr;
    QComboBox *m_kind = nullptr, *m_op = nullptr, *m_color = nullptr, *m_scale = nullptr;
    QWidget *m_opRow = nullptr, *m_jobRow = nullptr, *m_colorRow = nullptr;
    QLabel* m_job = nullptr;
    Answer m_answer; // the last finished map
    Request m_asked;
    LatestTask<Answer> m_answers;
};

} // namespace railyard
