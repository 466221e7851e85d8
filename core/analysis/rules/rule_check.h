// Shared by the design rules: the design that is checked and the list of findings.
#pragma once

#include "core/analysis/rules/design_rules.h"
#include "core/base/counted.h"
#include "core/fabric/switch_graph.h"

#include <map>

namespace railyard {

struct RuleCheck {
    const Fabric& fabric;
    const Cabling& cabling;
    const Bill& bill;
    std::string_view asOf;
    SwitchGraph graph;
    std::vector<Diagnostic> found;

    void add(std::string code, Severity severity, std::string text, std::string subject, std::string hint, int count = 1) {
        found.push_back({std::move(code), severity, std::move(text), std::move(subject), std::move(hint), count, {}});
    }
    bool isSwitch(DeviceId device) const { return fabric.devices.routes(device); }
};

// Counts the elements that violate a rule and keeps the first one as the example.
struct Offenders {
    int count = 0;
    std::string example;
    void note(const Fabric& fabric, DeviceId device) {
        if (count++ == 0) example = fabric.devicePath(device);
    }
};

void checkWiring(RuleCheck& check);    // rails, planes, tiers, protocols
void checkHbDomains(RuleCheck& check); // scale-up links, GPUs and NICs of servers
void checkParts(RuleCheck& check);     // modules, ports, prices, labels
void checkCost(RuleCheck& check);      // settings of the recipe that need fewer switches
void checkFloor(RuleCheck& check);     // racks, reach
void checkLossless(RuleCheck& check);  // PFC of Ethernet switches
void checkTraining(RuleCheck& check);  // the training job of the design

} // namespace railyard
