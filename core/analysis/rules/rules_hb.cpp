#include "core/analysis/rules/rule_check.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

void scaleUpLinks(RuleCheck& c) {
    std::vector<double> speed(c.fabric.devices.size());
    const LinkTable& links = c.fabric.links;
    for (const LinkId l : links.ids()) {
        if (links.tier[l] != LinkTier::Hb) continue;
        speed[links.a[l]] += c.fabric.speedOf(l).value();
        speed[links.b[l]] += c.fabric.speedOf(l).value();
    }
    struct Domain {
        int gpus = 0, linked = 0;
        double least = 0, most = 0;
    };
    std::vector<Domain> domains(c.fabric.hbDomains.size());
    for (const DeviceId d : c.fabric.devices.ids()) {
        if (!c.fabric.devices.isGpu(d) || c.fabric.devices.hbDomain[d] == none) continue;
        Domain& domain = domains[c.fabric.devices.hbDomain[d]];
        domain.least = domain.gpus == 0 ? speed[d] : std::min(domain.least, speed[d]);
        domain.most = std::max(domain.most, speed[d]);
        domain.linked += speed[d] > 0 ? 1 : 0;
        ++domain.gpus;
    }
    int apart = 0, uneven = 0;
    std::string apartExample, irregularExample;
    for (std::size_t d = 0; d < domains.size(); ++d) {
        const Domain& domain = domains[d];
        if (domain.gpus < 2) continue;
        const std::string path = c.fabric.scopePath(c.fabric.hbDomains[d]);
        if (domain.linked < domain.gpus) {
            if (apart++ == 0) apartExample = path;
        } else if (domain.most > domain.least * 1.001 && uneven++ == 0) {
            irregularExample = path;
        }
    }
    if (apart > 0)
        c.add("RY-H001", Severity::Warning,
              counted(apart, "{} HB domain contains GPUs without a scale-up link.", "{} HB domains contain GPUs without a scale-up link."),
              apartExample, "Collectives inside such a domain must use the NICs. Check the server part.", apart);
    if (uneven > 0)
        c.add("RY-H002", Severity::Warning,
              counted(uneven, "{} HB domain contains GPUs with different scale-up bandwidths.",
                      "{} HB domains contain GPUs with different scale-up bandwidths."),
              irregularExample, "The slowest GPU limits the domain.", uneven);
}

// A server of n GPUs and NICs by its part has n; fewer means that some were taken out by hand.
void incompleteServers(RuleCheck& c) {
    std::vector<int> gpus(c.fabric.servers.size()), nics(c.fabric.servers.size());
    for (const DeviceId d : c.fabric.devices.ids()) {
        if (c.fabric.devices.server[d] == none) continue;
        gpus[c.fabric.devices.server[d]] += c.fabric.devices.isGpu(d) ? 1 : 0;
        nics[c.fabric.devices.server[d]] += c.fabric.devices.isNic(d) ? 1 : 0;
    }
    const auto differ = [&](const std::vector<int>& counts, const char* code, std::string_view what) {
        const int most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
        int count = 0;
        std::string example;
        for (std::size_t s = 0; s < counts.size(); ++s)
            if ((gpus[s] > 0 || nics[s] > 0) && counts[s] < most && count++ == 0) example = c.fabric.scopePath(c.fabric.servers[s]);
        if (count > 0)
            c.add(code, Severity::Warning,
                  fmt::format("{} fewer {} than the others.", counted(count, "{} server has", "{} servers have"), what), example,
                  "A job expects equal servers. Restore what was removed, or exclude these servers from the job.", count);
    };
    differ(gpus, "RY-G001", "GPUs");
    differ(nics, "RY-G002", "NICs");
}

} // namespace

void checkHbDomains(RuleCheck& check) {
    scaleUpLinks(check);
    incompleteServers(check);
}

} // namespace railyard
