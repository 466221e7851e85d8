#include "core/reliability/reliability_parameters.h"

#include "core/base/text.h"
#include "core/base/unit_text.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <tuple>
#include <utility>

namespace railyard {
namespace {

using Info = ParameterInfo;
using Request = ReliabilityRequest;

constexpr double mostGpus = 1'048'576;
constexpr double longest = 100 * 8760 * 3600.0;    // s
constexpr double mostSeed = 9'007'199'254'740'992; // 2^53, so that JSON keeps it
constexpr std::array<std::string_view, 2> onOff{"off", "on"};
constexpr std::array<std::string_view, 3> placementNames{"packed", "spread", "random"};

constexpr std::string_view jobGroup = "Job", repairGroup = "Repair", checkpointGroup = "Checkpoint",
                           rateGroup = "Failures per unit and year", modelGroup = "Model";

namespace field {
constexpr auto jobGpus = [](Request & r) -> auto& { return r.jobGpus; };
constexpr auto placement = [](Request & r) -> auto& { return r.placement; };
constexpr auto policy = [](Request & r) -> auto& { return r.policy; };
constexpr auto standbys = [](Request & r) -> auto& { return r.standbys; };
constexpr auto earlyLife = [](Request & r) -> auto& { return r.earlyLife; };
constexpr auto software = [](Request & r) -> auto& { return r.isSoftware; };
constexpr auto retireAfter = [](Request & r) -> auto& { return r.retireAfter; };
} // namespace field

std::string durationText(Seconds time) {
    const double seconds = time.value();
    for (const auto& [unit, name] : {std::pair(86400.0, "d"), {3600.0, "h"}, {60.0, "m"}})
        if (seconds >= unit && std::fmod(seconds, unit) == 0) return parameterText(seconds / unit) + name;
    return parameterText(seconds) + "s";
}

// A time of at least `Least` seconds.
template <auto Field, int Least>
Parameter<Request> duration(Info info) {
    info.kind = Info::Kind::Text;
    info.range = Least > 0 ? "1s…100 years" : "0s…100 years";
    return {info, [](const Request& r) { return durationText(Field(const_cast<Request&>(r))); },
            [](Request& r, const std::string& text) {
                const auto time = parseDuration(text);
                if (!time) return Status(Error::usage(time.error().text));
                if (time->value() < Least || time->value() > longest)
                    return Status(Error::usage(
                        fmt::format("{}: must be {} and at most 100 years", text, Least > 0 ? "at least a second" : "0 or more")));
                Field(r) = *time;
                return Status(Done{});
            }};
}

template <PartKind Kind>
Parameter<Request> rateRow() {
    static const std::string key = rateKey(Kind);
    static const std::string help = fmt::format("failures of one {} per year, or low/base/high", toText(Kind));
    return {Info{.key = key,
                 .label = shortLabelOf(Kind),
                 .help = help,
                 .kind = Info::Kind::Text,
                 .automatic = "that of the catalogue",
                 .automaticLabel = "catalogue",
                 .group = rateGroup,
                 .range = "0…8760"},
            [](const Request& r) {
                const auto own = r.rates.find(Kind);
                return own == r.rates.end() ? std::string() : rateText(own->second);
            },
            [](Request& r, const std::string& text) {
                if (text.empty()) return r.rates.erase(Kind), Status(Done{});
                auto rate = rateFrom(text);
                if (!rate) return Status(rate.errors());
                r.rates[Kind] = std::move(*rate);
                return Status(Done{});
            }};
}

template <std::size_t... K>
void addRates(std::vector<Parameter<Request>>& rows, std::index_sequence<K...>) {
    (rows.push_back(rateRow<static_cast<PartKind>(K)>()), ...);
}

// "1%:10": a share of the servers and a factor.
std::optional<std::pair<double, double>> shareAndFactor(const std::string& text) {
    const std::size_t colon = text.find(':');
    const auto share = parseFraction(text.substr(0, colon));
    const auto factor = colon == std::string::npos ? std::nullopt : decimalFrom(std::string_view(text).substr(colon + 1));
    return share && *share <= 1 && factor ? std::optional(std::pair(*share, *factor)) : std::nullopt;
}

std::string lemonsText(const Request& r) {
    return r.lemonShare > 0 ? fmt::format("{}%:{}", parameterText(r.lemonShare * 100), parameterText(r.lemonMultiple)) : "none";
}
Status setLemons(Request& r, const std::string& text) {
    if (text == "none") return r.lemonShare = 0, r.lemonMultiple = 1, Status(Done{});
    const auto found = shareAndFactor(text);
    if (!found || found->second <= 0 || found->second > 1e6)
        return Error::usage(text + ": must be none, or the share of the servers and how many times as often they fail, for example 1%:10");
    std::tie(r.lemonShare, r.lemonMultiple) = *found;
    return Done{};
}

std::string slowText(const Request& r) {
    return r.slowShare > 0 ? fmt::format("{}%:{}", parameterText(r.slowShare * 100), parameterText(r.slowRatio)) : "none";
}
Status setSlow(Request& r, const std::string& text) {
    if (text == "none") return r.slowShare = 0, r.slowRatio = 1, Status(Done{});
    const auto found = shareAndFactor(text);
    if (!found || found->second < 1 || found->second > 100)
        return Error::usage(text + ": must be none, or the share of the servers and their time / that of others, for example 0.5%:1.1");
    std::tie(r.slowShare, r.slowRatio) = *found;
    return Done{};
}

std::string autoRepairText(const Request& r) {
    return r.autoRepairShare > 0 ? fmt::format("{}%:{}", parameterText(r.autoRepairShare * 100), durationText(r.autoRepair)) : "none";
}
Status setAutoRepair(Request& r, const std::string& text) {
    if (text == "none") return r.autoRepairShare = 0, r.autoRepair = {}, Status(Done{});
    const std::size_t colon = text.find(':');
    const auto share = parseFraction(text.substr(0, colon));
    const auto time = colon == std::string::npos ? Result<Seconds>(Error::usage("")) : parseDuration(text.substr(colon + 1));
    if (!share || !time || *share > 1 || time->value() < 1 || time->value() > longest)
        return Error::usage(text + ": must be none, or the share of server repairs that need no people and their time, for example 80%:2h");
    r.autoRepairShare = *share;
    r.autoRepair = *time;
    return Done{};
}

std::string peerText(const Request& r) {
    return r.peerCopies.isOn() ? fmt::format("{}:{}", durationText(r.peerCopies.write), durationText(r.peerCopies.interval)) : "none";
}
Status setPeer(Request& r, const std::string& text) {
    if (text == "none") return r.peerCopies = {}, Status(Done{});
    const std::size_t colon = text.find(':');
    const auto write = parseDuration(text.substr(0, colon));
    const auto interval = colon == std::string::npos ? Result<Seconds>(Error::usage("")) : parseDuration(text.substr(colon + 1));
    if (!write || !interval || write->value() < 0 || interval->value() < 1 || interval->value() > longest || write->value() > longest)
        return Error::usage(text + ": must be none, or the time to write a copy and the training time between two, for example 2s:5m");
    r.peerCopies = {*write, *interval};
    return Done{};
}

std::string misdiagnosisText(const Request& r) { return parameterText(r.misdiagnosis * 100) + "%"; }
Status setMisdiagnosis(Request& r, const std::string& text) {
    const auto share = parseFraction(text);
    if (!share || *share < 0 || *share > 0.99) return Error::usage(text + ": must be from 0% to 99%, for example 5%");
    r.misdiagnosis = *share;
    return Done{};
}

std::string flapsText(const Request& r) { return fmt::format("link={}", parameterText(r.flapsPerLink)); }
Status setFlaps(Request& r, const std::string& text) {
    const auto value = text.starts_with("link=") ? decimalFrom(std::string_view(text).substr(5)) : std::nullopt;
    constexpr double most = 10'000; // about one an hour
    if (!value || *value < 0 || *value > most)
        return Error::usage(text +
                            ": must be link= and how often one link is down for seconds in a year, at most 10,000, for example link=2");
    r.flapsPerLink = *value;
    return Done{};
}

std::string successText(const Request& r) { return parameterText(r.repairSuccess); }
Status setSuccess(Request& r, const std::string& text) {
    const auto plain = decimalFrom(text);
    const auto share = plain ? Result<double>(*plain) : parseFraction(text);
    if (!share || *share <= 0 || *share > 1) return Error::usage(text + ": must be greater than 0 and at most 1, for example 0.9 or 90%");
    r.repairSuccess = *share;
    return Done{};
}

std::string distributionText(const Request& r) {
    switch (r.lifetimes.kind) {
    case Lifetimes::Kind::Weibull: return "weibull:" + parameterText(r.lifetimes.parameter);
    case Lifetimes::Kind::Lognormal: return "lognormal:" + parameterText(r.lifetimes.parameter);
    case Lifetimes::Kind::Exponential: break;
    }
    return "exponential";
}
Status setDistribution(Request& r, const std::string& text) {
    if (text == "exponential") return r.lifetimes = {}, Status(Done{});
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string name = text.substr(0, colon);
    const auto value = colon < text.size() ? decimalFrom(std::string_view(text).substr(colon + 1)) : std::nullopt;
    const bool isWeibull = name == "weibull", isLognormal = name == "lognormal";
    if (!isWeibull && !isLognormal) return Error::usage(text + ": must be exponential, weibull:SHAPE or lognormal:SIGMA");
    // Beyond these nearly all lifetimes are a tiny part of their mean, and a part fails millions of times before it lasts.
    const double least = isWeibull ? 0.2 : 0.1, most = isWeibull ? 20 : 5;
    if (!value || *value < least || *value > most)
        return Error::usage(text + (isWeibull ? ": needs its shape, a number from 0.2 to 20, for example weibull:0.8"
                                              : ": needs its sigma, a number from 0.1 to 5, for example lognormal:1"));
    r.lifetimes = {isWeibull ? Lifetimes::Kind::Weibull : Lifetimes::Kind::Lognormal, *value};
    return Done{};
}

Parameter<Request> textRow(Info info, std::string (*text)(const Request&), Status (*set)(Request&, const std::string&)) {
    info.kind = Info::Kind::Text;
    return {std::move(info), text, set};
}

void addJob(std::vector<Parameter<Request>>& rows) {
    constexpr auto horizon = [](Request & r) -> auto& { return r.horizon; };
    rows.push_back(
        duration<horizon, 1>({.key = "horizon", .label = "Horizon", .help = "time horizon, for example 30d", .group = jobGroup}));
    rows.push_back(numberParameter<Request, field::jobGpus>({.key = "job_gpus",
                                                             .label = "Job size",
                                                             .unit = "GPUs",
                                                             .help = "GPUs of the job, the first ones of the placement",
                                                             .high = mostGpus,
                                                             .automatic = "those of the job of the design, or all",
                                                             .automaticLabel = "automatic",
                                                             .group = jobGroup}));
    rows.push_back(choiceParameter<Request, field::placement, placementNames>(
        {.key = "placement",
         .label = "Placement",
         .help = "servers of the job: packed, spread or random",
         .kind = Info::Kind::Choice,
         .choices = {{"packed", "packed"}, {"spread", "spread over SUs"}, {"random", "random"}},
         .group = jobGroup}));
    rows.push_back(choiceParameter<Request, field::policy, failurePolicyNames>(
        {.key = "policy",
         .label = "Policy",
         .help = "strict: a NIC that loses its only path interrupts the job; tolerant: traffic is forwarded over HB links",
         .kind = Info::Kind::Choice,
         .choices = {{"strict", "Strict"}, {"tolerant", "Tolerant"}},
         .group = jobGroup}));
}

void addRepair(std::vector<Parameter<Request>>& rows) {
    constexpr auto server = [](Request & r) -> auto& { return r.repairServer; };
    constexpr auto ofSwitch = [](Request & r) -> auto& { return r.repairSwitch; };
    constexpr auto link = [](Request & r) -> auto& { return r.repairLink; };
    rows.push_back(numberParameter<Request, field::standbys>({.key = "standbys",
                                                              .label = "Warm standbys",
                                                              .unit = "servers",
                                                              .help = "servers of the design that are kept as warm standbys",
                                                              .high = mostGpus,
                                                              .group = repairGroup}));
    rows.push_back(duration<server, 1>(
        {.key = "repair_server", .label = "Server repair", .help = "repair time of a server with a failed part", .group = repairGroup}));
    rows.push_back(textRow({.key = "repair_success",
                            .label = "Repair success",
                            .help = "share of repairs that succeed; a failed repair is repeated",
                            .group = repairGroup,
                            .range = "0…1"},
                           successText, setSuccess));
    rows.push_back(
        textRow({.key = "auto_repair",
                 .label = "Automatic repair",
                 .help = "share of server repairs that need no people, and their time, for example 80%:2h; others follow by hand",
                 .group = repairGroup,
                 .range = "none or SHARE:TIME"},
                autoRepairText, setAutoRepair));
    rows.push_back(textRow({.key = "misdiagnosis",
                            .label = "Failed diagnosis",
                            .help = "share of restarts that keep the failed server, so that the job stops again at once",
                            .group = repairGroup,
                            .range = "0%…99%"},
                           misdiagnosisText, setMisdiagnosis));
    rows.push_back(
        duration<ofSwitch, 1>({.key = "repair_switch", .label = "Switch repair", .help = "repair time of a switch", .group = repairGroup}));
    rows.push_back(
        duration<link, 1>({.key = "repair_link", .label = "Link repair", .help = "repair time of a link", .group = repairGroup}));
    rows.push_back(numberParameter<Request, field::retireAfter>({.key = "retire_after",
                                                                 .label = "Retirement after",
                                                                 .unit = "repairs",
                                                                 .help = "number of repairs after which a server is retired",
                                                                 .high = 1'000'000,
                                                                 .automatic = "never",
                                                                 .automaticLabel = "never",
                                                                 .group = repairGroup}));
}

void addCheckpoint(std::vector<Parameter<Request>>& rows) {
    constexpr auto write = [](Request & r) -> auto& { return r.checkpoint.write; };
    constexpr auto restart = [](Request & r) -> auto& { return r.checkpoint.restart; };
    constexpr auto interval = [](Request & r) -> auto& { return r.checkpoint.interval; };
    constexpr auto recovery = [](Request & r) -> auto& { return r.recovery; };
    constexpr auto timeout = [](Request & r) -> auto& { return r.libraryTimeout; };
    rows.push_back(duration<write, 0>({.key = "checkpoint_write",
                                       .label = "Write",
                                       .help = "time to write a checkpoint, during which training stops",
                                       .group = checkpointGroup}));
    rows.push_back(duration<restart, 0>(
        {.key = "restart", .label = "Restart", .help = "time to restart the job after a failure", .group = checkpointGroup}));
    rows.push_back(duration<interval, 0>({.key = "checkpoint_interval",
                                          .label = "Interval",
                                          .help = "training time between two checkpoints; 0s: Young's interval",
                                          .group = checkpointGroup}));
    rows.push_back(textRow({.key = "peer_checkpoints",
                            .label = "Copies at a peer",
                            .help = "checkpoints in the memory of another server, besides those in storage: time to write one and training "
                                    "time between two, for example 2s:5m, or none",
                            .group = checkpointGroup,
                            .range = "none or WRITE:INTERVAL"},
                           peerText, setPeer));
    rows.push_back(duration<recovery, 0>({.key = "recovery",
                                          .label = "Recovery of paths",
                                          .help = "time to reroute traffic after a link or switch failure",
                                          .group = checkpointGroup}));
    rows.push_back(duration<timeout, 0>({.key = "library_timeout",
                                         .label = "Library time-out",
                                         .help = "time-out of the collective library, after which the job stops",
                                         .group = checkpointGroup}));
}

void addModel(std::vector<Parameter<Request>>& rows) {
    rows.push_back(textRow({.key = "lemons",
                            .label = "Lemon servers",
                            .help = "share of servers with a higher failure rate, and the factor, for example 1%:10, or none",
                            .group = modelGroup,
                            .range = "none or SHARE:MULTIPLE"},
                           lemonsText, setLemons));
    rows.push_back(textRow({.key = "slow_servers",
                            .label = "Slow servers",
                            .help = "share of slow servers, for which all others wait, and their time / that of others, for example "
                                    "0.5%:1.1, or none",
                            .group = modelGroup,
                            .range = "none or SHARE:RATIO"},
                           slowText, setSlow));
    rows.push_back(textRow({.key = "flaps",
                            .label = "Link flaps",
                            .help = "flaps of one link per year, for example link=2",
                            .group = modelGroup,
                            .range = "link=0…10000"},
                           flapsText, setFlaps));
    rows.push_back(textRow({.key = "distribution",
                            .label = "Lifetimes",
                            .help = "exponential, weibull:SHAPE or lognormal:SIGMA, with the means of the rates",
                            .group = modelGroup,
                            .range = "exponential, weibull:SHAPE, lognormal:SIGMA"},
                           distributionText, setDistribution));
    rows.push_back(choiceParameter<Request, field::software, onOff>({.key = "software",
                                                                     .label = "Software faults",
                                                                     .help = "count software faults too, on or off",
                                                                     .kind = Info::Kind::Switch,
                                                                     .choices = {{"off", "off"}, {"on", "on"}},
                                                                     .group = modelGroup}));
    rows.push_back(numberParameter<Request, field::earlyLife>({.key = "early_life",
                                                               .label = "Early-life factor",
                                                               .help = "factor on all failure rates, as in the first months of operation",
                                                               .kind = Info::Kind::Real,
                                                               .low = 0.001,
                                                               .high = 1000,
                                                               .group = modelGroup}));
}

std::vector<Parameter<Request>> rowsOf() {
    std::vector<Parameter<Request>> rows;
    addJob(rows);
    addRepair(rows);
    addCheckpoint(rows);
    addModel(rows);
    addRates(rows, std::make_index_sequence<partKindNames.size()>());
    return rows;
}

} // namespace

std::string rateKey(PartKind kind) {
    std::string key = "rate_" + std::string(toText(kind));
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

std::span<const Parameter<ReliabilityRequest>> reliabilityParameters() {
    static const std::vector<Parameter<Request>> rows = rowsOf();
    return rows;
}

Result<ReliabilityRequest> readReliability(const ParameterTexts& options) {
    return withTexts(reliabilityParameters(), Request(), options, "the failure model");
}

ReliabilityRequest reliabilityOfDesign(const Design& design) {
    const auto request = design.reliability ? readReliability(design.reliability->options) : Result<Request>(Request());
    return request ? *request : Request(); // a document with other values is not opened
}

} // namespace railyard
