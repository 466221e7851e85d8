// The offer of a design as sections of sentences, tables and places of pictures, ready to be laid out on pages. Every number that is a
// figure stands with its key.
#pragma once

#include "core/fabric/fabric.h"
#include "core/io/stated/stated_figures.h"

#include <string>
#include <vector>

namespace railyard {

struct OfferColumn {
    std::string name;
    double share = 1; // of the width of the page, relative to the other columns
    bool isNumber = false;
};
struct OfferTable {
    std::vector<OfferColumn> columns;
    std::vector<std::vector<std::string>> rows;
    bool endsInTotal = false; // the last row adds up the others
};

enum class OfferPicture { None, Drawing, Floor };
struct OfferSection {
    std::string title;
    std::vector<std::string> sentences;
    OfferPicture picture = OfferPicture::None;
    std::vector<OfferTable> tables = {};
    std::vector<std::string> notes = {}; // below the tables
};

struct Offer {
    std::vector<OfferSection> sections;
    StatedFigures stated;
};

struct OfferRequest {
    FabricPointer fabric;
    const Metrics& metrics; // of it
    // What it is compared with; null: nothing.
    FabricPointer other = nullptr;
    const Metrics* otherMetrics = nullptr;
    bool isCustomer = false; // no price anywhere
};

Offer offerOf(const OfferRequest& request);

} // namespace railyard
