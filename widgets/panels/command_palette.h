// Everything by name: type a few letters of an action, of an element or of a part, and press Enter.
#pragma once

#include "core/fabric/fabric.h"

#include <QAction>
#include <QDialog>
#include <QList>

class QLineEdit;
class QListWidget;

namespace railyard {

class CommandPalette : public QDialog {
    Q_OBJECT

public:
    // Actions without text, or disabled, are not offered. With `elementsOnly` it looks for elements of the design alone.
    CommandPalette(QList<QAction*> actions, FabricPointer fabric, bool elementsOnly, QWidget* parent);

    QAction* action() const { return m_action; } // what was chosen: an action,
    QString path() const { return m_path; }      // or an element, perhaps with a port,
    QString partId() const { return m_part; }    // or a part of the catalogue

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void choose();

    QList<QAction*> m_actions;
    FabricPointer m_fabric;
    bool m_elementsOnly;
    QLineEdit* m_text;
    QListWidget* m_list;
    QAction* m_action = nullptr;
    QString m_path, m_part;
};

} // namespace railyard
