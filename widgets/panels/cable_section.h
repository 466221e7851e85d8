// The inspector of a port: the cable in it and what can be done with it.
#pragma once

#include "widgets/document/cable_facts.h"
#include "widgets/panels/inspector_form.h"

namespace railyard {

// `port`: a path such as su[1]/leaf[2]:17, of a port that may be free. `act` is called for the cable in it.
void addCableSection(InspectorForm& form, Document& document, const std::string& port, const std::function<void(CableAct)>& act);

} // namespace railyard
