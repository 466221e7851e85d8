#include "core/collective/library/calibration_json.h"

#include "core/base/shipped.h"
#include "core/collective/library/shipped_calibration.h"
#include "core/json/json_view.h"

#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::int64_t formatNumber = 1;

// An object that has to be there; read as empty where it is not, which reports every key it lacks.
template <class Read>
void object(const JsonView& view, std::string_view key, const Read& read) {
    if (!view.has(key) || !view.at(key).isObject()) return view.fail(key, "is missing or not an object");
    read(view.at(key));
}

ByProtocol<double> numbers(const JsonView& view, std::string_view key, double low, double high) {
    ByProtocol<double> result;
    object(view, key, [&](const JsonView& of) {
        for (const Protocol protocol : allProtocols) result[protocol] = of.between(toText(protocol), low, high);
    });
    return result;
}

ByProtocol<Seconds> microseconds(const JsonView& view, std::string_view key) {
    const ByProtocol<double> numbersOf = numbers(view, key, 0, 1e6);
    ByProtocol<Seconds> result;
    for (const Protocol protocol : allProtocols) result[protocol] = Seconds(numbersOf[protocol] * 1e-6);
    return result;
}

AlgorithmConstants readAlgorithm(const JsonView& view) {
    AlgorithmConstants constants;
    constants.base = microseconds(view, "base_us");
    constants.hbHop = microseconds(view, "hb_hop_us");
    constants.nicHop = microseconds(view, "nic_hop_us");
    constants.share = numbers(view, "share", 1e-3, 1);
    constants.shareInOneDomain = view.has("share_one_domain") ? numbers(view, "share_one_domain", 1e-3, 1) : constants.share;
    if (!view.has("share_by_size")) return constants;
    object(view, "share_by_size", [&](const JsonView& of) {
        for (const Protocol protocol : allProtocols) {
            if (!of.has(toText(protocol))) continue;
            if (!of.at(toText(protocol)).json().is_array()) of.fail(toText(protocol), "must be a list of numbers from 0.001 to 1");
            for (const Json& share : of.at(toText(protocol)).json()) {
                const bool isShare = share.is_number() && share.get<double>() >= 1e-3 && share.get<double>() <= 1;
                if (!isShare) of.fail(toText(protocol), "must be a list of numbers from 0.001 to 1");
                constants.shareBySize[protocol].push_back(isShare ? share.get<double>() : 1);
            }
        }
    });
    return constants;
}

Uncertain readUncertain(const JsonView& view, std::string_view key, double low, double high, double scale = 1) {
    Uncertain result;
    object(view, key, [&](const JsonView& of) {
        result.low = of.between("low", low, high) * scale;
        result.base = of.between("base", low, high) * scale;
        result.high = of.between("high", low, high) * scale;
        result.source = of.text("source", "");
        if (!(result.low <= result.base && result.base <= result.high)) view.fail(key, "must satisfy low <= base <= high");
    });
    return result;
}

// Where the file says nothing of it: a constant that changes nothing.
Uncertain readOptional(const JsonView& view, std::string_view key, double low, double high, double neutral, double scale = 1) {
    return view.has(key) ? readUncertain(view, key, low, high, scale) : Uncertain{neutral, neutral, neutral, ""};
}

// Networks that the file does not name cost what InfiniBand does.
void readNetworks(const JsonView& view, CollectiveLibrary& library) {
    library.networks.fill({readUncertain(view, "nic_share", 1e-3, 1), readOptional(view, "nic_hop_us", 0, 1e6, 0, 1e-6)});
    if (!view.has("networks")) return;
    object(view, "networks", [&](const JsonView& of) {
        for (const Transport transport : {Transport::Roce, Transport::Efa})
            if (of.has(toText(transport)))
                object(of, toText(transport), [&](const JsonView& network) {
                    library.networks[transport == Transport::Roce ? 1 : 2] = {readUncertain(network, "nic_share", 1e-3, 1),
                                                                              readUncertain(network, "nic_hop_us", 0, 1e6, 1e-6)};
                });
    });
}

