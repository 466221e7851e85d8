#include "widgets/panels/cable_section.h"

#include "core/analysis/cable_edits.h"
#include "core/design/edits/edit.h"
#include "widgets/document/document.h"
#include "widgets/theme/text.h"

namespace railyard {

void addCableSection(InspectorForm& form, Document& document, const std::string& port, const std::function<void(CableAct)>& act) {
    const Fabric& fabric = *document.now().fabric;
    const auto link = cableAt(fabric, port);
    if (!link) {
        form.addFact(inspectorText("Cable"), inspectorText("none, the port is free"));
        if (const auto& changes = document.now().design->overrides; changes.contains(port)) // its cable was taken away
            form.addButton(inspectorText("Revert to recipe"), [&document, port] { return backToRecipe(*document.now().design, {port}); });
        return;
    }
    const CableFacts facts = factsOf(fabric, *link, *document.now().cabling);
    const bool isLower = portPath(fabric, *link, true) == port;
    form.addFact(inspectorText("Far end"), isLower ? facts.upper : facts.lower);
    form.addFact(inspectorText("Cable"), facts.id);
    form.addFact(inspectorText("Speed"), facts.speed);
    if (!facts.rail.isEmpty()) form.addFact(inspectorText("Rail"), facts.rail);
    form.addFact(inspectorText("Length"), facts.length);
    form.addFact(inspectorText("Cable part"), facts.part);
    if (!facts.modules.isEmpty()) form.addFact(inspectorText("Modules"), facts.modules);
    form.addAction(inspectorText("Go to other end"), [act] { act(CableAct::OtherEnd); });
    form.addAction(inspectorText("Move cable…"), [act] { act(CableAct::Move); });
    form.addAction(inspectorText("Disconnect"), [act] { act(CableAct::Disconnect); });
}

} // namespace railyard
