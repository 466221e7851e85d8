#include "widgets/panels/bundle_menu.h"

#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

namespace railyard {
namespace {

// Switches of the rail, in the tier of leaves.
std::vector<std::string> leavesOf(const Fabric& fabric, std::uint32_t rail) {
    std::vector<std::string> paths;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.routes(d) && fabric.devices.tier[d] == SwitchTier::Leaf && fabric.devices.rail[d] == rail)
            paths.push_back(fabric.devicePath(d));
    return paths;
}

} // namespace

BundleMenu::BundleMenu(const Fabric& fabric, const SceneBundle& bundle, int highlightedRail, bool isFailing, QWidget* parent)
    : QMenu(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    const int rail = bundle.rail;
    const QString links = counted(bundle.links, tr("%1 link"), tr("%1 links"));
    QAction* title = addAction(rail > 0 ? tr("Rail %1 · %2").arg(QString::number(rail), links) : links);
    title->setEnabled(false);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    addSeparator();
    for (const DeviceId end : {bundle.lower, bundle.upper})
        if (end != none) addSelection(asMenuText(tr("Select %1").arg(text(fabric.devicePath(end)))), {fabric.devicePath(end)});
    if (bundle.unit != none)
        addSelection(asMenuText(tr("Select %1").arg(text(fabric.scopePath(bundle.unit)))), {fabric.scopePath(bundle.unit)});
    if (rail == 0) return;
    const auto leaves = leavesOf(fabric, static_cast<std::uint32_t>(rail));
    if (leaves.size() > 1)
        addSelection(tr("Select the %1 leaves of rail %2").arg(text(formatCount(static_cast<std::int64_t>(leaves.size())))).arg(rail),
                     leaves);
    addSeparator();
    const bool isHighlighted = rail == highlightedRail;
    addAction(isHighlighted ? tr("Show all rails alike") : tr("Highlight rail %1").arg(rail), this,
              [this, rail, isHighlighted] { emit highlightAsked(isHighlighted ? 0 : rail); });
    addAction(isFailing ? tr("Fail or restore rail %1").arg(rail) : tr("Mark rail %1 as failed").arg(rail), this,
              [this, rail] { emit failAsked("rail=" + std::to_string(rail)); });
}

void BundleMenu::addSelection(const QString& words, std::vector<std::string> paths) {
    addAction(words, this, [this, paths = std::move(paths)] { emit selectAsked(paths); });
}

} // namespace railyard
