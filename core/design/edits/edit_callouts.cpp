// What is said on the drawing: added, changed, and named by its place in the list, callout[2].
#include "core/design/edits/edit_callouts.h"

#include "core/design/model/path.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::string_view calloutKindNames[] = {"text", "arrow", "bracket", "legend", "logo"};
constexpr std::size_t mostPicture = 4'000'000, mostText = 2000, mostPaths = 64; // characters of base64, characters, elements
constexpr double farthest = 1e6;                                                // drawing units
constexpr std::string_view pngInBase64 = "iVBORw0KGgo";                         // how every PNG begins

std::optional<Error> whyNot(const Callout& callout) {
    const bool speaks = callout.kind != Callout::Kind::Legend && callout.kind != Callout::Kind::Logo;
    if (speaks && callout.text.empty()) return Error::unbuildable(fmt::format("The {} has no text. Enter a text.", toText(callout.kind)));
    if (callout.kind == Callout::Kind::Logo && callout.picture.empty())
        return Error::unbuildable("The logo has no picture. Choose a picture.");
    if (!callout.picture.empty() && !callout.picture.text().starts_with(pngInBase64))
        return Error::unbuildable("The picture of a logo must be a PNG in base64.");
    if (callout.text.size() > mostText)
        return Error::unbuildable(fmt::format("The text is too long; the maximum is {} characters.", mostText));
    if (callout.of.size() > mostPaths) return Error::unbuildable(fmt::format("A callout can refer to at most {} elements.", mostPaths));
    if (callout.picture.text().size() > mostPicture) return Error::unbuildable("The picture is too large for a logo; the maximum is 3 MB.");
    for (const double number : {callout.at.x, callout.at.y, callout.width})
        if (!(std::abs(number) <= farthest))
            return Error::unbuildable("The position is outside the drawing; coordinates must be from −1,000,000 to 1,000,000.");
    return {};
}

std::string described(const Callout& callout) {
    std::string about = callout.of.empty()       ? ""
                        : callout.of.size() == 1 ? " at " + callout.of.front()
                                                 : fmt::format(" at {} elements", callout.of.size());
    return fmt::format("{} {}{}", callout.kind == Callout::Kind::Arrow ? "an" : "a", toText(callout.kind), about);
}

} // namespace

std::string_view toText(Callout::Kind kind) { return calloutKindNames[static_cast<std::size_t>(kind)]; }

std::optional<Callout::Kind> calloutKindFrom(std::string_view text) {
    for (std::size_t k = 0; k < std::size(calloutKindNames); ++k)
        if (calloutKindNames[k] == text) return static_cast<Callout::Kind>(k);
    return {};
}

std::string calloutPath(std::size_t index) { return fmt::format("callout[{}]", index + 1); }

std::optional<std::size_t> calloutAt(const Design& design, std::string_view path) {
    const auto segment = path.starts_with("callout[") ? parseSegment(path) : std::nullopt;
    if (!segment || segment->first != "callout" || segment->second < 1) return {};
    const auto index = static_cast<std::size_t>(segment->second - 1);
    return index < design.callouts.size() ? std::optional(index) : std::nullopt;
}

Result<Edit> addCallout(const Design& design, const Callout& callout) {
    if (const auto error = whyNot(callout)) return *error;
    if (design.callouts.size() >= mostCallouts)
        return Error::unbuildable(fmt::format("A design can have at most {} callouts.", mostCallouts));
    Design next = design;
    next.callouts.push_back(callout);
    return Edit{std::make_shared<const Design>(std::move(next)), "Add " + described(callout)};
}

Result<Edit> changeCallout(const Design& design, std::size_t index, const Callout& callout) {
    if (index >= design.callouts.size()) return Error::unbuildable(fmt::format("The design has no {}.", calloutPath(index)));
    if (const auto error = whyNot(callout)) return *error;
    Design next = design;
    next.callouts[index] = callout;
    return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("Edit {}: {}", calloutPath(index), described(callout))};
}

} // namespace railyard
