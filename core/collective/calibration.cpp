#include "core/collective/calibration.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

namespace {
constexpr std::array<std::string_view, 3> protocolNames{"ll", "ll128", "simple"};
constexpr std::array<std::string_view, 2> transportNames{"rdma", "tcp"};
} // namespace

std::string_view toText(Protocol protocol) { return protocolNames[static_cast<std::size_t>(protocol)]; }

std::optional<Protocol> protocolFrom(std::string_view text) {
    for (const Protocol protocol : allProtocols)
        if (toText(protocol) == text) return protocol;
    return {};
}

std::string_view toText(Transport transport) { return transportNames[static_cast<std::size_t>(transport)]; }

std::optional<Transport> transportFrom(std::string_view text) {
    for (const Transport transport : {Transport::Rdma, Transport::Tcp})
        if (toText(transport) == text) return transport;
    return {};
}

Result<Calibration> over(Transport transport, Calibration calibration) {
    if (transport == Transport::Tcp && !calibration.tcp)
        return Error::unbuildable(
            fmt::format("{}: has no constants for TCP; add a `tcp` object as in resources/calibration/collectives.json", calibration.name));
    calibration.transport = transport;
    return calibration;
}

const GpuGeneration& CollectiveLibrary::generationOf(std::string_view gpu) const {
    for (const GpuGeneration& generation : generations)
        if (std::find(generation.gpus.begin(), generation.gpus.end(), gpu) != generation.gpus.end()) return generation;
    return generations.back();
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
