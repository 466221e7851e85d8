// The bar of the concurrent-jobs mode: the servers of each job, and how much the jobs slow each other on the fabric with its current
// failures. It is visible while the mode is on; jobs never become part of the design.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/collective/collective.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QFrame>
#include <memory>

class QComboBox;
class QLabel;
class QSpinBox;

namespace railyard {

class JobBar : public QFrame {
    Q_OBJECT

public:
    using Utilisations = std::shared_ptr<const std::vector<double>>; // indexed by link of the design; null: nothing to show

    explicit JobBar(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void setOn(bool on);
    void wait() { m_answers.wait(); } // tests

signals:
    void loadsChanged(const railyard::JobBar::Utilisations& loads);
    void territoriesChanged(const railyard::Territories& territories);
    void locateAsked(const QString& path);
    void leaveAsked();

private:
    struct Answer {
        Utilisations ofLinks;
        Territories territories;
        QString words, bottleneck, refusal;
    };
    struct Question {
        FabricPointer intact, left;
        Removal failed;
        std::int64_t jobs = 1;
        bool isSpread = false;
        CollectiveOp op = CollectiveOp::AllReduce;
        Bytes size;
    };
    static Answer answerTo(const Question& question);
    Question question() const;
    void ask();
    void take(const Answer& answer);

    Document& m_document;
    QSpinBox* m_jobs;
    QComboBox *m_placement, *m_op, *m_size;
    QLabel* m_text;
    QString m_bottleneck;
    LatestTask<Answer> m_answers;
    bool m_on = false;
};

} // namespace railyard
