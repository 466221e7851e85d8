// The options that define a training job; the same for all verbs. What is not given is as in the job of the design.
#pragma once

#include "app/cli/options/arguments.h"
#include "app/cli/options/kind_options.h"
#include "core/training/job_request.h"
#include "core/workload/job_traffic.h"

#include <memory>

namespace railyard::cli {

struct JobOptions {
    std::string order = "near";

    static constexpr std::string_view kind = "training";
    void addTo(CLI::App& verb, KindOptions& options, const std::vector<std::string>& kinds); // `kinds` of the verb use them
    // --gpus, unless the verb has one of its own, and --placement.
    std::vector<CLI::Option*> addGpusTo(CLI::App& verb);
    void setGpus(std::int64_t count); // as if it was given
    bool isGiven(std::string_view key) const { return m_given->contains(std::string(key)); }
    std::vector<Error> asGiven(std::vector<Error> errors) const; // of options under their names, of the document under its keys

    Result<JobRequest> request(const Design& design) const; // 0 where the program chooses
    // Where the options that were not given come from: "design" or "defaults".
    std::string_view source(const Design& design) const;
    std::string_view sourceText(const Design& design) const; // the same for people
    std::string placementFile() const;                       // empty where --placement names no file
    // Options that are left to the program follow from the design: tensor parallelism within an HB domain, data parallelism over the
    // remaining GPUs, four micro-batches per pipeline stage.
    Result<PlacedJob> placed(const Fabric& fabric, std::uint64_t seed) const;
    Result<JobTraffic> traffic(const Fabric& fabric, std::uint64_t seed) const;
    // Of the placement, as many as were asked for.
    Result<std::vector<DeviceId>> gpusOn(const Fabric& fabric, std::uint64_t seed) const;
    // The same on these GPUs, in this order.
    Result<PlacedJob> placedOn(const Fabric& fabric, std::vector<DeviceId> exactly) const;

private:
    std::shared_ptr<ParameterTexts> m_given = std::make_shared<ParameterTexts>(); // by key of jobParameters
};

} // namespace railyard::cli
