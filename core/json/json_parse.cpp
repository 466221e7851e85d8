// Parsing of JSON from outside: what is too deep, too much or said twice is refused where it stands.
#include "core/json/json_parse.h"

#include "core/base/text.h"
#include "core/json/json_view.h"

#include <fmt/format.h>
#include <unordered_set>

namespace railyard {
namespace {

constexpr std::size_t mostDepth = 64;
constexpr std::size_t mostValues = 20'000'000;

// Reads the text and counts, so that the position of a value is known while it is built.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at = nullptr;
    const char** reached = nullptr;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        *reached = ++at;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
};

// The object keys of one level; a list, until it is long enough for a set to be faster.
class Keys {
public:
    // False if `key` is already there.
    bool add(const Json::object_t& object, const std::string& key) {
        constexpr std::size_t longList = 16;
        if (object.size() < longList)
            return std::none_of(object.begin(), object.end(), [&](const auto& member) { return member.first == key; });
        if (m_set.empty())
            for (const auto& member : object) m_set.insert(member.first);
        return m_set.insert(key).second;
    }

private:
    std::unordered_set<std::string> m_set;
};

// Builds the value from the parser's events; false ends the parsing.
class Builder {
public:
    Builder(const std::string& text, std::string file, const char* const& reached)
        : m_text(text),
          m_file(std::move(file)),
          m_reached(reached) {}

    // NOLINTBEGIN(readability-identifier-naming): the names that Json::sax_parse calls
    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) { return add(value); }
    bool number_float(double value, const std::string&) { return add(value); }
    bool string(std::string& value) { return add(clean(value)); }
    bool binary(Json::binary_t&) { return false; } // not in text
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        Level& level = m_levels.back();
        auto& object = level.value->get_ref<Json::object_t&>();
        std::string cleaned = clean(name);
        if (!level.keys.add(object, cleaned))
            return fail(fmt::format("\"{}\" is defined twice; remove one of the two", cleaned), startOfToken(), "duplicate");
        level.next = std::move(cleaned);
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& failure) {
        constexpr int numberOutOfRange = 406;
        const std::size_t offset = byte > 0 ? byte - 1 : 0;
        if (failure.id == numberOutOfRange) return fail("a number is too large; the maximum is 1e308", startOfNumber(), "range");
        const auto fault = firstFault(std::string_view(m_text).substr(0, offset + 4));
        if (fault && fault->offset + 8 > offset)
            return fail(fmt::format("contains {}; save the file as UTF-8 text", fault->what), fault->offset, "encoding");
        return fail(std::string(offset >= m_text.size() ? "the file is truncated" : "invalid JSON") +
                        "; correct the text at this position, or open an earlier copy",
                    std::min(offset, m_text.size()));
    }

    Result<Json> result() {
        if (m_error) return *m_error;
        return std::move(m_root);
    }
    // NOLINTEND(readability-identifier-naming)

private:
    struct Level {
        Json* value;
        Keys keys;
        std::string next; // the key whose value comes next
    };

    // Neither terminals nor XML take control characters; they are replaced, so that a document with one in a name still opens.
    static std::string clean(std::string& text) { return firstFault(text) ? withoutFaults(text) : std::move(text); }

    Json* place(Json value) {
        if (++m_values > mostValues) {
            fail("has more than 20,000,000 values, which is the maximum; split the file", offset(), "limit");
            return nullptr;
        }
        if (m_levels.empty()) return &(m_root = std::move(value));
        Json& parent = *m_levels.back().value;
        if (parent.is_array()) return &parent.get_ref<Json::array_t&>().emplace_back(std::move(value));
        return &addMember(parent, std::move(m_levels.back().next), std::move(value));
    }
    bool add(Json value) { return place(std::move(value)) != nullptr; }
    bool open(Json value) {
        if (m_levels.size() >= mostDepth) return fail("is nested more than 64 levels deep, which is the maximum", offset(), "limit");
        Json* placed = place(std::move(value));
        if (placed) m_levels.push_back({placed, {}, {}});
        return placed != nullptr;
    }
    bool close() {
        m_levels.pop_back();
        return true;
    }
    std::size_t offset() const {
        const auto read = static_cast<std::size_t>(m_reached - m_text.data());
        return read > 0 ? read - 1 : 0;
    }
    std::size_t startOfToken() const { // of a string that has just been read
        std::size_t at = m_text.rfind('"', offset());
        do at = at == 0 ? 0 : m_text.rfind('"', at - 1);
        while (at != std::string::npos && at > 0 && m_text[at - 1] == '\\');
        return at == std::string::npos ? 0 : at;
    }
    std::size_t startOfNumber() const {
        const std::size_t last = m_text.find_last_of("0123456789", offset());
        const std::size_t before = last == std::string::npos ? last : m_text.find_last_not_of("0123456789+-.eE", last);
        return before == std::string::npos ? 0 : before + 1;
    }
    bool fail(std::string what, std::size_t at, const char* code = "syntax") {
        m_error = Error{Error::Kind::File, std::move(what), positionIn(m_text, m_file, at)}.with(code);
        return false;
    }

    const std::string& m_text;
    const std::string m_file;
    const char* const& m_reached;
    Json m_root;
    std::vector<Level> m_levels;
    std::size_t m_values = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<Json> parseJson(const std::string& text, const std::string& file) {
    if (text.size() > mostJsonBytes)
        return Error::file(
                   file, fmt::format("is larger than {} MiB, which is the maximum; split it, or reduce its content", mostJsonBytes >> 20U))
            .with("limit");
    const char* reached = text.data();
    Builder builder(text, file, reached);
    Json::sax_parse(CountingIterator{text.data(), &reached}, CountingIterator{text.data() + text.size(), &reached}, &builder);
    return builder.result();
}

} // namespace railyard
