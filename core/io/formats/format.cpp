#include "core/io/formats/format.h"

#include "core/analysis/metrics/metrics.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/bill/part_number.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/design_json.h"
#include "core/io/formats/drawn_fabric.h"
#include "core/io/formats/flat_csv.h"
#include "core/io/tables/bom_workbook.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/fabric_csv.h"
#include "core/json/json_parse.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::string_view devicesName = "devices.csv", linksName = "links.csv";

std::string_view firstLine(const std::string& bytes) {
    std::string_view text(bytes);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return text.substr(0, text.find_first_of("\r\n"));
}

// Errors of a text that is no UTF-8, or has control characters, name the file.
Result<std::string> textOf(const ImportSource::File& file) { return checkedTable(file.bytes, file.path); }

// --- Railyard document

bool isDocument(const ImportSource& source) {
    const std::string& bytes = source.files.front().bytes;
    const std::size_t at = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return at != std::string::npos && bytes[at] == '{' && bytes.substr(0, 4096).find("\"format\"") != std::string::npos;
}
Result<Imported> readDocument(const ImportSource& source) {
    auto design = readDesign(source.files.front().bytes, source.files.front().path);
    if (!design) return design.errors();
    return Imported{*design, {}, (*design)->migrations};
}
Result<Exported> writeDocument(const Fabric& fabric, const std::string& path) {
    const Status done = writeFile(path, designText(*fabric.design));
    return done ? Result<Exported>(Exported{{path}, {}}) : done.errors();
}

// --- Flat fabric

bool isFlatCsv(const ImportSource& source) {
    const auto hasColumn = [&](std::string_view file, std::string_view column) {
        const auto* table = source.named(file);
        return table && firstLine(table->bytes).find(column) != std::string_view::npos;
    };
    return (hasColumn(devicesName, "path") && hasColumn(devicesName, "kind")) || hasColumn(linksName, "a_device");
}
Result<Imported> readFlat(const ImportSource& source) {
    const auto *devices = source.named(devicesName), *links = source.named(linksName);
    if (!devices || !links)
        return Error::file(source.path, fmt::format("{} is missing; the two files {} and {} stand in one folder",
                                                    devices ? linksName : devicesName, devicesName, linksName));
    const auto deviceText = textOf(*devices), linkText = textOf(*links);
    if (!deviceText) return deviceText.errors();
    if (!linkText) return linkText.errors();
    auto flat = readFlatCsv(*deviceText, devices->path, *linkText, links->path);
    if (!flat) return flat.errors();
    std::filesystem::path folder = std::filesystem::path(devices->path).lexically_normal().parent_path();
    flat->name = folder.filename().empty() || folder.filename() == "." ? "imported" : folder.filename().string();
    auto drawn = drawnFabric(*flat, pricedCatalog());
    if (!drawn) return drawn.errors();
    for (const std::string& other : source.others)
        drawn->losses.push_back(other + " was not read; the networks beside the compute fabric are not imported");
    if (flat->hasRacks) drawn->losses.emplace_back("positions in racks are not imported; place the racks in the Floor view");
    return Imported{drawn->design, {}, std::move(drawn->losses)};
}
Result<Exported> writeFlat(const Fabric& fabric, const std::string& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return Error::file(folder, fmt::format("cannot be created: {}; choose another folder", failure.message()));
    Exported exported;
    const Status done = writeFabricCsv(fabric, folder, exported.files);
    if (!done) return done.errors();
    const Design& design = *fabric.design;
    const std::pair<bool, const char*> sections[] = {{design.training.has_value(), "the training job"},
                                                     {design.reliability.has_value(), "the failure model"},
                                                     {design.site.has_value(), "the site settings"},
                                                     {design.ocs.has_value(), "the optical circuit switches"},
                                                     {!design.targets.empty(), "targets"},
                                                     {!design.approvals.empty(), "approvals"},
                                                     {!design.callouts.empty(), "callouts"}};
    for (const auto& [isThere, name] : sections)
        if (isThere) exported.losses.push_back(fmt::format("{} of the design cannot be stated in a flat fabric", name));
    return exported;
}

// --- Pictures, presentations and workbooks that carry the design they were made of

// A damaged one too, which is said when it is read.
bool carriesDesign(const ImportSource& source) {
    if (source.files.size() != 1) return false;
    const auto carried = carriedText(CarriedText::Design, source.files.front().bytes, source.files.front().path);
    return !carried || *carried;
}
Result<Imported> readCarried(const ImportSource& source) {
    auto design = loadDesign(source.files.front().path);
    if (!design) return design.errors();
    return Imported{std::move(*design), {}, {}};
}

// --- Prices

