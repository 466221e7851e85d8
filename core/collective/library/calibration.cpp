#include "core/collective/library/calibration.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

namespace {
constexpr std::array<std::string_view, 3> protocolNames{"ll", "ll128", "simple"};
constexpr std::array<std::string_view, 5> namesOfTransports{"rdma", "infiniband", "roce", "efa", "tcp"};
} // namespace

std::string_view toText(Protocol protocol) { return protocolNames[static_cast<std::size_t>(protocol)]; }

std::optional<Protocol> protocolFrom(std::string_view text) {
    for (const Protocol protocol : allProtocols)
        if (toText(protocol) == text) return protocol;
    return {};
}

std::string_view toText(Transport transport) { return namesOfTransports[static_cast<std::size_t>(transport)]; }

std::optional<Transport> transportFrom(std::string_view text) {
    for (const Transport transport : allTransports)
        if (toText(transport) == text) return transport;
    return {};
}

Result<Calibration> over(Transport transport, Calibration calibration) {
    if (transport == Transport::Tcp && !calibration.tcp)
        return Error::unbuildable(
            fmt::format("{}: no constants for TCP; add a `tcp` object as in resources/calibration/collectives.json", calibration.name));
    calibration.transport = transport;
    return calibration;
}

const GpuGeneration& CollectiveLibrary::generationOf(std::string_view gpu) const {
    for (const GpuGeneration& generation : generations)
        if (std::find(generation.gpus.begin(), generation.gpus.end(), gpu) != generation.gpus.end()) return generation;
    return generations.back();
}

bool CollectiveLibrary::has(std::string_view algorithm) const {
    return std::find(algorithms.begin(), algorithms.end(), algorithm) != algorithms.end();
}

const NetworkCosts& CollectiveLibrary::network(Transport transport) const {
    return networks[transport == Transport::Roce ? 1 : transport == Transport::Efa ? 2 : 0];
}

std::shared_ptr<const CollectiveLibrary> Calibration::libraryOf(std::string_view vendor) const {
    for (const auto& library : libraries)
        if (std::find(library->vendors.begin(), library->vendors.end(), vendor) != library->vendors.end()) return library;
    return nullptr;
}

const Calibration& notCalibrated() {
    static const Calibration none{"none", {}, {}, Transport::Rdma};
    return none;
}

} // namespace railyard
