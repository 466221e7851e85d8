#include "core/io/document/carried_design.h"

#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/base/zip_file.h"
#include "core/json/json_view.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace railyard {
namespace {

enum class Carrier { None, Png, Svg, Pdf, Package };

constexpr std::string_view pngMark = "\x89PNG\r\n\x1a\n", pngEnd = "IEND", chunkKind = "iTXt";
constexpr std::string_view svgEnd = "]]></metadata>", pdfStart = "startxref\n";

// Where a text stands in the files of every kind.
struct Slot {
    std::string_view noun;               // of errors
    std::string_view head;               // of its first line, before the fingerprint
    std::string_view keyword;            // of a PNG
    std::string_view svgBegin;           // its element, up to the text
    std::string_view pdfBegin, pdfEnd;   // lines
    const char *partName, *relationship; // of a package
};
constexpr Slot slots[] = {
    {"design", "railyard-design 1 ", "railyard", "<metadata id=\"railyard-design\"><![CDATA[", "%railyard-begin\n", "%railyard-end\n",
     "docProps/design.railyard", "design"},
    {"list of figures", "railyard-figures 1 ", "railyard-figures", "<metadata id=\"railyard-figures\"><![CDATA[",
     "%railyard-figures-begin\n", "%railyard-figures-end\n", "docProps/figures.railyard", "figures"},
};
constexpr const Slot& slotOf(CarriedText which) { return slots[static_cast<std::size_t>(which)]; }
constexpr std::size_t mostPartBytes = std::size_t{256} << 20; // of one part, unpacked

Carrier carrierOf(const std::string& bytes) {
    if (bytes.starts_with(pngMark)) return Carrier::Png;
    if (bytes.starts_with("%PDF-")) return Carrier::Pdf;
    if (bytes.starts_with("PK\x03\x04")) return Carrier::Package;
    constexpr std::size_t early = 1000; // before it stand declarations
    const std::size_t svg = bytes.find("<svg");
    return svg != std::string::npos && svg < early ? Carrier::Svg : Carrier::None;
}

// The text with a line that tells whether it is whole.
std::string payloadOf(const Slot& slot, const std::string& text) {
    return fmt::format("{}{}\n{}", slot.head, toText(fingerprintOf(text)), text);
}

Error damaged(const Slot& slot, const std::string& file) {
    return Error::file(
               file,
               fmt::format("the {} that this file carries was damaged, or changed by another program; open the *.railyard file", slot.noun))
        .with("value");
}

Result<std::optional<std::string>> textOf(const Slot& slot, const std::string& payload, const std::string& file) {
    const std::size_t line = payload.find('\n');
    if (!payload.starts_with(slot.head) || line == std::string::npos) return damaged(slot, file);
    std::string text = payload.substr(line + 1);
    if (payload.substr(slot.head.size(), line - slot.head.size()) != toText(fingerprintOf(text))) return damaged(slot, file);
    return std::optional(std::move(text));
}

std::string bigEndian(std::uint32_t value) {
    std::string text;
    for (const int shift : {24, 16, 8, 0}) text += static_cast<char>(value >> shift & 0xffU);
    return text;
}
std::uint32_t fromBigEndian(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}
// Removed at the end with what is in it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code failed;
        m_path = std::filesystem::temp_directory_path(failed).string() + "/railyard-XXXXXX";
        if (failed || !mkdtemp(m_path.data())) m_path.clear();
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code failed;
        if (!m_path.empty()) std::filesystem::remove_all(m_path, failed);
    }
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

// Calls use(kind, begin of the data, size) for every chunk until it returns true; false if the file ends before.
template <class Use>
bool eachChunk(const std::string& png, const Use& use) {
    constexpr std::size_t frame = 12; // length, kind and checksum
    for (std::size_t at = pngMark.size(); at + frame <= png.size();) {
        const std::size_t size = fromBigEndian(png, at);
        if (size > png.size() - at - frame) return false;
        if (use(png.substr(at + 4, 4), at + 8, size)) return true;
        at += size + frame;
    }
    return false;
}

std::string withChunk(const Slot& slot, const std::string& png, const std::string& payload) {
    std::string data(slot.keyword);
    data.append(5, '\0'); // end of the keyword, not compressed, no language, no other keyword
    data += payload;
    const std::string chunk = bigEndian(static_cast<std::uint32_t>(data.size())) + std::string(chunkKind) + data +
                              bigEndian(crc32Of(std::string(chunkKind) + data));
    std::string result;
    eachChunk(png, [&](const std::string& kind, std::size_t begin, std::size_t) {
        if (kind != pngEnd) return false;
        result = png.substr(0, begin - 8) + chunk + png.substr(begin - 8);
        return true;
    });
    return result;
}

Result<std::optional<std::string>> fromPng(const Slot& slot, const std::string& png, const std::string& file) {
    Result<std::optional<std::string>> found = std::optional<std::string>();
    eachChunk(png, [&](const std::string& kind, std::size_t begin, std::size_t size) {
        const std::size_t skipped = slot.keyword.size() + 5;
        if (kind != chunkKind || size < skipped || png.compare(begin, slot.keyword.size(), slot.keyword) != 0 ||
            png[begin + slot.keyword.size()] != '\0')
            return false;
        const bool isWhole = fromBigEndian(png, begin + size) == crc32Of(std::string_view(png).substr(begin - 4, size + 4));
        found = isWhole ? textOf(slot, png.substr(begin + skipped, size - skipped), file) : damaged(slot, file);
        return true;
    });
    return found;
}

