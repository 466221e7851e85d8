// Tables as worksheets of an .xlsx file.
#pragma once

#include "core/io/tables/table.h"

#include <string>
#include <vector>

namespace railyard {

// Formulas are live and carry their computed value; equal input gives equal bytes. Every sheet prints on landscape pages, as
// wide as the page, with its headings on each of them; `title` stands below them with the page number.
Status writeWorkbook(const std::vector<Table>& tables, const std::string& path, const std::string& title = {});

} // namespace railyard