Bandwidth gigabytes(const JsonView& view, std::string_view key) { return Bandwidth(view.between(key, 1e-3, 1e6) * 8e9); }

MeasuredCosts readMeasured(const JsonView& view) {
    return {Seconds(view.between("base_us", 0, 1e6) * 1e-6), Seconds(view.between("hop_us", 0, 1e6) * 1e-6),
            view.between("share", 1e-3, 1)};
}

ByProtocol<MeasuredCosts> readMeasured(const JsonView& view, std::string_view key, std::span<const Protocol> protocols) {
    ByProtocol<MeasuredCosts> result;
    object(view, key, [&](const JsonView& of) {
        for (const Protocol protocol : protocols)
            object(of, toText(protocol), [&](const JsonView& costs) { result[protocol] = readMeasured(costs); });
    });
    return result;
}

std::shared_ptr<const OneDomain> readOneDomain(const JsonView& view) {
    static constexpr Protocol exchanges[] = {Protocol::Ll, Protocol::Simple};
    OneDomain of;
    of.source = view.text("source");
    of.ringShare = view.between("library_share", 1e-3, 1);
    of.ring = readMeasured(view, "ring", allProtocols);
    of.ringCopy = view.between("ring_copy", 0, 100);
    of.ringHiding = view.between("ring_hiding_exponent", 1, 100);
    of.exchange = readMeasured(view, "exchange", exchanges);
    of.exchangeCopy = view.between("exchange_copy", 0, 100);
    of.exchangeGrowth = Seconds(view.between("exchange_growth_us", 0, 1e6) * 1e-6);
    of.exchangeMostLl = view.integer("exchange_ll_most_bytes", 0, std::int64_t{1} << 40);
    if (view.has("nvls"))
        object(view, "nvls", [&](const JsonView& nvls) {
            const MeasuredCosts costs = readMeasured(nvls);
            of.nvls = {costs.base, Seconds(nvls.between("growth_us", 0, 1e6) * 1e-6), costs.share, nvls.between("efficiency", 1e-3, 1)};
        });
    of.latencyScale = readUncertain(view, "latency_scale", 0, 100);
    of.shareScale = readUncertain(view, "share_scale", 1e-3, 100);
    return std::make_shared<const OneDomain>(std::move(of));
}

GpuGeneration readGeneration(const JsonView& view) {
    GpuGeneration generation;
    generation.architecture = view.text("architecture");
    view.eachText("gpus", [&](const std::string& id) { generation.gpus.push_back(id); });
    generation.hbShare = readUncertain(view, "hb_share", 1e-3, 1);
    generation.llMost = gigabytes(view, "ll_most_gbytes_s");
    if (view.has("channel_most_gbytes_s")) generation.channelMost = gigabytes(view, "channel_most_gbytes_s");
    if (view.has("nvls_share")) generation.nvlsShare = readUncertain(view, "nvls_share", 1e-3, 1);
    if (view.has("nvls_tree_most_gbytes_s"))
        object(view, "nvls_tree_most_gbytes_s", [&](const JsonView& of) {
            generation.nvlsTreeMost = {gigabytes(of, "two_domains"), gigabytes(of, "more_domains")};
        });
    if (view.has("one_domain")) object(view, "one_domain", [&](const JsonView& of) { generation.oneDomain = readOneDomain(of); });
    return generation;
}