// A text may hold the end of the section only inside a string of JSON, where ">" can be written otherwise.
std::string withMetadata(const Slot& slot, const std::string& svg, std::string text) {
    for (std::size_t at = 0; (at = text.find("]]>", at)) != std::string::npos;) text.replace(at, 3, "]]\\u003e");
    const std::size_t tag = svg.find('>', svg.find("<svg"));
    if (tag == std::string::npos) return {};
    return svg.substr(0, tag + 1) + "\n" + std::string(slot.svgBegin) + payloadOf(slot, text) + std::string(svgEnd) + svg.substr(tag + 1);
}
Result<std::optional<std::string>> fromSvg(const Slot& slot, const std::string& svg, const std::string& file) {
    const std::size_t begin = svg.find(slot.svgBegin);
    if (begin == std::string::npos) return std::optional<std::string>();
    const std::size_t from = begin + slot.svgBegin.size(), end = svg.find(svgEnd, from);
    return end == std::string::npos ? damaged(slot, file) : textOf(slot, svg.substr(from, end - from), file);
}

// As comments before the last lines, which readers look for at the end of the file.
std::string withComments(const Slot& slot, const std::string& pdf, const std::string& payload) {
    const std::size_t start = pdf.rfind(pdfStart);
    if (start == std::string::npos) return {};
    std::string comments(slot.pdfBegin);
    for (std::size_t begin = 0; begin < payload.size();) {
        const std::size_t end = std::min(payload.find('\n', begin), payload.size());
        comments += "%" + payload.substr(begin, end - begin) + "\n";
        begin = end + 1;
    }
    return pdf.substr(0, start) + comments + std::string(slot.pdfEnd) + pdf.substr(start);
}
Result<std::optional<std::string>> fromPdf(const Slot& slot, const std::string& pdf, const std::string& file) {
    const std::size_t begin = pdf.rfind(slot.pdfBegin);
    if (begin == std::string::npos) return std::optional<std::string>();
    const std::size_t from = begin + slot.pdfBegin.size(), end = pdf.find(slot.pdfEnd, from);
    if (end == std::string::npos) return damaged(slot, file);
    std::string payload;
    for (std::size_t at = from; at < end;) {
        const std::size_t line = pdf.find('\n', at);
        if (pdf[at] != '%') return damaged(slot, file);
        payload += pdf.substr(at + 1, line - at);
        at = line + 1;
    }
    return textOf(slot, payload, file);
}

Result<std::string> withPart(const Slot& slot, const std::string& package, const std::string& payload) {
    constexpr std::string_view types = "[Content_Types].xml", relations = "_rels/.rels";
    auto entries = entriesOf(package, mostPartBytes, [&](const std::string& name) { return name == types || name == relations; });
    if (!entries) return entries.errors();
    const auto insert = [](std::string& xml, std::string_view before, const std::string& added) {
        const std::size_t at = xml.rfind(before);
        if (at != std::string::npos) xml.insert(at, added);
    };
    for (auto& [name, content] : *entries) {
        if (name == types && content.find("Extension=\"railyard\"") == std::string::npos) {
            const std::size_t first = content.find("<Default ");
            const std::string type = "<Default Extension=\"railyard\" ContentType=\"application/x-railyard\"/>";
            if (first != std::string::npos) content.insert(first, type);
        }
        if (name == relations)
            insert(content, "</Relationships>",
                   fmt::format("<Relationship Id=\"rIdRailyard{0}\" Type=\"urn:railyard:{0}\" Target=\"{1}\"/>", slot.relationship,
                               slot.partName));
    }
    entries->emplace_back(slot.partName, payload);
    return withEntries(package, *entries);
}
Result<std::optional<std::string>> fromPackage(const Slot& slot, const std::string& package, const std::string& file) {
    const auto entries = entriesOf(package, mostPartBytes, [&](const std::string& name) { return name == slot.partName; });
    if (!entries) return damaged(slot, file);
    if (entries->empty()) return std::optional<std::string>();
    return textOf(slot, entries->front().second, file);
}

} // namespace

bool canCarryDesign(const std::string& bytes) { return carrierOf(bytes) != Carrier::None; }

Status writeCarrying(const std::string& path, const std::function<Result<CarriedTexts>(const std::string& path)>& write) {
    const TemporaryFolder folder;
    if (folder.path().empty()) return Error::file(path, "cannot be made: no room in the folder for temporary files").with("write");
    const std::string made = folder.path() + "/made" + std::filesystem::path(path).extension().string();
    const auto texts = write(made);
    if (!texts) return texts.errors();
    std::ifstream stream(made, std::ios::binary); // none of the files of a command, which core/base/file.h guards
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    for (const auto& [which, text] : *texts) {
        const Slot& slot = slotOf(which);
        Result<std::string> carried = std::string();
        switch (carrierOf(bytes)) {
        case Carrier::Png: carried = withChunk(slot, bytes, payloadOf(slot, text)); break;
        case Carrier::Svg: carried = withMetadata(slot, bytes, text); break;
        case Carrier::Pdf: carried = withComments(slot, bytes, payloadOf(slot, text)); break;
        case Carrier::Package: carried = withPart(slot, bytes, payloadOf(slot, text)); break;
        case Carrier::None: break;
        }
        if (!carried) return carried.errors();
        if (carried->empty()) return Error::file(path, fmt::format("cannot carry a {}", slot.noun));
        bytes = std::move(*carried);
    }
    return writeFile(path, bytes);
}

Result<std::optional<std::string>> carriedText(CarriedText which, const std::string& bytes, const std::string& file) {
    const Slot& slot = slotOf(which);
    switch (carrierOf(bytes)) {
    case Carrier::Png: return fromPng(slot, bytes, file);
    case Carrier::Svg: return fromSvg(slot, bytes, file);
    case Carrier::Pdf: return fromPdf(slot, bytes, file);
    case Carrier::Package: return fromPackage(slot, bytes, file);
    case Carrier::None: break;
    }
    return std::optional<std::string>();
}

} // namespace railyard
