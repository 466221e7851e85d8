#include "core/io/results/results_json.h"

#include "core/analysis/figures/figure_table.h"
#include "core/bill/unpriced.h"
#include "core/collective/algorithms/algorithm_table.h"

#include <algorithm>

namespace railyard {
namespace {

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}
// Counts of things are whole; amounts are not, even where they happen to be.
Json numberOf(const FigureValue& figure) {
    const auto& [name, value, unit, group] = figure.member;
    const bool isWhole = unit == "B" || (unit.empty() && figure.row->format == FigureFormat::Count);
    return !value ? Json() : isWhole ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
}

// The place of a row in the metrics; a family's is an object.
Json& at(Json& json, std::string_view path) {
    Json* found = &json;
    for (std::size_t from = 0; from < path.size();) {
        const std::size_t dot = std::min(path.find('.', from), path.size());
        found = &(*found)[std::string(path.substr(from, dot - from))];
        from = dot + 1;
    }
    if (path.ends_with('.') && found->is_null()) *found = Json::object();
    return *found;
}

Json secondsOrNull(const std::optional<CollectiveTime>& candidate) { return candidate ? Json(candidate->time.value()) : Json(); }

// A list, because operations and sizes are fields of their own here.
Json collectivesJson(const BackgroundMetrics& background, const std::vector<FigureValue>& figures) {
    Json list = Json::array();
    for (const NamedCollective& named : background.collectives) {
        Json row{{"op", toText(named.op)}};
        for (const FigureValue& figure : figures)
            if (figure.row->key == "collectives." && figure.member.group == named.key()) row[figure.member.name] = numberOf(figure);
        row["algorithm"] = named.result ? Json(toText(named.result->best.algorithm)) : Json();
        row["protocol"] = named.result ? Json(toText(named.result->best.protocol)) : Json();
        if (!named.result) row["reason"] = named.why;
        list.push_back(row);
    }
    return list;
}

// The job that the figures are of, in words.
void addJob(const TrainingFigures& training, Json& into) {
    into["model"] = training.estimate ? Json(training.estimate->job.model.id) : Json();
    Json reasons = Json::array();
    if (training.estimate)
        for (const std::string& reason : training.estimate->reasons) reasons.push_back(reason);
    else
        reasons.push_back(training.why);
    into["feasible"] = training.estimate && training.estimate->isFeasible();
    into["reasons"] = std::move(reasons);
}

} // namespace

Json toJson(const Bisection& b) {
    Json cut = Json::object();
    for (const auto& [tier, links] : b.cutLinks) cut[tier] = links;
    Json tried = Json::array();
    for (const Bisection::Tried& each : b.tried) tried.push_back({{"name", each.name}, {"lower_gbps", each.lowerGbps}});
    return {{"lower_gbps", b.lowerGbps},
            {"upper_gbps", b.upperGbps},
            {"certified", b.certified},
            {"fraction_of_injection", orNull(b.fractionOfInjection)},
            {"method", b.method},
            {"cut_links", cut},
            {"tried", tried}};
}

Json toJson(const Metrics& m) {
    Json json{{"schema", "railyard.metrics/1"},
              {"name", m.name},
              {"recipe", m.recipe.empty() ? Json() : Json(m.recipe)},
              {"fingerprint", m.fingerprint}};
    for (const char* section : {"counts", "ratios", "bisection", "cost", "power", "floor", "networks", "failure", "latency", "training"})
        json[section] = Json::object();
    const std::vector<FigureValue> figures = figuresOf({m.instant, &m.background});
    auto figure = figures.begin();
    for (const FigureInfo& row : figureTable()) {
        if (row.isFamily()) at(json, row.key); // present even without a member
        for (; figure != figures.end() && figure->row == &row; ++figure) {
            const auto& [name, value, unit, group] = figure->member;
            Json& target = at(json, row.key);
            (name.empty() ? target : group.empty() ? target[name] : target[group][name]) = numberOf(*figure);
        }
    }
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& b = m.background.bisection[static_cast<std::size_t>(key)];
        Json& found = json["bisection"][std::string(toText(key))];
        found["certified"] = b.certified;
        found["method"] = b.method;
    }
    Json& kinds = json["cost"]["unpriced_kinds"] = Json::array();
    const PartKinds unpriced = unpricedKinds(m.instant.bill, &Bill::total);
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c)
        if (unpriced[c]) kinds.push_back(billCategoryNames[c]);
    json["power"]["unknown_parts"] = m.instant.bill.unknownPower;
    json["collectives"] = collectivesJson(m.background, figures);
    if (m.background.training) addJob(*m.background.training, json["training"]);
    return json;
}

Json toJson(const Explanation& e) {
    Json inputs = Json::array();
    for (const ExplainedInput& input : e.origin.inputs)
        inputs.push_back({{"name", input.name},
                          {"value", orNull(input.value)},
                          {"unit", input.unit},
                          {"source", input.source},
                          {"confidence", input.confidence}});
    return {{"schema", "railyard.explain/1"},
            {"key", e.key},
            {"value", orNull(e.value)},
            {"unit", e.unit},
            {"formula", e.origin.formula.empty() ? Json() : Json(e.origin.formula)},
            {"inputs", inputs},
            {"confidence", e.value ? Json(e.confidence()) : Json()},
            {"note", e.origin.note}};
}

