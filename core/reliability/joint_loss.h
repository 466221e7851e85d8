// What parts that fail at the same time take from a job.
#pragma once

#include "core/reliability/job_parts.h"

namespace railyard {

// Of many sets of parts, each of which fails alone. A server leaves the job as a whole. Only paths: of a NIC with the strict policy, of an
// HB domain with the tolerant one. Where parts have failed already (JobParts::failed): what these take besides.
class JointLosses {
public:
    JointLosses(const Fabric& fabric, const JobParts& parts, FailurePolicy policy); // which must outlive this
    // Takes time only where the set takes GPUs, unless it holds switches or links between them.
    JointLoss of(const FailedTogether& failed);
    // Of links between switches, none of which is in two sets, which take no GPUs: which of the sets leave the job in several parts.
    std::vector<bool> dividing(const std::vector<std::vector<LinkId>>& sets);

private:
    using Numbers = std::vector<std::uint32_t>;
    // Lists by number, one after the other.
    struct Lists {
        Numbers first, members;
        Lists() = default;
        template <class NumberOf> // of a member; none: in no list
        Lists(std::size_t lists, std::size_t count, const NumberOf& numberOf);
        std::span<const std::uint32_t> of(std::size_t list) const {
            return std::span(members).subspan(first[list], first[list + 1] - first[list]);
        }
    };
    std::uint32_t terminalOf(DeviceId device) const;
    std::vector<bool> forwardingDomains() const;
    void findTerminals();
    void mark(const FailedTogether& failed, bool isFailed);
    bool isUp(const SwitchGraph::Host& host) const;
    bool hasFailed(NodeId node) const;
    std::uint32_t edgeOf(LinkId link) const; // none: of a host
    Numbers hostsOf(const FailedTogether& failed) const;
    Numbers lostBy(const FailedTogether& failed); // places in m_parts.gpus, ascending
    bool isDivided(const Numbers& lost) const;

    const Fabric& m_fabric;
    const JobParts& m_parts;
    const bool m_isTolerant;
    const By<DeviceId, NodeId> m_nodeOf;
    By<DeviceId, bool> m_isFailed; // now
    By<LinkId, bool> m_isLinkFailed;
    Numbers m_failedOfEdge;   // links, by edge of the graph
    Numbers m_terminalOfHost; // a NIC or an HB domain; none: nothing of the job depends on it
    Numbers m_waysOf;         // hosts that are up, by terminal
    Lists m_hostsOfNode, m_hostsOfNic, m_hostsOfLink;
    Lists m_gpusOfTerminal, m_gpusOfServer; // places in m_parts.gpus
    By<DeviceId, std::uint32_t> m_placeOf;  // in m_parts.gpus
    std::vector<bool> m_isLost;             // before anything else fails, by place
    bool m_wasDivided = false;
};

JointLoss lossOf(const FailedTogether& failed, const Fabric& fabric, const JobParts& parts, FailurePolicy policy);

// Takes what is missing in a fabric after failures into the parts of the intact one, and what that takes.
void addFailed(const Fabric& degraded, const Fabric& intact, FailurePolicy policy, JobParts& parts);

} // namespace railyard
