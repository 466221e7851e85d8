#include "core/sweep/compute.h"

#include "core/base/counted.h"
#include "core/base/fingerprint.h"
#include "core/catalog/price_book.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/design_text.h"
#include "core/json/json_text.h"
#include "core/sweep/known_cables.h"
#include "core/sweep/notes.h"
#include "core/sweep/plan.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>
#include <numeric>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

SweepAnswer failed(const std::vector<Error>& errors) {
    SweepAnswer answer;
    for (const Error& error : errors) answer.error += (answer.error.empty() ? "" : "; ") + error.text;
    return answer;
}

Error outOfMemory() { return Error::unbuildable("not enough memory"); }

// Hand edits of the base that this design has no place for.
std::string noteOnEdits(const Fabric& fabric) {
    const auto lost =
        std::count_if(fabric.diagnostics.begin(), fabric.diagnostics.end(), [](const Diagnostic& each) { return each.code == "RY-D014"; });
    if (lost == 0) return {};
    return counted(lost, "{} edit of the base does not apply: its element is not in this design",
                   "{} edits of the base do not apply: their elements are not in this design");
}

SweepAnswer answerOf(const DesignPointer& design, const std::vector<Evaluation>& evaluations, KnownCables* known) {
    try {
        const FabricPointer fabric = elaborate(design, readInsideLinks(evaluations) ? InsideLinks::Listed : InsideLinks::Omitted);
        auto values = evaluate(*fabric, evaluations, known);
        if (!values) return failed(values.errors());
        SweepAnswer answer;
        answer.note = noteOnEdits(*fabric);
        answer.values = std::move(*values);
        if (const auto error = answer.values.find("error"); error != answer.values.end()) {
            answer.error = error->get<std::string>();
            answer.values.erase("error");
        }
        return answer;
    } catch (const std::bad_alloc&) {
        return failed({outOfMemory()});
    }
}

// By what the answers follow from: which parameters a recipe was called with makes no difference once it has built the design, unless all
// metrics are asked for, which have the fingerprint of the document.
Fingerprint keyOf(const Design& design, const std::vector<Evaluation>& evaluations) {
    const bool isFingerprinted = std::any_of(evaluations.begin(), evaluations.end(), [](const Evaluation& each) {
        return each.kind == Evaluation::Kind::Metrics && each.key.empty();
    });
    Design plain = design;
    if (plain.recipe && !isFingerprinted) plain.recipe->parameters.clear();
    plain.catalog = std::make_shared<const Catalog>(); // all points have the same, and it is long
    return fingerprintOf(jsonText(designJson(plain), -1));
}

struct Asked {
    DesignPointer design;
    Fingerprint key;
    std::string note;
};
Result<Asked> askedAt(const SweepSpec& spec, std::int64_t point) {
    try {
        const auto design = designAt(spec, point);
        if (!design) return design.errors();
        std::vector<std::string> notes = notesOnResults(spec);
        if (std::string ofPrices = noteOf(**design, *pricedCatalog()); !ofPrices.empty()) notes.insert(notes.begin(), std::move(ofPrices));
        return Asked{*design, keyOf(**design, spec.evaluations), fmt::format("{}", fmt::join(notes, "; "))};
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    }
}

// Whether designs may differ and still have the same cables: by their HB domains, or by the options of a section.
bool mayShareCables(const SweepSpec& spec) {
    return std::any_of(spec.axes.begin(), spec.axes.end(), [](const SweepAxis& axis) {
        return axis.values.size() > 1 && (axis.key == "hb_domain_gpus" || axis.key.find('.') != std::string::npos);
    });
}

// Answers that several points have in common.
class SharedAnswers {
public:
    using Take = std::function<void(const SweepAnswer&)>;

    // `take` is called at once, or by the thread that is computing the same answer: none waits for another.
    void get(const Fingerprint& key, const std::function<SweepAnswer()>& compute, const Take& take) {
        {
            std::unique_lock lock(m_mutex);
            const auto [known, isNew] = m_entries.try_emplace(key);
            if (!isNew && !known->second.answer) return known->second.waiting.push_back(take);
            if (!isNew) {
                const auto answer = known->second.answer; // may be forgotten meanwhile
                lock.unlock();
                return take(*answer);
            }
        }
        const auto answer = std::make_shared<const SweepAnswer>(compute());
        std::vector<Take> waiting;
        {
            const std::lock_guard lock(m_mutex);
            Entry& own = m_entries[key];
            own.answer = answer;
            waiting = std::move(own.waiting);
            m_order.push_back(key);
            if (m_order.size() > mostKept) m_entries.erase(m_order.front()), m_order.pop_front();
        }
        take(*answer);
        for (const Take& each : waiting) each(*answer);
    }

private:
    static constexpr std::size_t mostKept = 16'384; // some 100 MB; a sweep of more designs may compute one of them again
    struct Entry {
        std::shared_ptr<const SweepAnswer> answer; // null while a thread computes it
        std::vector<Take> waiting;
    };
    struct Hash {
        std::size_t operator()(const Fingerprint& key) const { return key.low; }
    };
    std::mutex m_mutex;
    std::unordered_map<Fingerprint, Entry, Hash> m_entries;
    std::deque<Fingerprint> m_order; // of those with an answer
};

