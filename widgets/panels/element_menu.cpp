#include "widgets/panels/element_menu.h"

#include "core/analysis/cable_edits.h"
#include "core/base/unit_text.h"
#include "core/fabric/edit_scope.h"
#include "core/fabric/path_finder.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <algorithm>

namespace railyard {

ElementMenu::ElementMenu(Document& document, std::vector<std::string> paths, bool isFailing, QWidget* parent)
    : QMenu(parent),
      m_document(document),
      m_paths(std::move(paths)) {
    setAttribute(Qt::WA_DeleteOnClose);
    if (m_paths.empty()) {
        addAction(tr("Fit design"), this, [this] { emit fitAsked(); });
        addAction(tr("Select all"), this, [this] { emit selectAllAsked(); });
        if (!isFailing) addAction(tr("Paste"), this, [this] { emit pasteAsked(); });
        return;
    }
    QAction* title = addAction(m_paths.size() == 1 ? asMenuText(text(m_paths.front()))
                                                   : tr("%1 elements").arg(text(formatCount(static_cast<std::int64_t>(m_paths.size())))));
    title->setEnabled(false);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    addSeparator();
    if (m_paths.size() == 1 && isPort(m_paths.front())) {
        addCable();
        return;
    }
    addAction(tr("Fit selection"), this, [this] { emit fitAsked(); });
    addSelections();
    addSeparator();
    if (m_paths.size() == 1)
        addAction(isFailing ? tr("Fail or restore") : tr("Mark as failed"), this, [this] { emit failAsked(m_paths.front()); });
    if (isFailing) return; // nothing is edited in this mode
    addElement();
}

void ElementMenu::addCable() {
    if (!cableAt(*m_document.now().fabric, m_paths.front())) {
        addAction(tr("Connect by dragging…"), this, [this] { emit connectAsked(); });
        return;
    }
    addAction(tr("Go to other end"), this, [this] { emit cableAsked(CableAct::OtherEnd); });
    addSeparator();
    addAction(tr("Move cable…"), this, [this] { emit cableAsked(CableAct::Move); });
    QAction* remove = addAction(tr("Disconnect"), this, [this] { emit cableAsked(CableAct::Disconnect); });
    remove->setShortcut(QKeySequence::Delete); // shown; the window's own action has it
    remove->setShortcutContext(Qt::WidgetShortcut);
}

void ElementMenu::addElement() {
    addAction(tr("Connect by dragging…"), this, [this] { emit connectAsked(); });
    addParts();
    addBlock();
    addSeparator();
    QAction* remove = addAction(tr("Delete"), this, [this] { emit deleteAsked(); });
    remove->setShortcut(QKeySequence::Delete); // shown; the window's own action has it
    remove->setShortcutContext(Qt::WidgetShortcut);
}

void ElementMenu::addParts() {
    const Fabric& fabric = *m_document.now().fabric;
    const PathFinder finder(fabric);
    const auto isSwitch = [&](const std::string& path) {
        const auto device = finder.device(path);
        return device && fabric.devices.routes(*device);
    };
    if (!std::all_of(m_paths.begin(), m_paths.end(), isSwitch)) return;
    QMenu* parts = addMenu(tr("Change part"));
    const Part* now = fabric.partOf(*finder.device(m_paths.front()));
    for (const auto& [id, part] : m_document.now().design->catalog->parts()) {
        if (!part.as<SwitchPart>()) continue;
        QAction* action = parts->addAction(asMenuText(text(switchText(part))), this,
                                           [this, id = id] { apply(setPart(*m_document.now().design, m_paths, id)); });
        action->setCheckable(true);
        action->setChecked(&part == now || (now && now->id == id));
    }
}

// What stands in the same row, SU or rail: the selections that take many clicks otherwise.
void ElementMenu::addSelections() {
    if (m_paths.size() != 1) return;
    const Fabric& fabric = *m_document.now().fabric;
    const PathFinder finder(fabric);
    const auto device = finder.device(m_paths.front());
    if (!device || !fabric.devices.routes(*device)) {
        const std::vector<std::string> all = inScope(fabric, m_paths, EditScope::All);
        if (all.size() > 1)
            addAction(tr("Select all %1 of this kind").arg(text(formatCount(static_cast<std::int64_t>(all.size())))), this,
                      [this, all] { emit selectAsked(all); });
        return;
    }
    const SwitchTier tier = fabric.devices.tier[*device];
    const std::uint32_t rail = fabric.devices.rail[*device];
    const auto add = [&](const QString& words, const auto& isMeant) {
        std::vector<std::string> paths;
        for (const DeviceId d : fabric.devices.ids())
            if (fabric.devices.routes(d) && fabric.devices.tier[d] == tier && isMeant(d)) paths.push_back(fabric.devicePath(d));
        if (paths.size() < 2) return;
        addAction(words.arg(text(formatCount(static_cast<std::int64_t>(paths.size())))), this, [this, paths] { emit selectAsked(paths); });
    };
    if (rail > 0)
        add(tr("Select all %2 switches of rail %1 in this tier").arg(rail).replace(QStringLiteral("%2"), QStringLiteral("%1")),
            [&](DeviceId d) { return fabric.devices.rail[d] == rail; });
    add(tr("Select all %1 of this block"), [&](DeviceId d) { return fabric.devices.scope[d] == fabric.devices.scope[*device]; });
    add(tr("Select all %1 of this tier"), [](DeviceId) { return true; });
}

void ElementMenu::addBlock() {
    const Design& design = *m_document.now().design;
    const bool isOverridden =
        std::any_of(m_paths.begin(), m_paths.end(), [&](const std::string& path) { return design.overrides.contains(path); });
    if (isOverridden) addAction(tr("Revert to recipe"), this, [this] { apply(backToRecipe(*m_document.now().design, m_paths)); });
}

void ElementMenu::apply(const Result<Edit>& edit) {
    QString reason;
    if (!m_document.apply(edit, &reason)) emit refused(reason);
}

} // namespace railyard
