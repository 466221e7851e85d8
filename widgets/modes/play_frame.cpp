#include "widgets/modes/play_frame.h"

#include "core/base/unit_text.h"
#include "core/routing/load_summary.h"
#include "widgets/theme/text.h"

#include <cmath>

namespace railyard {
namespace {

QString utilisedPercent(double fraction) { return QStringLiteral("%1 %").arg(fraction * 100, 0, 'f', fraction < 0.1 ? 1 : 0); }

// The busiest link, including HB links. A GPU-to-NIC link counts only if it is the bottleneck.
std::size_t busiestOf(const Fabric& fabric, const LinkLoads& loads) {
    std::size_t busiest = fabric.links.size();
    double most = 0;
    for (const bool isPcie : {false, true})
        for (const LinkId l : fabric.links.ids())
            if (const double load = loads.utilisation(fabric, l);
                load > most * (1 + 1e-9) && (fabric.links.tier[l] == LinkTier::Pcie) == isPcie)
                most = load, busiest = l;
    return busiest;
}

// The scope that represents a GPU on the drawing.
std::uint32_t holderOf(const Fabric& fabric, DeviceId gpu) {
    const std::uint32_t domain = fabric.devices.hbDomain[gpu], server = fabric.devices.server[gpu];
    return domain != none ? fabric.hbDomains[domain] : server != none ? fabric.servers[server] : fabric.devices.scope[gpu];
}

} // namespace

Result<PlayFrame> frameOf(const PlayedOn& on, const PlayedSteps& steps, std::size_t step) {
    const Fabric& degraded = *on.degraded;
    const auto loads = steps.loadsOf(degraded, step);
    if (!loads) return loads.errors();
    const CollectiveStep& now = steps.steps()[step];
    PlayFrame frame;
    frame.ofLinks = utilisationBefore(on.failed, degraded, *loads);
    for (const auto& [from, to] : steps.hopsOf(step)) frame.hops.emplace_back(holderOf(degraded, from), holderOf(degraded, to));
    frame.words = QObject::tr("Step %1 of %2, %3 to %4: %5; %6.")
                      .arg(step + 1)
                      .arg(steps.steps().size())
                      .arg(text(formatSeconds(now.start)), text(formatSeconds(now.start + now.duration)), text(now.name), text(now.what));
    if (const LinkId busiest(busiestOf(degraded, *loads)); busiest < degraded.links.size()) {
        const bool isAToB = loads->aToB[busiest] >= loads->bToA[busiest];
        const std::string a = degraded.devicePath(degraded.links.a[busiest]), b = degraded.devicePath(degraded.links.b[busiest]);
        frame.busiest = text(b);
        frame.words += QObject::tr(" Busiest link: %1 → %2, %3 utilised.")
                           .arg(text(isAToB ? a : b), text(isAToB ? b : a), utilisedPercent(loads->utilisation(degraded, busiest)));
    }
    if (loads->unreachablePairs > 0)
        frame.words += QObject::tr(" %1 GPU pairs have no path (%2).")
                           .arg(text(formatCount(loads->unreachablePairs)), text(loads->unreachableExample));
    return frame;
}

} // namespace railyard
