#include "core/sweep/plan.h"

#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/base/random.h"
#include "core/catalog/price_book.h"
#include "core/io/document/design_json.h"
#include "core/json/json_text.h"
#include "core/json/json_view.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr const char* schema = "railyard.sweep/1";
constexpr const char* manifestName = "/manifest.json";
constexpr const char* baseName = "/base.railyard";
constexpr const char* jobListName = "/joblist";
constexpr const char* slurmName = "/railyard.sbatch";

std::string pricesMark() {
    std::string all;
    const CatalogPointer catalog = pricedCatalog();
    for (const auto& [id, part] : catalog->parts()) {
        all += part.original;
        if (!part.shippedPrice || !part.price) continue;
        all += id;
        for (const auto& money : {part.price->low, part.price->base, part.price->high})
            all += money ? fmt::format(" {}", money->inCents()) : std::string(" -");
        for (const auto& [length, money] : part.price->byLength) all += fmt::format(" {} {}", length.value(), money.inCents());
    }
    return toText(fingerprintOf(all));
}

// What a point is, in words; its ID is the fingerprint.
std::string identityOf(const SweepSpec& spec, const std::string& common, std::int64_t point) {
    std::string text = common;
    const std::vector<std::size_t> values = spec.valuesAt(point);
    for (std::size_t a = 0; a < spec.axes.size(); ++a) text += fmt::format("\n{}={}", spec.axes[a].key, spec.axes[a].values[values[a]]);
    return text;
}

std::vector<std::string> idsOf(const SweepSpec& spec, const std::string& prices) {
    std::string common = fmt::format("{}\n{}\n{}\n{}", schema, RAILYARD_VERSION, prices, spec.recipe);
    if (spec.design) common += designText(*spec.design);
    for (const auto& [key, value] : spec.settings) common += fmt::format("\n{}={}", key, value);
    for (const std::string& text : spec.evaluate) common += "\n" + text;
    constexpr std::size_t digits = 16;
    std::vector<std::string> ids;
    for (std::int64_t point = 0; point < spec.points(); ++point)
        ids.push_back(toText(fingerprintOf(identityOf(spec, common, point))).substr(0, digits));
    return ids;
}

Json specOfManifest(const SweepSpec& spec) {
    Json json = toJson(spec);
    if (spec.design) json["base"] = baseName + 1;
    return json;
}

std::string manifestText(const SweepPlan& plan, const std::string& prices) {
    Json points = Json::array();
    for (const std::string& id : plan.ids) points.push_back(id);
    return jsonText(Json{{"schema", schema},
                         {"version", RAILYARD_VERSION},
                         {"prices", prices},
                         {"spec", specOfManifest(plan.spec)},
                         {"points", std::move(points)}}) +
           "\n";
}

Status makeFolder(const std::string& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error::file(folder, "cannot be made: " + failed.message()).with("write");
    return Done{};
}

std::string quoted(const std::string& text) { // of a shell
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

Result<std::string> wholePath(const std::string& folder) {
    std::error_code failed;
    std::string whole = std::filesystem::absolute(folder, failed).lexically_normal().string();
    if (failed) return Error::file(folder, failed.message()).with("read");
    return whole;
}

// sbatch reads the path of an output with % as a pattern, and neither quotes, backslashes nor line breaks as what they are.
bool canBeOutput(const std::string& folder) { return folder.find_first_of("\"\\\n\r") == std::string::npos; }
std::string asOutput(const std::string& path) {
    std::string result;
    for (const char c : path) result += c == '%' ? std::string("%%") : std::string(1, c);
    return result;
}

std::string slurmScript(const SweepPlan& plan, const JobFiles& files, const std::string& folder) {
    const std::string program = quoted(files.program), where = quoted(folder);
    return fmt::format(R"(#!/bin/bash
#SBATCH --job-name=railyard
#SBATCH --array=1-{0}
#SBATCH --cpus-per-task=1
#SBATCH --output="{3}/logs/%a.txt"
# A sweep of {4} points in {0} shards. Submit it with: sbatch railyard.sbatch
# Shards that are done are skipped; to repeat some only: sbatch --array=3,7 railyard.sbatch
# The first task submits the merge, which waits for the whole array and names what is missing.
if [ "$SLURM_ARRAY_TASK_ID" = "$SLURM_ARRAY_TASK_MIN" ]; then
    sbatch --job-name=railyard-merge --dependency=afterany:"$SLURM_ARRAY_JOB_ID" --output={8} \
        --wrap="exec "{5}" sweep merge "{6}" -o "{7}
fi
exec {1} sweep run {2} --shard "$SLURM_ARRAY_TASK_ID/{0}" --threads "${{SLURM_CPUS_PER_TASK:-1}}"
)",
                       files.shards, program, where, asOutput(folder), plan.ids.size(), quoted(program), quoted(where),
                       quoted(quoted(folder + "/results.csv")), quoted(asOutput(folder) + "/logs/merge.txt"));
}

