// Cabling by hand between devices and groups of devices.
#include "core/fabric/connect.h"
#include "widgets/canvas/canvas.h"

#include <QMenu>

namespace railyard {

// From the pressed element, or from the selection that contains it, to the target element or to its whole row.
std::vector<ConnectChoice> Canvas::connectChoices(std::size_t from, std::size_t to) const {
    const FabricPointer fabric = m_document.now().fabric;
    const SceneNode& target = m_scene.nodes[to];
    const std::vector<std::string> one{pathOf(m_scene.nodes[from])}, there{pathOf(target)};
    std::vector<std::string> selected, row;
    if (m_highlight.selected.contains(from) && !m_highlight.selected.contains(to))
        for (const std::size_t n : m_highlight.selected) selected.push_back(pathOf(m_scene.nodes[n]));
    constexpr std::size_t longestRow = 512;
    for (const SceneNode& node : m_scene.nodes)
        if (node.shape == target.shape && node.handDrawn == target.handDrawn) {
            const auto n = static_cast<std::size_t>(&node - m_scene.nodes.data());
            if (n != from && (selected.empty() || !m_highlight.selected.contains(n))) row.push_back(pathOf(node));
        }
    const bool several = selected.size() > 1, isRow = row.size() > 1 && row.size() <= longestRow && target.device != none;
    const QString a = QString::fromStdString(one[0]), b = QString::fromStdString(there[0]);
    const auto n = static_cast<int>(selected.size()), m = static_cast<int>(row.size());
    std::vector<ConnectChoice> choices{
        {tr("%1 to %2: 1 cable").arg(a, b), [fabric, one, there] { return railyard::connect(*fabric, one[0], there[0]); }}};
    const auto add = [&](const QString& words, const std::vector<std::string>& as, const std::vector<std::string>& bs, GroupPattern how) {
        choices.push_back({words, [fabric, as, bs, how] { return connectGroups(*fabric, as, bs, how); }});
    };
    if (several) add(tr("Each of the %1 selected to %2: %1 cables").arg(n).arg(b), selected, there, GroupPattern::EachToEach);
    if (isRow) add(tr("%1 to each of the %2 like %3: %2 cables").arg(a).arg(m).arg(b), one, row, GroupPattern::EachToEach);
    if (several && isRow)
        add(tr("Each of the %1 selected to each of the %2: %3 cables").arg(n).arg(m).arg(n * m), selected, row, GroupPattern::EachToEach);
    if (several && isRow && n == m) add(tr("One to one, in order: %1 cables").arg(n), selected, row, GroupPattern::OneToOne);
    return choices;
}

// If there are several choices, a menu opens at the pointer. An impossible choice reports its reason when it is chosen.
void Canvas::finishConnect(QPointF screen) {
    const std::ptrdiff_t target = nodeAt(screen);
    const auto port = target < 0 ? std::nullopt : portAt(screen);
    const bool isSamePlace = target == m_pressedNode && !(m_pressedPort && port && *port != *m_pressedPort);
    if (target < 0 || isSamePlace) return;
    const SceneNode &from = m_scene.nodes[static_cast<std::size_t>(m_pressedNode)], &to = m_scene.nodes[static_cast<std::size_t>(target)];
    if (from.shape == Shape::Callout) {
        QString why;
        if (!m_document.apply(tieCallout(from, to), &why)) emit refused(why);
        return;
    }
    if (m_pressedPort || port) { // a single cable between the two ports
        QString why;
        if (!m_document.apply(railyard::connect(*m_document.now().fabric, endPath(static_cast<std::size_t>(m_pressedNode), m_pressedPort),
                                                endPath(static_cast<std::size_t>(target), port)),
                              &why))
            emit refused(why);
        return;
    }
    const std::vector<ConnectChoice> choices = connectChoices(static_cast<std::size_t>(m_pressedNode), static_cast<std::size_t>(target));
    QString reason;
    if (choices.size() == 1) {
        if (!m_document.apply(choices[0].edit(), &reason)) emit refused(reason);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const ConnectChoice& choice : choices) {
        QAction* action = menu->addAction(choice.words);
        connect(action, &QAction::triggered, this, [this, edit = choice.edit] {
            QString why;
            if (!m_document.apply(edit(), &why)) emit refused(why);
        });
    }
    menu->popup(mapToGlobal(screen.toPoint()));
}

} // namespace railyard
