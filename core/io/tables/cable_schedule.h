// The cable schedule and its labels.
#pragma once

#include "core/bill/cabling.h"
#include "core/io/tables/file_format.h"
#include "core/io/tables/port_dialect.h"
#include "core/io/tables/table.h"

#include <string>
#include <vector>

namespace railyard {

std::string labelDefault();
struct CableOptions {
    std::string labels = labelDefault();
    PortDialect dialect = portDialects().front();
};
Table cableTable(const Fabric& fabric, const Cabling& cabling, const CableOptions& options = {});
char cablePrefix(std::string_view network);                // of the IDs of an auxiliary network: S, I or O
std::string cableId(std::size_t link, char network = 'C'); // C000001: the same in the schedule, the export and on labels
Status checkLabelTemplate(const std::string& text);
std::vector<FileFormat> cableFormats();
// In the format of the extension; `-` writes CSV.
// In `warnings`, sentences about labels that are the same on several cables.
Status writeCables(const Fabric& fabric, const std::string& path, const CableOptions& options = {},
                   std::vector<std::string>* warnings = nullptr);

} // namespace railyard
