#include "core/collective/algorithms/candidate.h"

#include "core/collective/algorithms/algorithm.h"
#include "core/collective/algorithms/algorithm_table.h"

#include <algorithm>
#include <cmath>

namespace railyard {

Candidate::Candidate(const Setting& setting, Algorithm algorithm, Protocol protocol)
    : m_links(setting.links),
      m_tuning(tuningOf(setting.links, {setting.op, setting.bytes, algorithm, protocol, setting.estimate})) {
    const AlgorithmInfo& info = *infoOf(algorithm);
    m_candidate.algorithm = algorithm;
    m_candidate.protocol = protocol;
    m_candidate.isInLibrary =
        (!info.isInLibrary || info.isInLibrary(m_links, setting.op)) && (!m_links.library || m_links.library->has(info.name));
}

void Candidate::inside(std::string name, const Volume& volume, Bandwidth link, Seconds latency) {
    add({std::move(name), "hb", volume.formula(), volume.value(), transferTime(volume.value(), link), {}, latency, m_tuning.hbShare},
        m_tuning.mostInside);
}

void Candidate::between(std::string name, const Volume& volume, Seconds ideal, const std::string& where, double nics, Seconds latency) {
    const Bandwidth speed(ideal.value() > 0 ? volume.value() * 8 / ideal.value() : 1);
    add({std::move(name), where, volume.formula(), volume.value(), ideal, {}, latency, m_tuning.shareOf(speed, nics)},
        m_tuning.mostBetween);
}

void Candidate::between(std::string name, const Volume& volume, const CommunicatorLinks::Route& route, double nics, Seconds latency) {
    between(std::move(name), volume, transferTime(volume.value(), route.speed), route.bottleneck, nics, latency);
}

void Candidate::along(const CommunicatorLinks::Route& route, std::string name, const Volume& inside, const Volume& across) {
    const bool several = m_links.domains > 1;
    const bool hbLimits =
        !several || (m_links.largest > 1 && m_links.hb.ring.value() * m_tuning.hbShare * across.value() <
                                                route.speed.value() * m_tuning.shareOf(route.speed, m_links.nicsOfDomain) * inside.value());
    if (!hbLimits) return between(std::move(name), across, route, m_links.nicsOfDomain, m_tuning.latency());
    const Seconds ideal = transferTime(inside.value(), m_links.hb.ring);
    add({std::move(name), "hb", inside.formula(), inside.value(), ideal, {}, m_tuning.latency(), m_tuning.hbShare},
        several ? m_tuning.mostBetween : m_tuning.mostInside);
}

void Candidate::overlapPhases(double overlap) {
    const auto transfer = [](const CollectivePhase& phase) { return phase.ideal / phase.share; };
    const auto longest = std::max_element(m_candidate.phases.begin(), m_candidate.phases.end(),
                                          [&](const auto& a, const auto& b) { return transfer(a) < transfer(b); });
    for (auto phase = m_candidate.phases.begin(); phase != m_candidate.phases.end(); ++phase)
        if (phase != longest) phase->exposed = 1 - overlap;
}

void Candidate::exchangeAtOnce() {
    if (m_candidate.phases.size() == 2 && m_tuning.exchangeOverlap < 1) {
        m_candidate.phases.back().latency = Seconds();
        return overlapPhases(m_tuning.exchangeOverlap);
    }
    keepSlowest();
}

void Candidate::keepSlowest() {
    if (m_candidate.phases.size() < 2) return;
    const auto slowest = std::max_element(m_candidate.phases.begin(), m_candidate.phases.end(),
                                          [](const auto& a, const auto& b) { return a.time() < b.time(); });
    m_candidate.phases = {*slowest};
}

CollectiveTime Candidate::done(double hbBytes, double nicBytes) {
    m_candidate.hbBytes = hbBytes;
    m_candidate.nicBytes = nicBytes;
    if (m_candidate.phases.empty()) return m_candidate;
    CollectivePhase& longest = *std::max_element(m_candidate.phases.begin(), m_candidate.phases.end(), [](const auto& a, const auto& b) {
        return std::pair(a.exposed == 1, a.ideal / a.share) < std::pair(b.exposed == 1, b.ideal / b.share);
    });
    const Seconds transfer = longest.ideal / longest.share;
    longest.ramp = m_tuning.ramp + Seconds(std::sqrt(m_tuning.rampGrowth.value() * transfer.value()));
    longest.hidden = hiddenLatency(m_candidate.latency() + (m_tuning.hidesRamp ? m_tuning.ramp : Seconds()), transfer);
    double hb = 0, nic = 0;
    for (const CollectivePhase& phase : m_candidate.phases) {
        m_candidate.time += phase.time();
        (phase.bottleneck == "hb" ? hb : nic) += phase.ideal.value();
    }
    if (const auto& own = m_tuning.ofLibrary) {
        const double link = longest.ideal.value() > 0 ? longest.bytes * 8 / longest.ideal.value() : 0;
        const double share = own->most && link > 0 ? std::min(own->share, own->most->value() / link) : own->share;
        m_candidate.libraryEstimate = own->latency + longest.ideal / share;
    }
    m_candidate.maxLinkUtilisation = m_candidate.time.value() > 0 ? std::max(hb, nic) / m_candidate.time.value() : 0;
    return m_candidate;
}

Seconds Candidate::hiddenLatency(Seconds latency, Seconds transfer) const {
    const double p = m_tuning.latencyHiding;
    if (p == 1 || latency.value() <= 0 || transfer.value() <= 0) return {};
    const double larger = std::max(latency.value(), transfer.value()), smaller = std::min(latency.value(), transfer.value());
    return Seconds(smaller - larger * (std::pow(1 + std::pow(smaller / larger, p), 1 / p) - 1));
}

void Candidate::add(CollectivePhase phase, const std::optional<Bandwidth>& most) {
    if (phase.ideal.value() <= 0) return;
    if (most) phase.share = std::min(phase.share, *most / Bandwidth(phase.bytes * 8 / phase.ideal.value()));
    m_candidate.phases.push_back(std::move(phase));
}

} // namespace railyard
