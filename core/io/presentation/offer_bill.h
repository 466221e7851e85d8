// The sections of an offer about what is bought and what it draws.
#pragma once

#include "core/io/presentation/offer_parts.h"

namespace railyard {

OfferSection billSection(const OfferRequest& request, OfferStatement& statement);
OfferSection powerSection(const OfferRequest& request, OfferStatement& statement);

} // namespace railyard
