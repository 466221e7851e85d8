#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

template <auto Read>
Value ofTightest(Source s) {
    return s.instant.tightestBuffer ? Value(Read(*s.instant.tightestBuffer)) : std::nullopt;
}

constexpr auto headroom = [](const PauseBuffer& b) { return b.headroomBytes(); };
constexpr auto leftBytes = [](const PauseBuffer& b) { return b.leftBytes(); };
constexpr auto leftMetres = [](const PauseBuffer& b) { return b.leftMetres().value(); };

constexpr double mega = 1e-6;

// The terms of the headroom that the formula adds up.
std::vector<ExplainedInput> inputsOf(const PauseBuffer& b, const std::string& path) {
    return {{"seconds_per_m", pause::secondsPerMetre, "s/m", "signal speed in fibre", "assumption"},
            {"byte_m_per_s", b.byteMetresPerS, "byte·m/s",
             fmt::format("exported links.csv: speed in bytes times length_m, sum of the network links of {}", path), "counted"},
            {"response_s", pause::responseSeconds, "s", "905 quanta of 512 bits at 400 Gb/s, from pause to silence", "assumption"},
            {"byte_per_s", b.rate.value() / 8, "byte/s", "exported links.csv: speed of the same links", "counted"},
            {"ports", static_cast<double>(b.ports), "", "the same links", "counted"},
            {"mtu_bytes", pause::mtuBytes, "byte", "the largest frame", "assumption"},
            {"pause_bytes", pause::frameBytes, "byte", "a pause frame", "derived"}};
}
constexpr const char* headroomFormula =
    "2 * seconds_per_m * byte_m_per_s + response_s * byte_per_s + ports * (2 * mtu_bytes + pause_bytes)";

Origin unknownBuffer(Source s) {
    return unknownBecause(s.instant.unknownBuffers > 0 ? "the data sheets of the Ethernet switches publish no buffer"
                                                       : "the fabric has no Ethernet switch; InfiniBand needs no pause frames");
}

Origin originOfHeadroom(Asked a) {
    if (!a.value) return unknownBuffer(a.source);
    const PauseBuffer& b = *a.source.instant.tightestBuffer;
    return {headroomFormula, inputsOf(b, a.fabric.devicePath(b.device)),
            "Of one lossless class, in the switch with the least buffer left."};
}
Origin originOfLeft(Asked a) {
    if (!a.value) return unknownBuffer(a.source);
    const PauseBuffer& b = *a.source.instant.tightestBuffer;
    Origin origin{fmt::format("buffer_bytes - ({})", headroomFormula), inputsOf(b, a.fabric.devicePath(b.device)),
                  "Below 0: the switch cannot hold one lossless class."};
    origin.inputs.insert(origin.inputs.begin(), {"buffer_bytes", b.bufferBytes, "byte", "data sheet of the switch", "datasheet"});
    return origin;
}
Origin originOfMetres(Asked a) {
    if (!a.value) return unknownBuffer(a.source);
    Origin origin = originOfLeft(a);
    origin.formula = fmt::format("({}) / (2 * seconds_per_m * byte_per_s)", origin.formula);
    origin.note = "By which every cable of this switch may grow until the buffer cannot hold one lossless class. Below 0: it is too long.";
    return origin;
}

bool isOnlyOfSome(Source s) { return s.instant.unknownBuffers > 0; }

constexpr FigureInfo rows[] = {
    {"pfc.headroom_bytes", "PFC", "Headroom of one lossless class, tightest switch", "MB", mega, decimal, "byte", ofTightest<headroom>,
     originOfHeadroom},
    {"pfc.buffer_left_bytes", "PFC", "Buffer left after that headroom", "MB", mega, decimal, "byte", ofTightest<leftBytes>, originOfLeft,
     nullptr, true, isOnlyOfSome},
    {"pfc.cable_left_m", "PFC", "Additional cable length that this buffer allows", "m", 1, count, "m", ofTightest<leftMetres>,
     originOfMetres, nullptr, false, isOnlyOfSome},
};

} // namespace

std::span<const FigureInfo> bufferFigures() { return rows; }

} // namespace railyard
