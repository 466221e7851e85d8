// Keeps metrics pinned under a name, and lets the user choose the baseline that the design is compared with.
#pragma once

#include "widgets/document/document.h"

#include <QWidget>
#include <deque>

class QComboBox;
class QToolButton;

namespace railyard {

struct Baseline {
    QString name;
    InstantMetrics instant;
    std::optional<BackgroundMetrics> background; // empty until they are computed
    SnapshotPointer awaited;                     // the snapshot whose background metrics are still being computed, with its failures
    Failures failures;
};

class BaselineBar : public QWidget {
    Q_OBJECT

public:
    explicit BaselineBar(Document& document, QWidget* parent = nullptr);
    // Pins the current metrics and replaces an earlier baseline of the same name.
    void pin(const QString& name);
    void forget(const QString& name);
    const Baseline* chosen() const; // null if no baseline is chosen

signals:
    void changed();

private:
    void ask();
    void follow();

    Document& m_document;
    std::deque<Baseline> m_baselines; // in the order of the combo box, from its second entry on
    QComboBox* m_choice;
    QToolButton* m_forget;
};

} // namespace railyard
