#include "widgets/panels/cable_section.h"

#include "core/analysis/cable_edits.h"
#include "core/design/edits/edit.h"
#include "widgets/document/known_cabling.h"
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
    const CableFacts facts = factsOf(fabric, *link, document.cabling().get().get());
    const bool isLower = portPath(fabric, *link, true) == port;
    const auto known = [](const QString& fact) { return fact.isEmpty() ? QStringLiteral("…") : fact; };
    form.addFact(inspectorText("Far end"), isLower ? facts.upper : facts.lower);
    form.addFact(inspectorText("Cable"), known(facts.id));
    form.addFact(inspectorText("Speed"), facts.speed);
    if (!facts.rail.isEmpty()) form.addFact(inspectorText("Rail"), facts.rail);
    form.addFact(inspectorText("Length"), known(facts.length));
    form.addFact(inspectorText("Cable part"), known(facts.part));
    if (facts.id.isEmpty() || !facts.modules.isEmpty()) form.addFact(inspectorText("Modules"), known(facts.modules));
    form.addAction(inspectorText("Go to other end"), [act] { act(CableAct::OtherEnd); });
    form.addAction(inspectorText("Move cable…"), [act] { act(CableAct::Move); });
    form.addAction(inspectorText("Disconnect"), [act] { act(CableAct::Disconnect); });
}

} // namespace railyard
