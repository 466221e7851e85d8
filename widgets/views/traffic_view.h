// For the open design: collective time over message size and servers, or over NIC and HB bandwidth; what hashing costs.
#pragma once

#include "widgets/document/beside.h"
#include "widgets/document/document.h"
#include "widgets/views/cell_map.h"
#include "widgets/views/curve_plot.h"
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
    QString picture() const; // what `railyard render --view` calls the map that is shown
    void refresh();

signals:
    void exportAsked();
    void pairChosen(std::uint32_t from, std::uint32_t to); // GPUs of the design, as devices

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Question { // what is to be shown
        SnapshotPointer of;
        QString picture;
        CollectiveOp op = CollectiveOp::AllReduce;
        JobChoice job;
        bool operator==(const Question&) const = default;
    };
    struct Answer {
        Question to;
        CellMapData cells;
        CurveData curves;
        MatrixMapData matrix;
    };
    Question question() const;
    static Answer answerTo(const Question& question);
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
    Answer m_answer; // to the last question that was worked out
    Question m_asked;
    Beside<Answer> m_answers;
};

} // namespace railyard
