// The section of an offer about failures: of the job that the design states.
#pragma once

#include "core/bill/cabling.h"
#include "core/io/presentation/offer_parts.h"

namespace railyard {

OfferSection failureSection(const FabricPointer& fabric, const Cabling& cabling, OfferStatement& statement);

} // namespace railyard
