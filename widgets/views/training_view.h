// The Training view: the estimate of a training job on this design and on the other layout. The job is not part of the design.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/training/search.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace railyard {

class StackedBars;

class TrainingView : public QWidget {
    Q_OBJECT

public:
    explicit TrainingView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void wait() { m_answers.wait(); } // tests

    // Computed in any thread.
    struct Request {
        SnapshotPointer shown;
        TrainingJob job; // degrees and batches of 0 are chosen
        bool isSearched = false;
    };
    struct Answer {
        Request to;
        std::optional<TrainingEstimate> own, twin;
        QString refusal, twinRefusal;
    };
    static Answer answerTo(const Request& request);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QSpinBox* number(QFormLayout& form, const QString& name, const QString& key, int most);
    Request request(bool isSearched) const;
    void refresh(bool isSearched = false);
    void take(Answer answer);
    void showAnswer();
    void showJob(const TrainingJob& job); // in the fields

    Document& m_document;
    Tokens m_tokens;
    QComboBox *m_model, *m_recompute, *m_zero;
    QSpinBox *m_tensor, *m_pipeline, *m_context, *m_expert, *m_microBatch, *m_globalBatch, *m_interleave;
    QPushButton* m_best;
    QLabel *m_headline, *m_note, *m_facts;
    StackedBars* m_bars;
    Request m_asked;
    Answer m_answer;
    bool m_isFilling = false; // fields are being set, not edited
    LatestTask<Answer> m_answers;
};

} // namespace railyard
