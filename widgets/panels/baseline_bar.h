// Figures pinned by name, and the choice which of them the design is measured against.
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
    std::optional<BackgroundMetrics> background; // nothing until they are computed
    SnapshotPointer awaited;                     // of which they are being computed, and with what failed
    Failures failures;
};

class BaselineBar : public QWidget {
    Q_OBJECT

public:
    explicit BaselineBar(Document& document, QWidget* parent = nullptr);
    // The figures as they are now; in place of those of that name before.
    void pin(const QString& name);
    void forget(const QString& name);
    const Baseline* chosen() const; // nothing: measured against nothing

signals:
    void changed();

private:
    void ask();
    void follow();

    Document& m_document;
    std::deque<Baseline> m_baselines; // by the combo box, from its second entry
    QComboBox* m_choice;
    QToolButton* m_forget;
};

} // namespace railyard