// That a manifest states, whatever else is wrong with the sweep.
std::vector<std::string> pointsIn(const std::string& manifest) {
    const auto text = readFile(manifest, mostJsonBytes);
    const auto json = text ? parseJson(*text, manifest) : Result<Json>(text.errors());
    std::vector<std::string> points;
    if (json && json->is_object() && json->contains("points") && (*json)["points"].is_array())
        for (const Json& each : (*json)["points"])
            if (each.is_string()) points.push_back(each.get<std::string>());
    return points;
}

// Whether the folder is of the same sweep, whatever its points are: these follow from prices and the version too.
bool hasSameSpec(const std::string& folder, const SweepPlan& plan) {
    const auto text = readFile(folder + manifestName, mostJsonBytes);
    const auto json = text ? parseJson(*text, manifestName) : Result<Json>(text.errors());
    if (!json || !json->is_object() || !json->contains("spec") || (*json)["spec"] != specOfManifest(plan.spec)) return false;
    if (!plan.spec.design) return true;
    const auto base = readFile(folder + baseName);
    return base && *base == designText(*plan.spec.design);
}

bool isThere(const std::string& path) {
    std::error_code unknown;
    return std::filesystem::exists(path, unknown);
}

// Whether the folder is free, or holds this sweep, whole or damaged.
Status mayHold(const std::string& folder, const SweepPlan& plan) {
    std::error_code unknown;
    const bool isOfSweep = std::filesystem::is_directory(plan.partsFolder(), unknown);
    if (isThere(folder + manifestName)) {
        const std::vector<std::string> points = pointsIn(folder + manifestName);
        if (points == plan.ids || (points.empty() && isOfSweep)) return Done{};
        return Error::unbuildable(
            hasSameSpec(folder, plan)
                ? fmt::format("{} holds this sweep, planned with other prices or by another version of the program; choose another folder",
                              folder)
                : fmt::format("{} holds another sweep; choose another folder (points that both have are not computed again if you copy "
                              "the files of its parts folder into the new one)",
                              folder));
    }
    for (const char* name : {baseName, jobListName, slurmName})
        if (!isOfSweep && isThere(folder + name))
            return Error::file(folder + name, "does not belong to a sweep and would be replaced; choose another folder").with("write");
    return Done{};
}

// In place of what is there, which this process may have read.
Status writeIfOther(const std::string& path, const std::string& text) {
    auto known = markOfFile(path);
    if (!known) return known.errors();
    if (*known == contentMark(text)) return Done{};
    return writeFile(path, text, {Visibility::AsUsual, std::move(*known)});
}

} // namespace

SweepPlan planOf(SweepSpec spec) {
    SweepPlan plan{{}, std::move(spec), {}};
    plan.ids = idsOf(plan.spec, pricesMark());
    return plan;
}

Result<SweepPlan> planSweep(SweepSpec spec, const std::string& folder) {
    SweepPlan plan{folder, std::move(spec), {}};
    const std::string prices = pricesMark();
    plan.ids = idsOf(plan.spec, prices);
    if (const Status made = makeFolder(folder); !made) return made.errors();
    const std::string manifest = folder + manifestName;
    const auto lock = FileLock::acquire(manifest); // somebody else may be planning into this folder
    if (!lock) return lock.errors();
    if (const Status may = mayHold(folder, plan); !may) return may.errors();
    for (const std::string& each : {plan.partsFolder(), folder + "/logs"})
        if (const Status made = makeFolder(each); !made) return made.errors();
    if (plan.spec.design)
        if (const Status written = writeIfOther(folder + baseName, designText(*plan.spec.design)); !written) return written.errors();
    if (const auto known = openSweep(folder); known && known->ids == plan.ids) return plan;
    if (const Status written = writeIfOther(manifest, manifestText(plan, prices)); !written) return written.errors();
    return plan;
}

