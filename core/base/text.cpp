#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

struct Character {
    char32_t code = 0;
    std::size_t length = 1; // in bytes; of a fault: the bytes to be replaced
    bool isValid = false;
};

// RFC 3629: shortest form only, no surrogates, up to U+10FFFF.
Character characterAt(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = byte(at);
    if (first < 0x80) return {first, 1, true};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return {first, 1, false};
    char32_t code = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const unsigned next = byte(at + i);
        if ((next & 0xC0U) != 0x80) return {first, 1, false};
        code = (code << 6U) | (next & 0x3FU);
    }
    const bool isOverlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    if (isOverlong || isSurrogate || code > 0x10FFFF) return {first, 1, false};
    return {code, length, true};
}

bool isControl(char32_t code) {
    if (code < 0x20) return code != '\t' && code != '\n' && code != '\r';
    return code >= 0x7F && code <= 0x9F;
}

// XML, and so every workbook and SVG, cannot hold these.
bool isNonCharacter(char32_t code) { return code == 0xFFFE || code == 0xFFFF; }

void append(std::string& text, char32_t code) {
    const auto put = [&](unsigned bits) { text += static_cast<char>(bits); };
    if (code < 0x80) return put(code);
    if (code < 0x800) return put(0xC0U | code >> 6U), put(0x80U | (code & 0x3FU));
    if (code < 0x10000) return put(0xE0U | code >> 12U), put(0x80U | (code >> 6U & 0x3FU)), put(0x80U | (code & 0x3FU));
    put(0xF0U | code >> 18U), put(0x80U | (code >> 12U & 0x3FU)), put(0x80U | (code >> 6U & 0x3FU)), put(0x80U | (code & 0x3FU));
}

// Lone surrogates become U+FFFD.
std::string fromUtf16(std::string_view bytes, bool bigEndian) {
    const auto unit = [&](std::size_t at) -> char32_t {
        const auto a = static_cast<unsigned char>(bytes[at]), b = static_cast<unsigned char>(bytes[at + 1]);
        return bigEndian ? static_cast<char32_t>(a << 8 | b) : static_cast<char32_t>(b << 8 | a);
    };
    std::string text;
    for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
        const char32_t code = unit(at);
        const bool isPair = code >= 0xD800 && code < 0xDC00 && at + 3 < bytes.size() && unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000;
        if (isPair) {
            append(text, 0x10000 + ((code - 0xD800) << 10U) + (unit(at + 2) - 0xDC00));
            at += 2;
        } else {
            code >= 0xD800 && code < 0xE000 ? void(text += replacement) : append(text, code);
        }
    }
    return text;
}

void endLinesWithLf(std::string& text) {
    std::size_t to = text.find('\r');
    if (to == std::string::npos) return;
    for (std::size_t at = to; at < text.size(); ++at) {
        const bool isCr = text[at] == '\r';
        if (isCr && at + 1 < text.size() && text[at + 1] == '\n') continue;
        text[to++] = isCr ? '\n' : text[at];
    }
    text.resize(to);
}

std::string fromWindows1252(std::string_view bytes) {
    // https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT; 0 where the code page has nothing.
    static constexpr std::array<char16_t, 32> high{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                                   0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                                   0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        const char32_t code = byte >= 0x80 && byte < 0xA0 ? high[byte - 0x80U] : byte;
        code == 0 && byte != 0 ? void(text += replacement) : append(text, code);
    }
    return text;
}

} // namespace

std::optional<TextFault> firstFault(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        if (!c.isValid)
            return TextFault{at, c.length, fmt::format("the byte 0x{:02X}, which is not valid UTF-8", static_cast<unsigned>(c.code))};
        if (isControl(c.code)) return TextFault{at, c.length, fmt::format("the control character U+{:04X}", static_cast<unsigned>(c.code))};
        if (isNonCharacter(c.code))
            return TextFault{at, c.length, fmt::format("U+{:04X}, which is not a character", static_cast<unsigned>(c.code))};
        at += c.length;
    }
    return {};
}

std::string withoutFaults(std::string_view text) {
    std::string result;
    while (const auto fault = firstFault(text)) {
        result += text.substr(0, fault->offset);
        result += replacement;
        text.remove_prefix(fault->offset + fault->length);
    }
    return result += text;
}

SourcePosition positionIn(std::string_view text, const std::string& file, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t lineStart = before.rfind('\n');
    return {file, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            static_cast<int>(lineStart == std::string_view::npos ? before.size() + 1 : before.size() - lineStart)};
}

Result<std::string> checkedText(std::string bytes, const std::string& file) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
    endLinesWithLf(bytes);
    if (const auto fault = firstFault(bytes))
        return Error{Error::Kind::File, fmt::format("contains {}; save the file as UTF-8 text", fault->what),
                     positionIn(bytes, file, fault->offset)};
    return bytes;
}

Result<std::string> checkedTable(std::string bytes, const std::string& file) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        bytes = fromUtf16(bytes, bytes[0] == '\xFE');
    else if (const auto fault = firstFault(bytes); fault && fault->what.ends_with("UTF-8"))
        bytes = fromWindows1252(bytes);
    return checkedText(std::move(bytes), file);
}

std::optional<double> decimalFrom(std::string_view text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace railyard
