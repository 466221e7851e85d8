// The bar of the link-load mode: the traffic pattern, the load balancing and the resulting link utilisation on the fabric with its
// current failures. It is visible while the mode is on; traffic never becomes part of the design.
#pragma once

#include "core/routing/load_summary.h"
#include "core/routing/patterns.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/modes/mode_bar.h"

#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace railyard {

class LoadBar : public ModeBar {
    Q_OBJECT

public:
    explicit LoadBar(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens) override;
    void useTraffic(const QString& csvPath); // reads the traffic from a CSV file instead of using a pattern
    const LoadSummary& summary() const { return m_summary; }
    void wait() { m_answers.wait(); } // tests

private:
    void start() override { ask(); }
    void stop() override;
    void designChanged() override;
    struct Answer {
        Utilisations ofLinks;
        LoadSummary summary;
        QString words, busiestPath, refusal;
    };
    struct Request {
        FabricPointer intact, degraded;
        Removal failed;
        int pattern = 0;
        std::string file;
        RoutingOptions options;
    };
    Request request() const;
    static Answer answerTo(const Request& request);
    void ask();
    void take(const Answer& answer);
    void askForFile();

    QComboBox *m_pattern, *m_routing;
    QSpinBox* m_connections;
    QCheckBox* m_forwarded;
    QLabel* m_scale;
    QString m_file;
    LoadSummary m_summary;
    LatestTask<Answer> m_answers;
    int m_chosen = 0; // index of the pattern
};

} // namespace railyard