Result<SweepPlan> openSweep(const std::string& folder) {
    const std::string file = folder + manifestName;
    const auto text = readFile(file, mostJsonBytes);
    if (!text) return text.errors();
    const auto manifest = parseJson(*text, file);
    if (!manifest) return manifest.errors();
    const auto is = [&](const char* key, Json::value_t type) {
        return manifest->is_object() && manifest->contains(key) && (*manifest)[key].type() == type;
    };
    if (!is("schema", Json::value_t::string) || (*manifest)["schema"] != schema || !is("spec", Json::value_t::object) ||
        !is("points", Json::value_t::array) || !is("version", Json::value_t::string) || !is("prices", Json::value_t::string))
        return Error::file(file, fmt::format("is no sweep of this program (\"{}\"); make one with `railyard-cli sweep plan`", schema))
            .with("type");
    if ((*manifest)["version"] != RAILYARD_VERSION)
        return Error::unbuildable(
            fmt::format("{}: was planned by version {} of the program, this is {}; plan it again, into another folder", file,
                        (*manifest)["version"].get<std::string>(), RAILYARD_VERSION));
    const std::string prices = pricesMark();
    if ((*manifest)["prices"] != prices)
        return Error::unbuildable(file + ": was planned with other prices than those of this machine; use the same price book "
                                         "(RAILYARD_PRICE_BOOK), or plan it again, into another folder");
    auto spec = readSweepSpec(jsonText((*manifest)["spec"]), file);
    if (!spec) return spec.errors();
    SweepPlan plan{folder, std::move(*spec), {}};
    plan.ids = idsOf(plan.spec, prices);
    if (Json(plan.ids) != (*manifest)["points"])
        return Error::file(file, fmt::format("its points are not those of its spec: {} was changed; plan the same sweep into this folder "
                                             "again, which keeps the points that are done",
                                             plan.spec.design ? "it or base.railyard" : "it"))
            .with("value");
    return plan;
}

// Of every group of `of` points each shard takes one. Which one changes from group to group without a pattern; otherwise all points with
// one value of an axis might come to one shard.
std::vector<std::int64_t> Shard::pointsOf(std::int64_t all) const {
    std::vector<std::int64_t> points;
    const auto count = static_cast<std::uint64_t>(of), own = static_cast<std::uint64_t>(index);
    for (std::int64_t first = 0; first < all; first += of) {
        const std::uint64_t turn = mixedBits(static_cast<std::uint64_t>(first) + randomStep) % count;
        const std::int64_t point = first + static_cast<std::int64_t>((turn + own) % count);
        if (point < all) points.push_back(point);
    }
    return points;
}

std::string Shard::text() const { return fmt::format("{}/{}", index, of); }
std::string Shard::fileName() const { return fmt::format("part-{}-of-{}.jsonl", index, of); }

Result<Shard> readShard(const std::string& text) {
    const std::size_t slash = text.find('/');
    const auto number = [](const std::string& digits) {
        constexpr std::size_t most = 6;
        if (digits.empty() || digits.size() > most || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
        return std::stoi(digits);
    };
    Shard shard{number(text.substr(0, slash)), slash == std::string::npos ? 0 : number(text.substr(slash + 1))};
    if (shard.of < 1 || shard.of > mostShards || shard.index < 1 || shard.index > shard.of)
        return Error::usage(fmt::format("--shard {}: must be I/N, with I from 1 to N and N up to {}", text, mostShards));
    return shard;
}

Status checkSlurmFolder(const std::string& folder) {
    const auto whole = wholePath(folder);
    if (!whole) return whole.errors();
    if (canBeOutput(*whole)) return Done{};
    return Error::usage(fmt::format(
        "{}: sbatch cannot write into a folder whose name has a quote, a backslash or a line break; choose another one", folder));
}

Status writeJobFiles(const SweepPlan& plan, const JobFiles& files) {
    const auto whole = wholePath(plan.folder);
    if (!whole) return whole.errors();
    const std::string& folder = *whole;
    std::string list;
    for (int shard = 1; shard <= files.shards; ++shard)
        list += fmt::format("{} sweep run {} --shard {}/{} --threads 1\n", quoted(files.program), quoted(folder), shard, files.shards);
    std::vector<FileText> texts{{plan.folder + jobListName, std::move(list)}};
    if (const Status good = files.withSlurm ? checkSlurmFolder(plan.folder) : Status(Done{}); !good) return good.errors();
    if (files.withSlurm) texts.push_back({plan.folder + slurmName, slurmScript(plan, files, folder)});
    if (const Status written = writeFiles(texts); !written || files.withSlurm) return written;
    std::error_code failed; // of an earlier plan, with other shards
    std::filesystem::remove(plan.folder + slurmName, failed);
    if (failed)
        return Error::file(plan.folder + slurmName, "is of an earlier plan and cannot be removed: " + failed.message()).with("write");
    return Done{};
}

int shardsFor(std::int64_t points, double secondsEach) {
    constexpr double least = 30, most = mostTasks; // seconds a shard
    const double shards = std::floor(static_cast<double>(points) * secondsEach / least);
    return static_cast<int>(std::clamp(shards, 1.0, std::min(most, static_cast<double>(points))));
}

} // namespace railyard
