#include "core/sweep/run.h"

#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <set>
#include <unistd.h>
#include <utility>

namespace railyard {
namespace {

constexpr const char* unfinishedEnd = ".unfinished";

// By which a line that was damaged is told from one that a worker wrote.
std::string markOf(Json line) {
    line.erase("mark");
    return toText(fingerprintOf(jsonText(line, -1)));
}

std::string lineOf(const std::string& id, const SweepAnswer& answer) {
    Json json{{"point", id}, {"values", answer.values}};
    if (!answer.error.empty()) json["error"] = answer.error;
    if (!answer.note.empty()) json["note"] = answer.note;
    json["mark"] = markOf(json);
    return jsonText(json, -1);
}

// A file of answers that grows line by line, so that what is computed stays when the program ends.
class Journal {
public:
    // A file of its own: another machine may have a process of this number, and an earlier one may have left its points.
    explicit Journal(const std::string& stem) {
        char host[64] = "";
        gethostname(host, sizeof host - 1);
        for (int number = 0; !m_file && (number == 0 || errno == EEXIST); ++number) {
            m_path = fmt::format("{}.{}.{}.{}{}", stem, host, getpid(), number, unfinishedEnd);
            m_file = std::fopen(m_path.c_str(), "wx");
        }
        if (!m_file) m_why = std::strerror(errno);
    }
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    ~Journal() {
        if (m_file) std::fclose(m_file);
    }
    // False from when it is known that a line could not be written. A thread that comes while another writes leaves its line to that one:
    // it does not wait. When all have returned every line is written, or whyFailed() says why not.
    bool append(const std::string& line) {
        std::unique_lock lock(m_mutex);
        m_waiting += line + "\n";
        if (m_isWriting) return !m_failed;
        m_isWriting = true;
        while (!m_waiting.empty() && !m_failed) {
            const std::string text = std::exchange(m_waiting, {});
            lock.unlock();
            const bool isWritten = m_file && std::fputs(text.c_str(), m_file) >= 0 && std::fflush(m_file) == 0;
            const int why = isWritten ? 0 : errno;
            lock.lock();
            m_failed = !isWritten;
            if (m_failed && m_file) m_why = std::strerror(why);
        }
        m_isWriting = false;
        return !m_failed;
    }
    const std::string& path() const { return m_path; }
    std::optional<std::string> whyFailed() { // empty if every line is written
        const std::lock_guard lock(m_mutex);
        return m_failed || !m_file ? std::optional(m_why) : std::nullopt;
    }
    bool isMade() const { return m_file != nullptr; }

private:
    std::mutex m_mutex;
    std::string m_path, m_why;
    std::FILE* m_file = nullptr;
    std::string m_waiting; // lines
    bool m_isWriting = false, m_failed = false;
};

bool isShardFile(const std::string& name, Shard& shard) {
    int index = 0, of = 0, end = 0;
    if (std::sscanf(name.c_str(), "part-%6d-of-%6d.jsonl%n", &index, &of, &end) != 2 || end == 0) return false;
    shard = {index, of};
    return static_cast<std::size_t>(end) == name.size() && index >= 1 && index <= of && of <= mostShards;
}

// Its answers, and what is wrong with it. `holds`: the number of points of a file in place; empty of one that a worker has begun.
Status addLines(const std::string& path, const std::set<std::string>& ids, std::optional<std::size_t> holds, SweepParts& parts) {
    std::int64_t damaged = 0, foreign = 0;
    std::set<std::string> own;
    const Status read = eachLine(path, [&](std::string_view text, bool isEnded) {
        std::string line(text);
        const auto json = isEnded ? parseJson(line, path) : Result<Json>(Error::usage(""));
        if (!json || !json->is_object() || !json->contains("point") || !(*json)["point"].is_string() || !json->contains("values") ||
            !(*json)["values"].is_object() || !json->contains("mark") || (*json)["mark"] != markOf(*json)) {
            damaged += holds ? 1 : 0; // the last line of a worker that was killed is cut off
            return;
        }
        const std::string id = (*json)["point"].get<std::string>();
        if (!ids.contains(id)) {
            ++foreign;
            return;
        }
        if (holds) own.insert(id);
        parts.lines.emplace(id, std::move(line));
    });
    if (damaged > 0) parts.problems.push_back(path + ": " + counted(damaged, "{} damaged line", "{} damaged lines"));
    if (foreign > 0) parts.problems.push_back(path + ": " + counted(foreign, "{} point of another sweep", "{} points of another sweep"));
    if (holds && damaged + foreign == 0 && own.size() < *holds)
        parts.problems.push_back(fmt::format("{}: {} of its {}", path,
                                             own.empty() ? "holds none" : fmt::format("holds only {}", own.size()),
                                             counted(static_cast<std::int64_t>(*holds), "{} point", "{} points")));
    return read;
}

// A file that holds this already keeps its time. A worker that computes the same shard may write it meanwhile, with the same text.
Status putInPlace(const std::string& path, const std::vector<const std::string*>& lines) {
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown))
        return Error::file(path, "is no regular file; remove it").with("write");
    const auto own = [&] {
        FingerprintOfBytes all;
        for (const std::string* line : lines) {
            all.add(*line);
            all.add("\n");
        }
        return toText(all.value());
    };
    constexpr int tries = 3;
    constexpr std::size_t bytesOfAWrite = 1 << 20;
    Status written = Done{};
    for (int i = 0; i < tries; ++i) {
        const auto known = markOfFile(path);
        if (known && *known != noFileMark && *known == own()) return Done{};
        auto file = PendingFile::nextTo(path, {Visibility::AsUsual, known ? *known : noFileMark});
        written = file ? Status(Done{}) : Status(file.errors());
        std::string text;
        for (std::size_t l = 0; written && l < lines.size(); ++l) {
            text += *lines[l] + "\n";
            if (text.size() < bytesOfAWrite && l + 1 < lines.size()) continue;
            written = file->append(text);
            text.clear();
        }
        if (written) written = file->finish();
        if (written) written = file->moveIntoPlace();
        if (written || written.error().code != "changed") return written;
    }
    return written;
}

} // namespace

