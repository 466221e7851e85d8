#include "core/bisection/bisection.h"
#include "app/cli/verbs/verb.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/csv.h"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

Status writeWitness(const Fabric& fabric, const std::vector<bool>& sideA, const std::string& path) {
    const auto share = shareOnSideA(fabric, BisectionKey::Server, sideA); // domains are whole
    CsvWriter csv;
    csv.text("path").text("side").endRow();
    for (const DeviceId d : fabric.devices.ids()) {
        if (!fabric.devices.isGpu(d) || fabric.devices.hbDomain[d] == none) continue;
        csv.text(fabric.devicePath(d)).text(share[fabric.devices.hbDomain[d]] == 1.0 ? "a" : "b").endRow();
    }
    return writeFile(path, csv.bytes());
}

int runBisection(const DesignInput& input, const std::string& witness, const AnswerOptions& answer) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    Json all{{"schema", "railyard.bisection/1"}};
    const std::array<Bisection, 3> results = bisections(*loaded->fabric);
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& result = results[static_cast<std::size_t>(key)];
        all[std::string(toText(key))] = toJson(result);
        if (answer.wantsText())
            fmt::print(
                "{:<37}{} ({})\n", labelOf(key),
                formatInterval(formatBandwidth(gigabitsPerSecond(result.lowerGbps)), formatBandwidth(gigabitsPerSecond(result.upperGbps))),
                result.certified ? "certified" : result.method);
        if (key == BisectionKey::Server && !witness.empty())
            if (Status written = writeWitness(*loaded->fabric, result.sideA, witness); !written) return report(written.errors());
    }
    return answer.give(withFailures(std::move(all), input));
}

Run addBisection(CLI::App& verb) {
    auto input = std::make_shared<DesignInput>();
    auto witness = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    input->addTo(verb, true);
    verb.add_option("--witness", *witness, "write the server partition of the smallest cut found to this CSV file");
    answer->addTo(verb);
    return [=] { return runBisection(*input, *witness, *answer); };
}

} // namespace

const VerbInfo bisectionVerb{"bisection", "compute the bisection bandwidth of servers and GPUs, with lower and upper bounds",
                             neverShowsPrices, addBisection};

} // namespace railyard::cli
