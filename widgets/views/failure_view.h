// The Failure view: how often a job on the design is interrupted and by which parts, the benefit of standbys, the remaining bandwidth, and
// the impact of one failure takes. Its fields edit the failure model of the design.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"
#include "widgets/views/failure_answer.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace railyard {

class BandPlot;
class FailureTable;
class ParameterForm;
class PolicyCards;
class SingleFailureList;
class UseBars;

class FailureView : public QWidget {
    Q_OBJECT

public:
    explicit FailureView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void wait(); // tests

signals:
    void locateAsked(const QString& path);
    void failAsked(); // the failure mode of the drawing

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* settings();
    QWidget* answers();
    QWidget* singles();
    QString placeOf(const QString& path) const;
    void store(const ReliabilityRequest& request);
    void storeEdits();
    void refresh();
    void showAnswer();
    void showCurves();

    Document& m_document;
    Tokens m_tokens;
    ParameterForm* m_form;
    QLabel *m_headline = nullptr, *m_note = nullptr, *m_verdict = nullptr, *m_policyTitle = nullptr, *m_policyVerdict = nullptr;
    QLabel *m_pair = nullptr, *m_remedyTitle = nullptr, *m_remedies = nullptr;
    FailureTable* m_table = nullptr;
    BandPlot *m_standbys = nullptr, *m_bandwidth = nullptr;
    UseBars* m_use = nullptr;
    QPushButton* m_keep = nullptr;
    SingleFailureList* m_singles = nullptr;
    QWidget* m_side = nullptr; // with them
    PolicyCards* m_policies = nullptr;
    FailureRequest m_asked;
    FailureAnswer m_answer;
    FailureCurvesAnswer m_curves;
    LatestTask<FailureAnswer> m_answers;
    LatestTask<FailureCurvesAnswer> m_curving;
};

} // namespace railyard
