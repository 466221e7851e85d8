// What the sections of an offer are made of: tables of figures, columns of other tables, and the list of everything that is stated.
#pragma once

#include "core/io/presentation/offer.h"
#include "core/io/tables/table.h"

namespace railyard {

std::string cellText(const Cell& cell, const Column& column); // as it reads on a page, which has little room
// These columns of a table; an empty one where the table has no such column.
OfferTable columnsOf(const Table& table, const std::vector<OfferColumn>& columns);
std::size_t columnNamed(const OfferTable& table, std::string_view name); // its place; behind the last if there is none
OfferTable emptyFigures();                                               // Figure, Value, Key
std::string slugOf(const std::string& title);                            // "Bill of materials" is bill_of_materials in keys

class OfferStatement {
public:
    explicit OfferStatement(const OfferRequest& request);

    void state(std::string key, std::optional<double> value, const std::string& text); // unless the text is empty
    void addFigure(OfferTable& table, const std::string& title, const std::string& key, std::optional<double> value,
                   const std::string& text);
    // All figures of a section of the table of figures whose value is known.
    OfferTable figuresOfSection(std::string_view name);
    // Of a figure that this copy may not show.
    bool isHidden(const FigureInfo& row) const;
    std::string textOf(const FigureInfo& row, double value) const;
    const FigureSource& source() const { return m_source; }
    StatedFigures take() && { return std::move(m_stated); }

private:
    bool m_isCustomer;
    FigureSource m_source;
    StatedFigures m_stated;
};

} // namespace railyard
