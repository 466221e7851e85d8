// The fields of a callout in the inspector: its text, the elements it is attached to, and its width.
#pragma once

#include "widgets/panels/inspector_form.h"

namespace railyard {

void addCalloutSection(InspectorForm& form, Document& document, std::size_t index);

} // namespace railyard
