// Finds actions, elements and parts by name: type a few letters and press Enter.
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
    // Actions are found by their own words, by those of the menus that lead to them, and by what their status tip says. Disabled actions
    // and actions without text are not listed. With `elementsOnly`, only elements of the design are searched.
    CommandPalette(const QList<QAction*>& actions, FabricPointer fabric, bool elementsOnly, QWidget* parent);

    QAction* action() const { return m_action; } // the chosen action, if any
    QString path() const { return m_path; }      // the path of the chosen element, with a port if one was typed
    QString partId() const { return m_part; }    // the id of the chosen catalogue part

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void choose();

    struct Command {
        QAction* action;
        QString words; // "Edit › Align › In a row"
    };
    void take(QAction& action, const QString& menu);

    QList<Command> m_commands;
    FabricPointer m_fabric;
    bool m_elementsOnly;
    QLineEdit* m_text;
    QListWidget* m_list;
    QAction* m_action = nullptr;
    QString m_path, m_part;
};

} // namespace railyard
