// The offer of a design as sections of sentences, tables and places of pictures, ready to be laid out on pages. Every number has a key, in
// the column Key or made of it as the line below a table says, and `stated` has them all.
#pragma once

#include "core/io/presentation/verdict.h"
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
    std::vector<std::vector<std::string>> rows; // second lines are keys
    bool endsInTotal = false;                   // the last row adds up the others
    std::string keys = {};                      // below it: how the keys of its numbers read, where one row has several
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
    std::string title, subtitle;
    std::vector<OfferSection> sections;
    StatedFigures stated;
};

struct OfferRequest {
    FabricPointer fabric;
    const Metrics& metrics; // of it
    const OtherDesign* twin = nullptr;
    const OtherDesign* other = nullptr; // named for the comparison, in place of the twin
    bool isCustomer = false;            // no price anywhere
};

Offer offerOf(const OfferRequest& request);

} // namespace railyard
