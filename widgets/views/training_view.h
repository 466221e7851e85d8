// The Training view: the estimate of a training job on this design and on the other layout. The job is not part of the design.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/training/search.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"
#include "widgets/views/training_form.h"

#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;

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
        PlannedJob asked;
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
    void refresh(bool isSearched = false);
    void take(Answer answer);
    void showAnswer();

    Document& m_document;
    Tokens m_tokens;
    TrainingForm* m_form;
    QPushButton* m_best;
    QLabel *m_headline, *m_note, *m_facts;
    StackedBars* m_bars;
    Request m_asked;
    Answer m_answer;
    LatestTask<Answer> m_answers;
};

} // namespace railyard
