// What parts that fail at the same time take from a job.
#pragma once

#include "core/reliability/job_parts.h"

#include <memory>
#include <span>

namespace railyard {

// Of many sets of parts, each of which fails alone. A server leaves the job as a whole. Only paths: of a NIC with the strict policy, of an
// HB domain with the tolerant one; what these join, over their planes or rails, is not divided. Where parts have failed already
// (JobParts::failed), the job is still that of the intact fabric: a set takes what it takes there, and what it takes besides the failed
// parts.
class JointLosses {
public:
    JointLosses(const Fabric& fabric, const JobParts& parts, FailurePolicy policy); // which must outlive this
    ~JointLosses();
    // Takes time only where the set takes GPUs, unless it holds switches or links between them.
    JointLoss of(const FailedTogether& failed);
    // Of links between switches, none of which is in two sets, which take no GPUs: which of the sets leave the job in several parts.
    std::vector<bool> dividing(const std::vector<std::vector<LinkId>>& sets) const;

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
    bool isThere(std::size_t edge) const;
    std::vector<bool> lostServers(const Numbers& lost) const; // with these GPUs and those lost before
    bool holds(const SwitchGraph::Host& host, const std::vector<bool>& isServerLost) const;
    std::uint32_t terminalNode(std::size_t host) const {
        return static_cast<std::uint32_t>(m_parts.graph.device.size()) + m_terminalOfHost[host];
    }
    void findNetworks();
    bool isDivided(const Numbers& lost, bool withHosts) const; // without: over switches alone
    bool dividesNow(const FailedTogether& failed, const Numbers& lost);
    std::vector<bool> dividingNow(const std::vector<std::vector<LinkId>>& sets) const;

    const Fabric& m_fabric;
    const JobParts& m_parts;
    const bool m_isTolerant;
    const By<DeviceId, NodeId> m_nodeOf;
    By<DeviceId, bool> m_isFailed; // now
    By<LinkId, bool> m_isLinkFailed;
    Numbers m_failedOfEdge;   // links, by edge of the graph
    Numbers m_terminalOfHost; // the number of a NIC or an HB domain; none: nothing of the job depends on it
    Numbers m_waysOf;         // hosts that are up, by terminal
    Numbers m_networkOf;      // by terminal: those of one network reach each other while nothing has failed
    Lists m_hostsOfNode, m_hostsOfNic, m_hostsOfLink;
    Lists m_gpusOfTerminal, m_gpusOfServer; // places in m_parts.gpus
    By<DeviceId, std::uint32_t> m_placeOf;  // in m_parts.gpus
    std::vector<bool> m_isLost;             // before anything else fails, by place
    bool m_wasDivided = false, m_doSwitchesJoin = false;
    struct Intact;
    std::unique_ptr<Intact> m_intact; // null if nothing has failed
};

JointLoss lossOf(const FailedTogether& failed, const Fabric& fabric, const JobParts& parts, FailurePolicy policy);

// Takes what is missing in a fabric after failures into the parts of the intact one, and what that takes.
void addFailed(const Fabric& degraded, const Fabric& intact, FailurePolicy policy, JobParts& parts);

} // namespace railyard
