// The servers of a job and those that take their places: of the same HB domain, or a whole other one.
#pragma once

#include "core/reliability/operation.h"

namespace railyard {

class ServerPool {
public:
    explicit ServerPool(const Operation& operation) : m_operation(operation) {}
    void start(); // all are up, and the job has its own

    bool takeDown(std::uint32_t server); // for one more reason; whether the job has used it
    void bringUp(std::uint32_t server);  // one reason less
    void fill();                         // puts those that are up in the place of those that are missing
    bool isDown(std::uint32_t server) const { return m_down[server] > 0; }
    bool isUsed(std::uint32_t server) const { return m_isUsed[server]; }
    bool isComplete() const { return m_missing == 0; }

private:
    void use(std::uint32_t group);
    void release(std::uint32_t group);
    void migrate(std::uint32_t group);

    const Operation& m_operation;
    std::vector<std::uint32_t> m_down; // by server: reasons for which it is down
    std::vector<bool> m_isUsed;
    std::vector<std::uint32_t> m_up, m_used, m_wanted; // by group: servers
    std::vector<std::uint32_t> m_short, m_spare;       // groups of which servers are missing; groups that stand by
    std::int64_t m_missing = 0;
};

} // namespace railyard
