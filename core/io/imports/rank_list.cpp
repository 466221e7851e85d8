#include "core/io/imports/rank_list.h"

#include "core/base/file.h"
#include "core/fabric/path_finder.h"

#include <fmt/format.h>
#include <unordered_map>

namespace railyard {

Result<std::vector<DeviceId>> readRankList(const Fabric& fabric, const std::string& path) {
    const auto text = readText(path);
    return text ? rankListFrom(fabric, *text, path) : Result<std::vector<DeviceId>>(text.errors());
}

Result<std::vector<DeviceId>> rankListFrom(const Fabric& fabric, const std::string& text, const std::string& path) {
    const PathFinder finder(fabric);
    std::vector<DeviceId> gpus;
    std::unordered_map<DeviceId, int> lineOf;
    std::vector<Error> errors;
    int number = 0;
    std::string_view left = text;
    while (!left.empty() && errors.size() < mostErrors) {
        ++number;
        std::string_view line = left.substr(0, left.find('\n'));
        left.remove_prefix(std::min(left.size(), line.size() + 1));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos || line[first] == '#') continue;
        line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
        const auto fail = [&](const std::string& what) { errors.push_back(Error::file(path, what, number, static_cast<int>(first) + 1)); };
        const auto device = finder.device(line);
        if (!device)
            fail(fmt::format("the design has no device \"{}\"; write the path of a GPU on each line, for example su[1]/srv[4]/gpu[2]",
                             line));
        else if (!fabric.devices.isGpu(*device))
            fail(fmt::format("\"{}\" is a {}, not a GPU; only GPUs can be ranks", line, toText(fabric.devices.kind[*device])));
        else if (const auto [it, fresh] = lineOf.try_emplace(*device, number); !fresh)
            fail(fmt::format("\"{}\" is already listed on line {}; list each GPU once", line, it->second));
        else
            gpus.push_back(*device);
    }
    if (errors.empty() && gpus.empty())
        errors.push_back(Error::file(path, "lists no GPUs; write one GPU path per line, starting with rank 0"));
    if (!errors.empty()) return errors;
    return gpus;
}

} // namespace railyard
