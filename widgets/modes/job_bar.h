// The bar of the concurrent-jobs mode: the servers of each job, and how much the jobs slow each other on the fabric with its current
// failures. It is visible while the mode is on; jobs never become part of the design.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/collective/collective.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/document/latest_task.h"
#include "widgets/modes/mode_bar.h"

#include <memory>

class QComboBox;
class QLabel;
class QSpinBox;

namespace railyard {

class JobBar : public ModeBar {
    Q_OBJECT

public:
    explicit JobBar(Document& document, QWidget* parent = nullptr);
    void wait() { m_answers.wait(); } // tests

signals:
    void territoriesChanged(const railyard::Territories& territories);

private:
    void start() override { ask(); }
    void stop() override;
    void designChanged() override { ask(); }
    struct Answer {
        Utilisations ofLinks;
        Territories territories;
        QString words, bottleneck, refusal;
    };
    struct Request {
        FabricPointer intact, degraded;
        Removal failed;
        std::int64_t jobs = 1;
        bool isSpread = false;
        CollectiveOp op = CollectiveOp::AllReduce;
        Bytes size;
    };
    static Answer answerTo(const Request& request);
    Request request() const;
    void ask();
    void take(const Answer& answer);

    QSpinBox* m_jobs;
    QComboBox *m_placement, *m_op, *m_size;
    LatestTask<Answer> m_answers;
};

} // namespace railyard
