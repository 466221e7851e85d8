// Concurrent jobs on one fabric, optionally with storage traffic; options of `collective`.
#pragma once

#include "app/cli/options/arguments.h"
#include "core/collective/concurrent_jobs.h"

namespace railyard::cli {

struct ConcurrentOptions {
    struct Collective { // the collective of jobs that do not define their own
        CollectiveOp op = CollectiveOp::AllReduce;
        Bytes size;
        CollectiveRequest request;
    };
    std::string placement = "packed", storage;
    bool writesStorage = false;
    std::optional<std::int64_t> jobs;
    std::vector<double> weights;
    std::vector<std::string> described;

    void addTo(CLI::App& verb);
    bool isAsked() const { return jobs || !described.empty() || !storage.empty(); }
    // Prints the answer as text if requested.
    Result<Json> answer(const Fabric& fabric, const Collective& each, const Calibration& calibration, bool printsText) const;

private:
    Result<std::optional<ConcurrentStorage>> storageOf(const Fabric& fabric) const;
    Result<std::vector<CollectiveJob>> equalJobs(const Fabric& fabric, const Collective& each, const std::vector<bool>& leftOut) const;
    Result<std::vector<CollectiveJob>> jobsOf(const Fabric& fabric, const Collective& each, const std::vector<bool>& leftOut) const;
};

} // namespace railyard::cli