Json toJson(const CollectiveResult& r) {
    Json phases = Json::array(), alternatives = Json::array();
    for (const CollectivePhase& phase : r.best.phases)
        phases.push_back({{"name", phase.name},
                          {"time_s", phase.time().value()},
                          {"latency_s", r.library ? Json(phase.latency.value()) : Json()},
                          {"bytes", phase.bytes},
                          {"efficiency_fraction", phase.ideal / phase.transfer()},
                          {"hidden_latency_s", phase.hidden.value()},
                          {"exposed_fraction", phase.exposed},
                          {"bottleneck", phase.bottleneck}});
    for (const CollectiveTime& candidate : r.alternatives) {
        alternatives.push_back({{"algorithm", toText(candidate.algorithm)},
                                {"protocol", toText(candidate.protocol)},
                                {"time_s", candidate.time.value()},
                                {"in_library", candidate.isInLibrary}});
        if (candidate.algorithm != Algorithm::Hierarchical) continue;
        alternatives.back()["overlapped_s"] = candidate.overlapped().value();
        alternatives.back()["serialised_s"] = candidate.serialised().value();
    }
    return {{"schema", "railyard.collective/1"},
            {"op", toText(r.op)},
            {"size_bytes", r.size.count()},
            {"ranks", r.ranks},
            {"algorithm", toText(r.best.algorithm)},
            {"protocol", toText(r.best.protocol)},
            {"time_s", r.best.time.value()},
            {"time_low_s", secondsOrNull(r.favourable)},
            {"time_high_s", secondsOrNull(r.adverse)},
            {"algbw_gbytes_s", r.algbwGbytesPerSecond},
            {"busbw_gbytes_s", r.busbwGbytesPerSecond},
            {"latency_s", r.library ? Json(r.best.latency().value()) : Json()},
            {"library", r.library ? Json(r.library->name) : Json()},
            {"transport", toText(r.transport)},
            {"lower_bound_s", r.lowerBound.value()},
            {"bytes", {{"hb", r.best.hbBytes}, {"nic", r.best.nicBytes}}},
            {"phases", phases},
            {"alternatives", alternatives},
            {"max_link_utilisation_fraction", r.best.maxLinkUtilisation}};
}

Result<Json> toJson(const Communicator& group, CollectiveOp op, const CollectiveRequest& request, const std::vector<Bytes>& sizes) {
    Json points = Json::array();
    for (const Bytes each : sizes) {
        const auto timed = group.time(op, each, request);
        if (!timed) return timed.errors();
        points.push_back({{"size_bytes", each.count()},
                          {"time_s", timed->best.time.value()},
                          {"time_low_s", timed->favourable ? Json(timed->favourable->time.value()) : Json()},
                          {"time_high_s", timed->adverse ? Json(timed->adverse->time.value()) : Json()},
                          {"busbw_gbytes_s", timed->busbwGbytesPerSecond},
                          {"algorithm", toText(timed->best.algorithm)},
                          {"protocol", toText(timed->best.protocol)}});
    }
    return points;
}

Json toJson(const HeatGrid& grid) {
    Json rows = Json::array(), notes = Json::array();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        Json row = Json::array(), noteRow = Json::array();
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            row.push_back(orNull(grid.values[grid.at(x, y)]));
            noteRow.push_back(grid.notes[grid.at(x, y)]);
        }
        rows.push_back(row);
        notes.push_back(noteRow);
    }
    Json json{{"schema", "railyard.heatmap/1"},
              {"title", grid.title},
              {"x", {{"name", grid.xName}, {"values", grid.x}}},
              {"y", {{"name", grid.yName}, {"values", grid.yNames.empty() ? Json(grid.y) : Json(grid.yNames)}}},
              {"value", grid.valueName},
              {"values", rows},
              {"notes", notes}};
    if (!grid.undecided.empty())
        for (std::size_t y = 0; y < grid.y.size(); ++y) {
            Json row = Json::array();
            for (std::size_t x = 0; x < grid.x.size(); ++x) row.push_back(static_cast<bool>(grid.undecided[grid.at(x, y)]));
            json["undecided"].push_back(row);
        }
    return json;
}

Json toJson(const std::vector<Diagnostic>& found) {
    Json list = Json::array();
    for (const Diagnostic& d : found)
        list.push_back({{"code", d.code},
                        {"severity", toText(d.severity)},
                        {"text", d.text},
                        {"subject", d.subject},
                        {"hint", d.hint},
                        {"fix", d.fix.empty() ? Json() : Json(d.fix)},
                        {"count", d.count},
                        {"approved", d.approved.empty() ? Json() : Json(d.approved)}});
    return list;
}

} // namespace railyard