// The average time of a point that shares no design.
double secondsOfPoint(const SweepSpec& spec) {
    constexpr std::int64_t least = 8;
    constexpr std::chrono::seconds enough(3);
    const auto begin = std::chrono::steady_clock::now();
    std::int64_t done = 0;
    for (const std::int64_t point : trialPoints(spec.points())) {
        computePoint(spec, point);
        const auto taken = std::chrono::steady_clock::now() - begin;
        if (++done >= least ? taken > enough : taken > 4 * enough) break;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / static_cast<double>(done);
}

} // namespace

std::unordered_map<std::string_view, const Json*> SweepAnswer::byKey() const {
    std::unordered_map<std::string_view, const Json*> found;
    found.reserve(values.size());
    for (auto value = values.begin(); value != values.end(); ++value) found.emplace(value.key(), &*value);
    return found;
}

SweepAnswer computePoint(const SweepSpec& spec, std::int64_t point) {
    SweepAnswer only;
    computePoints(spec, {point}, {.threads = 1}, [&](std::size_t, SweepAnswer answer) {
        only = std::move(answer);
        return true;
    });
    return only;
}

std::int64_t computePoints(const SweepSpec& spec, const std::vector<std::int64_t>& points, const TaskContext& context,
                           const TakeAnswer& take) {
    std::atomic<bool> isEnded = false;
    std::atomic<std::int64_t> designs = 0;
    const auto put = [&](std::size_t place, SweepAnswer answer) {
        if (!take(place, std::move(answer))) isEnded = true;
    };
    SharedAnswers shared;
    KnownCables cables;
    KnownCables* const known = mayShareCables(spec) ? &cables : nullptr;
    runTasks<Done>(points.size(), context, [&](std::size_t place) {
        if (isEnded) return Done{};
        const auto asked = askedAt(spec, points[place]);
        if (!asked) {
            put(place, failed(asked.errors()));
            return Done{};
        }
        const auto compute = [&] {
            ++designs;
            return answerOf(asked->design, spec.evaluations, known);
        };
        shared.get(asked->key, compute, [&put, place, note = asked->note](SweepAnswer answer) {
            answer.note = note + (note.empty() || answer.note.empty() ? "" : "; ") + answer.note;
            put(place, std::move(answer));
        });
        return Done{};
    });
    return designs;
}

std::vector<std::int64_t> trialPoints(std::int64_t count) {
    constexpr std::int64_t most = 64;
    constexpr double golden = 0.6180339887498949; // its multiples leave no large gap, wherever they end
    std::vector<std::int64_t> points(static_cast<std::size_t>(std::min(count, most)));
    std::iota(points.begin(), points.end(), std::int64_t{0});
    for (std::size_t i = 0; count > most && i < points.size(); ++i)
        points[i] = static_cast<std::int64_t>(std::fmod((static_cast<double>(i) + 0.5) * golden, 1.0) * static_cast<double>(count));
    return points;
}

double shareOfDesigns(const SweepSpec& spec, int of) {
    constexpr std::size_t most = 256;
    std::set<std::pair<std::uint64_t, std::uint64_t>> designs;
    std::int64_t failing = 0; // points without a design, whose time is part of the trial
    const std::vector<std::int64_t> own = Shard{1, of}.pointsOf(spec.points());
    const std::size_t looked = std::min(own.size(), most);
    for (std::size_t i = 0; i < looked; ++i)
        if (const auto asked = askedAt(spec, own[i]))
            designs.emplace(asked->key.high, asked->key.low);
        else
            ++failing;
    return static_cast<double>(static_cast<std::int64_t>(designs.size()) + failing) / static_cast<double>(looked);
}

int shardsByTrial(const SweepSpec& spec) {
    constexpr int mostTries = 8;
    const double seconds = secondsOfPoint(spec);
    int shards = shardsFor(spec.points(), seconds);
    for (int i = 0; i < mostTries; ++i) { // which points share a design depends on how many shards there are
        const int fewer = shardsFor(spec.points(), seconds * shareOfDesigns(spec, shards));
        if (fewer >= shards) break;
        shards = fewer;
    }
    return shards;
}

} // namespace railyard
