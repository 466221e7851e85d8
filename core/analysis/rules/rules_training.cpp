#include "core/analysis/rules/rule_check.h"
#include "core/base/unit_text.h"
#include "core/training/job_request.h"

#include <fmt/format.h>

namespace railyard {
namespace {

// A group that fits into an HB domain but lies in two sends over the network what would stay inside.
void straddlingGroups(RuleCheck& c) {
    if (!c.fabric.design->training) return;
    const auto job = jobOf(*c.fabric.design);
    const auto placed = job ? placedOn(c.fabric, *job) : Result<PlacedJob>(job.errors());
    if (!placed || placed->job.gpus() > static_cast<std::int64_t>(placed->gpus.size())) return; // the estimate says why
    const Alignment alignment = alignmentOf(c.fabric, *placed);
    if (alignment.straddlingGroups == 0) return;
    const std::int64_t domain = usualDomain(c.fabric), group = innerGroup(placed->job, domain);
    c.add("RY-J001", Severity::Warning,
          fmt::format("{} of the training job, of {} GPUs each, {} in two HB domains although they fit into one.",
                      counted(alignment.straddlingGroups, "{} group", "{} groups"), group,
                      alignment.straddlingGroups == 1 ? "lies" : "lie"),
          "",
          fmt::format("Use {} of the {} GPUs of each HB domain (training.per_domain = {}), if the design has domains enough.",
                      domain / group * group, domain, domain / group * group));
}

} // namespace

void checkTraining(RuleCheck& check) { straddlingGroups(check); }

} // namespace railyard