Result<SweepAnswer> readAnswer(const std::string& line) {
    const auto json = parseJson(line, "part");
    if (!json) return json.errors();
    SweepAnswer answer;
    answer.values = (*json)["values"];
    if (json->contains("error") && (*json)["error"].is_string()) answer.error = (*json)["error"].get<std::string>();
    if (json->contains("note") && (*json)["note"].is_string()) answer.note = (*json)["note"].get<std::string>();
    return answer;
}

Result<SweepParts> readParts(const SweepPlan& plan, PartFiles which, const Shard& wanted) {
    SweepParts parts;
    const std::set<std::string> ids(plan.ids.begin(), plan.ids.end());
    std::vector<std::string> names;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(plan.partsFolder(), failed))
        names.push_back(entry.path().filename().string());
    if (failed && failed != std::errc::no_such_file_or_directory) // without the folder there are no parts
        return Error::file(plan.partsFolder(), failed.message()).with("read");
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        Shard shard;
        const bool isWhole = isShardFile(name, shard);
        if (!isWhole && !(which == PartFiles::ForShard && name.ends_with(unfinishedEnd))) continue;
        if (isWhole && which == PartFiles::ForShard && shard.of == wanted.of && shard.index != wanted.index)
            continue; // has none of its points
        const std::string path = plan.partsFolder() + "/" + name;
        const auto all = static_cast<std::int64_t>(plan.ids.size());
        if (const Status read = addLines(path, ids, isWhole ? std::optional(shard.pointsOf(all).size()) : std::nullopt, parts); !read) {
            parts.problems.push_back(toText(read.error()));
            continue;
        }
        if (isWhole) parts.shards.push_back(shard);
    }
    return parts;
}

Result<SweepRun> runShard(const SweepPlan& plan, const Shard& shard, const TaskContext& context) {
    auto parts = readParts(plan, PartFiles::ForShard, shard);
    if (!parts) return parts.errors();
    std::error_code cannotMake;
    std::filesystem::create_directories(plan.partsFolder(), cannotMake);
    if (cannotMake) return Error::file(plan.partsFolder(), "cannot be made: " + cannotMake.message()).with("write");
    const std::vector<std::int64_t> own = shard.pointsOf(static_cast<std::int64_t>(plan.ids.size()));
    std::vector<std::int64_t> missing;
    for (const std::int64_t point : own)
        if (!parts->lines.contains(plan.ids[static_cast<std::size_t>(point)])) missing.push_back(point);
    SweepRun run;
    run.problems = parts->problems;
    run.known = static_cast<std::int64_t>(own.size() - missing.size());
    const std::string path = plan.partsFolder() + "/" + shard.fileName();
    const std::string prefix = shard.fileName() + ".";
    if (!missing.empty()) {
        Journal journal(path);
        std::vector<std::string> lines(missing.size());
        const auto idOf = [&](std::size_t place) { return plan.ids[static_cast<std::size_t>(missing[place])]; };
        run.designs = computePoints(plan.spec, missing, context, [&](std::size_t place, const SweepAnswer& answer) {
            lines[place] = lineOf(idOf(place), answer);
            return journal.append(lines[place]);
        });
        if (const auto why = journal.whyFailed())
            return Error::file(journal.path(),
                               fmt::format("cannot be {}: {}; free some space, or plan the sweep into a writable folder{}",
                                           journal.isMade() ? "written" : "made", *why,
                                           journal.isMade()
                                               ? "; the points that are in it are kept, and the rest is computed at the next run"
                                               : ""))
                .with("write");
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].empty()) {
                run.isComplete = false;
                continue;
            }
            ++run.computed;
            parts->lines[idOf(i)] = std::move(lines[i]);
        }
        if (!run.isComplete) return run;
    }
    std::vector<const std::string*> lines;
    for (const std::int64_t point : own) lines.push_back(&parts->lines[plan.ids[static_cast<std::size_t>(point)]]);
    if (const Status placed = putInPlace(path, lines); !placed) {
        Error error = placed.error();
        error.text += "; the points that are computed are kept for the next run";
        return error;
    }
    // What this worker and killed ones of the same shard have left: it is in place now.
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(plan.partsFolder(), failed)) {
        const std::string name = entry.path().filename().string();
        const bool isOfShard = name.starts_with(prefix) || (shard.of == 1 && name.starts_with("part-")); // one shard has all points
        if (isOfShard && name.ends_with(unfinishedEnd)) std::filesystem::remove(entry.path(), failed);
    }
    return run;
}

} // namespace railyard
