// The inspector of one server: what stands in it, where its NICs lead, and its links to the HB switches.
#pragma once

#include "widgets/document/server_facts.h"
#include "widgets/panels/inspector_form.h"
#include "widgets/theme/tokens.h"

namespace railyard {

// `locate` is called with the far port of the NIC that was double-clicked.
void addServerSection(InspectorForm& form, ServerFacts facts, const Tokens& tokens, int rails,
                      const std::function<void(const std::string& port)>& locate);

} // namespace railyard
