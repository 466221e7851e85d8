// The Compare view: the design and its twin side by side, with the difference of every metric in absolute terms and in percent.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace railyard {

class SceneView;

// A design next to another one. Computed in any thread: it builds the best twin, elaborates it and computes the metrics of both.
struct Comparison {
    SnapshotPointer shown;
    DesignPointer other; // null: there is no twin, and `why` says the reason
    FabricPointer fabric;
    Metrics a, b;
    QString why;
};
Comparison comparisonWithTwin(SnapshotPointer shown, const TaskContext& context = {});
Comparison comparisonWith(SnapshotPointer shown, DesignPointer other, const TaskContext& context = {});

class CompareView : public QWidget {
    Q_OBJECT

public:
    explicit CompareView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void compareWithTwin();
    void compareWith(DesignPointer other);
    bool hasOther() const { return m_now.other != nullptr; }
    DesignPointer other() const { return m_now.other; } // null while it is being computed
    void wait() { m_answers.wait(); }                   // tests

signals:
    void refused(const QString& reason);
    void exportAsked();
    void openOtherAsked();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void clear();
    void refresh();
    void fillTable();

    Document& m_document;
    Tokens m_tokens;
    QLabel *m_verdict = nullptr, *m_subtitle = nullptr, *m_nameA = nullptr, *m_nameB = nullptr;
    SceneView *m_viewA = nullptr, *m_viewB = nullptr;
    QTableWidget* m_table = nullptr;
    DesignPointer m_wanted; // null: the twin
    Comparison m_now;
    LatestTask<Comparison> m_answers;
};

// The rows of the comparison table (name, A, B, delta, percent), used by the view and by the exported picture.
struct ComparedFigure {
    QString name, a, b, delta;
    std::optional<double> percent;
    bool lessIsBetter = true;
};
std::vector<ComparedFigure> comparedFigures(const Metrics& a, const Metrics& b);

} // namespace railyard
