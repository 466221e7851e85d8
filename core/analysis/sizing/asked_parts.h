// The server and the switch of all candidates: as asked for, or what fits.
#pragma once

#include "core/analysis/sizing/requirements.h"

#include <string>

namespace railyard {

class AskedParts {
public:
    AskedParts(const Requirements& asked, const Catalog& catalog) : m_asked(asked), m_catalog(catalog) {} // which outlive this

    // Errors: parts that the catalogue does not have, a vendor without switches, a switch of another vendor.
    Status check() const;
    bool isOfVendor(const Part& part) const;
    // As asked for, or as the recipe has it; null where there is no such recipe.
    const Part* serverOf(const std::string& recipe) const;
    Bandwidth speedOfNicPort(const Part& server) const; // of the NICs that are asked for, or of those of the server
    // The asked one. Without it that of the recipe (empty), unless it is of another vendor than asked or has no ports as fast as those of
    // the NICs: then of the switches with a price the one with the most such ports.
    std::string switchFor(const RecipeCall& call) const;
    std::string missingOfVendor(const RecipeCall& call) const; // "no switch of Alibaba has ports of 800 Gb/s"; empty if there is one

private:
    Status checkVendor() const;

    const Requirements& m_asked;
    const Catalog& m_catalog;
};

} // namespace railyard
