// The bar of the link-load mode: the traffic pattern, the load balancing and the resulting link utilisation on the fabric with its
// current failures. It is visible while the mode is on; traffic never becomes part of the design.
#pragma once

#include "core/routing/load_summary.h"
#include "core/routing/patterns.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QFrame>
#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace railyard {

class LoadBar : public QFrame {
    Q_OBJECT

public:
    using Utilisations = std::shared_ptr<const std::vector<double>>; // indexed by link of the design; null: nothing to show

    explicit LoadBar(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void setOn(bool on);
    void useTraffic(const QString& csvPath); // reads the traffic from a CSV file instead of using a pattern
    const LoadSummary& summary() const { return m_summary; }
    void wait() { m_answers.wait(); } // tests

signals:
    void loadsChanged(const railyard::LoadBar::Utilisations& loads);
    void locateAsked(const QString& path);
    void leaveAsked();
    void refused(const QString& reason);

private:
    struct Answer {
        Utilisations ofLinks;
        LoadSummary summary;
        QString words, busiestPath, refusal;
    };
    struct Question {
        FabricPointer intact, left;
        Removal failed;
        int pattern = 0;
        std::string file;
        RoutingOptions options;
    };
    Question question() const;
    static Answer answerTo(const Question& question);
    void ask();
    void forget();
    void take(const Answer& answer);
    void askForFile();

    Document& m_document;
    QComboBox *m_pattern, *m_routing;
    QSpinBox* m_connections;
    QCheckBox* m_forwarded;
    QLabel *m_text, *m_scale;
    QString m_file, m_busiestPath;
    LoadSummary m_summary;
    LatestTask<Answer> m_answers;
    int m_chosen = 0; // index of the pattern
    bool m_on = false;
};

} // namespace railyard