CollectiveLibrary readLibrary(const JsonView& view) {
    CollectiveLibrary library;
    library.id = view.text("id");
    library.name = view.text("name");
    library.source = view.text("source");
    view.eachText("vendors", [&](const std::string& vendor) { library.vendors.push_back(vendor); });
    if (library.vendors.empty()) view.fail("vendors", "must list at least one GPU vendor; \"\" stands for GPUs whose part is unknown");
    object(view, "ring", [&](const JsonView& of) { library.ring = readAlgorithm(of); });
    object(view, "tree", [&](const JsonView& of) { library.tree = readAlgorithm(of); });
    object(view, "nvls", [&](const JsonView& of) {
        library.nvlsInside = Seconds(of.between("inside_us", 0, 1e6) * 1e-6);
        library.nvlsNicHop = Seconds(of.between("nic_hop_us", 0, 1e6) * 1e-6);
    });
    if (view.has("pat"))
        object(view, "pat", [&](const JsonView& of) {
            const auto microsecond = [&](const char* key) { return Seconds(of.between(key, 0, 1e6) * 1e-6); };
            library.pat = {microsecond("base_us"), microsecond("rank_us"), microsecond("nic_hop_us"), of.between("share", 1e-3, 1)};
        });
    if (library.has("pat") && !view.has("pat")) view.fail("pat", "is missing, but algorithms lists pat");
    library.networkPost = microseconds(view, "network_post_us");
    object(view, "ll_most_gbytes_s", [&](const JsonView& of) {
        library.llMostOverTwo = gigabytes(of, "two_domains");
        library.llMostOverMore = gigabytes(of, "more_domains");
    });
    view.eachItem("generations", [&](const JsonView& of) { library.generations.push_back(readGeneration(of)); });
    if (library.generations.empty())
        view.fail("generations", "must list at least one generation; the last one is used for GPUs that are not listed");
    for (const char* algorithm : {"ring", "tree", "direct", "pxn", "nvls"})
        if (!view.has("algorithms")) library.algorithms.emplace_back(algorithm);
    if (view.has("algorithms")) view.eachText("algorithms", [&](const std::string& name) { library.algorithms.push_back(name); });
    readNetworks(view, library);
    library.ramp = readUncertain(view, "ramp_us", 0, 1e6, 1e-6);
    library.rampGrowth = readOptional(view, "ramp_growth_us", 0, 1e6, 0, 1e-6);
    library.latencyHiding = readOptional(view, "latency_hiding_exponent", 1, 100, 1);
    library.exchangeHiding = readOptional(view, "exchange_hiding_exponent", 1, 100, 1);
    library.exchangeOverhead = readOptional(view, "exchange_overhead_us", 0, 1e6, 0, 1e-6);
    library.exchangeOverlap = readOptional(view, "exchange_overlap", 0, 1, 1);
    library.hierarchicalOverlap = readUncertain(view, "hierarchical_overlap", 0, 1);
    library.latencyScale = readUncertain(view, "latency_scale", 0, 100);
    library.exposedSendSteps = readUncertain(view, "exposed_send_steps", 0, 1);
    library.sendReceiveShare = readUncertain(view, "send_receive_share", 1e-3, 1);
    return library;
}

TcpCosts readTcp(const JsonView& view) {
    return {readUncertain(view, "share", 1e-3, 1), readUncertain(view, "most_nic_gbps", 1e-3, 1e6, 1e9),
            readUncertain(view, "hop_us", 0, 1e6, 1e-6)};
}

} // namespace

Result<Calibration> readCalibration(const std::string& text, const std::string& file) {
    auto json = parseJson(text, file);
    if (!json) return json.errors();
    const JsonSource source{file, text, std::move(*json), {}};
    const JsonView root = JsonView::root(source);
    if (root.text("calibration") != "collectives" && source.errors.empty())
        root.fail("calibration", "must be \"collectives\"; this file is not a calibration of collectives");
    root.integer("format", 1, formatNumber);
    Calibration calibration{file, {}, {}, Transport::Rdma};
    if (source.errors.empty() && !root.has("libraries")) root.fail("libraries", "is missing; must list the libraries with their constants");
    if (source.errors.empty())
        root.eachItem("libraries", [&](const JsonView& view) {
            calibration.libraries.push_back(std::make_shared<const CollectiveLibrary>(readLibrary(view)));
        });
    if (source.errors.empty() && root.has("tcp")) object(root, "tcp", [&](const JsonView& of) { calibration.tcp = readTcp(of); });
    if (!source.errors.empty()) return source.errors;
    return calibration;
}

const Calibration& shippedCalibration() {
    static const Calibration shipped =
        shippedOrAbort(readCalibration(shippedCalibrationText(), "collectives.json"), "calibration of collectives");
    return shipped;
}

} // namespace railyard
