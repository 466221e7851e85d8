// The bar below the drawing while something is selected: which elements the next edit changes, and what Delete would take from the design.
#pragma once

#include "widgets/panels/edit_scopes.h"

#include <QFrame>

class QButtonGroup;
class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace railyard {

class InspectorPanel;

class ScopeBar : public QFrame {
    Q_OBJECT

public:
    ScopeBar(Document& document, InspectorPanel& inspector, QWidget* parent = nullptr);
    void setInView(bool drawing);           // it belongs to the drawing
    QSize minimumSizeHint() const override; // with short names, which layOut() chooses

signals:
    void deleteAsked();
    void failAsked(); // of trays, which are not deleted

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh(); // the segments
    void showCost();
    void showTrays(const ScopeChoice& choice);
    QString nameOf(const ScopeChoice& choice) const;
    QString shortNameOf(const ScopeChoice& choice) const;
    void layOut(); // "Position 4 in every SU (4)"

    Document& m_document;
    InspectorPanel& m_inspector;
    QBoxLayout* m_lines = nullptr;
    QHBoxLayout* m_segments;
    QButtonGroup* m_group;
    QLabel *m_takes, *m_breaks;
    QPushButton* m_delete;
    bool m_isInView = true, m_isOfTrays = false;
};

} // namespace railyard