bool isPriceList(const ImportSource& source) {
    std::string plain; // whatever the case, blanks and underscores: "Base USD" is base_usd
    for (const char c : firstLine(source.files.front().bytes))
        if (c != ' ' && c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain.find("baseusd") != std::string::npos;
}
Result<Imported> readPrices(const ImportSource& source) {
    auto prices = PriceBook::read(source.files.front().bytes, source.files.front().path,
                                  [](const std::string& number) { return partWithNumber(*shippedCatalog(), number); });
    if (!prices) return prices.errors();
    return Imported{nullptr, std::move(*prices), {}};
}

// --- Tables of a design

Result<Exported> writeBill(const Fabric& fabric, const std::string& path) {
    const Status done = writeBom(fabric, metricsOf(fabric), path);
    return done ? Result<Exported>(Exported{{path}, {}}) : done.errors();
}
Result<Exported> writeSchedule(const Fabric& fabric, const std::string& path) {
    const Status done = writeCables(fabric, path);
    return done ? Result<Exported>(Exported{{path}, {}}) : done.errors();
}

std::vector<std::string_view> extensions(const std::vector<FileFormat>& formats) {
    std::vector<std::string_view> all;
    for (const FileFormat& format : formats) all.push_back(format.extension);
    return all;
}

std::vector<Format> allFormats() {
    return {
        {.name = "railyard",
         .title = "Railyard design",
         .extensions = {".railyard"},
         .detect = isDocument,
         .read = readDocument,
         .write = writeDocument},
        {.name = "carried",
         .title = "Picture, presentation or workbook that carries its design",
         .extensions = {".png", ".svg", ".pdf", ".pptx", ".xlsx"},
         .detect = carriesDesign,
         .read = readCarried},
        {.name = "csv",
         .title = "Flat fabric: devices.csv and links.csv",
         .extensions = {".csv"},
         .isFolder = true,
         .detect = isFlatCsv,
         .read = readFlat,
         .write = writeFlat},
        {.name = "prices",
         .title = "Price list by part number or catalogue ID",
         .extensions = {".csv"},
         .detect = isPriceList,
         .read = readPrices},
        {.name = "bom", .title = "Bill of materials", .extensions = extensions(billFormats()), .write = writeBill},
        {.name = "cables", .title = "Cable schedule", .extensions = extensions(cableFormats()), .write = writeSchedule},
        {.name = "png", .title = "Picture (PNG)", .extensions = {".png"}, .program = "railyard"},
        {.name = "svg", .title = "Picture (SVG)", .extensions = {".svg"}, .program = "railyard"},
        {.name = "pdf", .title = "Pages to print (PDF)", .extensions = {".pdf"}, .program = "railyard"},
    };
}

} // namespace

const ImportSource::File* ImportSource::named(std::string_view name) const {
    const auto found = std::find_if(files.begin(), files.end(), [&](const File& file) { return file.name == name; });
    return found == files.end() ? nullptr : &*found;
}

Result<ImportSource> readImportSource(const std::string& path) {
    namespace fs = std::filesystem;
    ImportSource source{path, {}, {}};
    std::error_code failure;
    const bool isFolder = fs::is_directory(path, failure);
    const std::string name = fs::path(path).filename().string();
    std::vector<fs::path> wanted;
    if (isFolder || name == devicesName || name == linksName) {
        const fs::path folder = isFolder ? fs::path(path) : fs::path(path).parent_path();
        for (const std::string_view each : {devicesName, linksName})
            if (fs::exists(folder / each, failure)) wanted.push_back(folder / each);
        if (wanted.empty())
            return Error::file(
                path, fmt::format("contains neither {} nor {}; name a file, or the folder of a CSV export", devicesName, linksName));
    } else {
        wanted.emplace_back(path);
    }
    if (isFolder || wanted.size() > 1) {
        const fs::path folder = wanted.front().parent_path();
        for (fs::directory_iterator entry(folder.empty() ? "." : folder, failure), end; !failure && entry != end; entry.increment(failure))
            if (const std::string other = entry->path().filename().string(); other.ends_with("-" + std::string(devicesName)))
                source.others.push_back(other);
    }
    std::sort(source.others.begin(), source.others.end());
    for (const fs::path& each : wanted) {
        auto bytes = readFile(each.string());
        if (!bytes) return bytes.errors();
        source.files.push_back({each.filename().string(), each.string(), std::move(*bytes)});
    }
    return source;
}

std::span<const Format> formatTable() {
    static const std::vector<Format> rows = allFormats();
    return rows;
}

const Format* formatNamed(std::string_view name) {
    const auto all = formatTable();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Format& format) { return format.name == name; });
    return found == all.end() ? nullptr : &*found;
}

Result<const Format*> detectFormat(const ImportSource& source) {
    const Format* found = nullptr;
    std::string known, several;
    for (const Format& format : formatTable()) {
        if (!format.canImport()) continue;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", format.name);
        if (!format.detect(source)) continue;
        several += fmt::format("{}{}", several.empty() ? "" : " and ", format.name);
        if (!found) found = &format;
    }
    if (!found) return Error::file(source.path, fmt::format("has the content of none of the formats {}", known), 1, 1).with("format");
    if (several != found->name) return Error::file(source.path, fmt::format("could be {}", several), 1, 1).with("format");
    return found;
}

} // namespace railyard
