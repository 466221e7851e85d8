#include "core/fabric/search.h"

#include "core/fabric/path_finder.h"

#include <algorithm>
#include <cctype>

namespace railyard {
namespace {

// A word and its number: "leaf[4]", "leaf4" and "leaf 4" are all leaf, 4.
struct Term {
    std::string word, number;
};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::vector<Term> termsOf(const std::string& text) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < text.size();) {
        const auto run = [&](auto is) {
            const std::size_t begin = i;
            while (i < text.size() && is(static_cast<unsigned char>(text[i]))) ++i;
            return text.substr(begin, i - begin);
        };
        if (std::isdigit(static_cast<unsigned char>(text[i]))) {
            const std::string number = run([](int c) { return std::isdigit(c); });
            if (terms.empty() || !terms.back().number.empty()) terms.emplace_back();
            terms.back().number = number;
        } else if (std::isalpha(static_cast<unsigned char>(text[i]))) {
            terms.push_back({run([](int c) { return std::isalpha(c) || c == '-'; }), {}});
        } else {
            ++i;
        }
    }
    return terms;
}

// 0: not at all; 2: every number whole; 1: some only begin like it.
int match(const std::vector<Term>& wanted, const std::vector<Term>& there) {
    int quality = 2;
    std::size_t at = 0;
    for (const Term& term : wanted) {
        const auto fits = [&](const Term& own) {
            return own.word.starts_with(term.word) && (term.number.empty() || own.number.starts_with(term.number));
        };
        while (at < there.size() && !fits(there[at])) ++at;
        if (at == there.size()) return 0;
        if (!term.number.empty() && there[at].number != term.number) quality = 1;
        ++at;
    }
    return quality;
}

// "su 3 leaf 4" as the path su[3]/leaf[4]; a number after it as the port.
std::string asPath(const std::vector<Term>& terms) {
    std::string path;
    for (const Term& term : terms) {
        if (term.word.empty() && !term.number.empty())
            path += ":" + term.number;
        else
            path += (path.empty() ? "" : "/") + term.word + (term.number.empty() ? "" : "[" + term.number + "]");
    }
    return path;
}

} // namespace

std::vector<std::string> searchElements(const Fabric& fabric, std::string_view query, std::size_t most) {
    const std::string text = lower(query);
    const std::vector<Term> wanted = termsOf(text);
    std::vector<std::string> result, weaker;
    if (wanted.empty()) return result;
    const auto add = [&](std::string path) {
        if (std::find(result.begin(), result.end(), path) == result.end()) result.push_back(std::move(path));
    };
    const PathFinder finder(fabric);
    for (const std::string& path : {text, asPath(wanted)})
        if (finder.device(path) || finder.port(path) || finder.scope(path)) add(path);
    for (const auto& [path, change] : fabric.design->overrides)
        if (!change.label.empty() && lower(change.label).find(text) != std::string::npos) add(path);
    const auto consider = [&](const std::string& path) {
        const int quality = match(wanted, termsOf(path));
        if (quality == 2 && result.size() < most) add(path);
        if (quality == 1 && weaker.size() < most) weaker.push_back(path);
    };
    for (ScopeId scope(1); scope < fabric.scopes.size(); ++scope)
        if (fabric.scopes[scope].parent != none) consider(fabric.scopePath(scope));
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.routes(d) || fabric.devices.isManager(d)) consider(fabric.devicePath(d));
    for (std::string& path : weaker)
        if (result.size() < most) add(std::move(path));
    return result;
}

std::vector<std::string> elementsWithPart(const Fabric& fabric, std::string_view partId) {
    std::vector<std::string> paths;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.partIds[fabric.devices.part[d]] == partId) paths.push_back(fabric.devicePath(d));
    for (ServerId server(0); server < fabric.servers.size(); ++server)
        if (fabric.partIds[fabric.serverParts[server]] == partId) paths.push_back(fabric.scopePath(fabric.servers[server]));
    return paths;
}

} // namespace railyard
