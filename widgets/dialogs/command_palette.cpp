#include "widgets/dialogs/command_palette.h"

#include "core/fabric/search.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

namespace railyard {
namespace {

enum Role { KindRole = Qt::UserRole, ValueRole };
enum Kind { ActionRow, ElementRow, PartRow };

QString plain(QString text) { return text.remove(QLatin1Char('&')).remove(QStringLiteral("…")); }

// Matches if the text contains all words, in any order.
bool matches(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

CommandPalette::CommandPalette(const QList<QAction*>& actions, FabricPointer fabric, bool elementsOnly, QWidget* parent)
    : QDialog(parent),
      m_fabric(std::move(fabric)),
      m_elementsOnly(elementsOnly),
      m_text(new QLineEdit),
      m_list(new QListWidget) {
    setObjectName(QStringLiteral("command-palette"));
    setWindowTitle(elementsOnly ? tr("Find element") : tr("Command palette"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    m_text->setPlaceholderText(elementsOnly ? tr("Element, such as su 3 leaf 4, spine 12 or leaf[2]:17")
                                            : tr("Action, element (su 3 leaf 4:17) or part (qm9700)"));
    m_text->setAccessibleName(windowTitle());
    m_list->setAccessibleName(tr("Search results"));
    column->addWidget(m_text);
    column->addWidget(m_list);
    resize(560, 380);
    m_text->installEventFilter(this);
    connect(m_text, &QLineEdit::textChanged, this, [this] { fill(); });
    connect(m_text, &QLineEdit::returnPressed, this, [this] { choose(); });
    connect(m_list, &QListWidget::itemActivated, this, [this] { choose(); });
    for (QAction* action : actions) take(*action, {});
    fill();
}

void CommandPalette::take(QAction& action, const QString& menu) {
    const QString name = plain(action.text());
    const QString words = menu.isEmpty() ? name : menu + QStringLiteral(" › ") + name;
    if (!action.menu()) {
        if (!name.isEmpty() && !action.isSeparator()) m_commands.append({&action, words});
        return;
    }
    emit action.menu()->aboutToShow(); // a menu may be filled only when it is opened
    for (QAction* inside : action.menu()->actions()) take(*inside, words);
}

void CommandPalette::fill() {
    m_list->clear();
    const QString query = m_text->text().trimmed();
    const QStringList words = query.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto add = [&](const QString& text, Kind kind, const QVariant& value) {
        auto* item = new QListWidgetItem(text, m_list);
        item->setData(KindRole, kind);
        item->setData(ValueRole, value);
    };
    if (!m_elementsOnly) {
        for (qsizetype i = 0; i < m_commands.size(); ++i) {
            const auto& [action, text] = m_commands[i];
            if (!action->isEnabled() || !matches(text + QLatin1Char(' ') + action->statusTip(), words)) continue;
            const QString keys = action->shortcut().toString(QKeySequence::NativeText);
            add(keys.isEmpty() ? text : text + QStringLiteral("    ") + keys, ActionRow, i);
        }
    }
    for (const std::string& path : searchElements(*m_fabric, query.toStdString(), 40))
        add(QString::fromStdString(path), ElementRow, QString::fromStdString(path));
    if (!m_elementsOnly && query.size() >= 3)
        for (const auto& [id, part] : m_fabric->design->catalog->parts())
            if (const QString text = QString::fromStdString(id + "  " + part.name); matches(text, words))
                add(tr("Part %1").arg(text), PartRow, QString::fromStdString(id));
    if (m_list->count() > 0)
        m_list->setCurrentRow(0);
    else
        m_list->addItem(query.isEmpty() ? tr("Type to search.") : tr("No results for “%1”.").arg(query));
}

void CommandPalette::choose() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(KindRole).isValid()) return;
    const QVariant value = item->data(ValueRole);
    switch (item->data(KindRole).toInt()) {
    case ActionRow: m_action = m_commands[value.toInt()].action; break;
    case ElementRow: m_path = value.toString(); break;
    default: m_part = value.toString();
    }
    accept();
}

// The arrow keys move the selection in the list while the text field keeps the focus.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            const int step = key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : key == Qt::Key_PageUp ? -10 : 10;
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace railyard
