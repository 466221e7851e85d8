#include "widgets/document/cable_facts.h"

#include "core/analysis/cable_edits.h"
#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/io/tables/cable_schedule.h"
#include "widgets/theme/text.h"

#include <QObject>
#include <algorithm>

namespace railyard {
namespace {

QString moduleName(const Part* part) {
    if (!part) return QObject::tr("no module fits");
    const std::string model = partNumberOf(part).number;
    return text(model.empty() ? part->name : model);
}

} // namespace

CableFacts factsOf(const Fabric& fabric, LinkId link, const Cabling& cabling) {
    const LinkTable& links = fabric.links;
    CableFacts facts;
    facts.upper = text(portPath(fabric, link, false));
    facts.lower = text(portPath(fabric, link, true));
    facts.speed = text(formatBandwidth(fabric.speedOf(link)));
    const std::uint32_t rail = std::max(fabric.devices.rail[links.a[link]], fabric.devices.rail[links.b[link]]);
    if (rail > 0) facts.rail = QString::number(rail);
    const OpticChoice& choice = cabling.choiceOf(link);
    facts.id = text(cableId(cabling.cableOf(link)));
    facts.length = QObject::tr("%1 m").arg(choice.ordered.value());
    const QString number = text(partNumberOf(choice.cable, choice.ordered).number);
    const QString name = choice.cableName.empty() ? QObject::tr("no cable in the catalogue fits") : text(choice.cableName);
    facts.part = number.isEmpty() ? name : number + QStringLiteral(" · ") + name;
    if (!choice.pluggable()) return facts;
    facts.modules = choice.a == choice.b ? QObject::tr("%1 at both ends").arg(moduleName(choice.a))
                                         : QObject::tr("%1, %2").arg(moduleName(choice.b), moduleName(choice.a));
    return facts;
}

} // namespace railyard
