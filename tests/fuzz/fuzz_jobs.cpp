// Options of training jobs, lines NAME=VALUE, on a small fabric: refused, or an estimate, traffic and a search whose numbers are numbers.
#include "core/training/job_request.h"
#include "core/training/search.h"
#include "core/workload/job_traffic.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>
#include <sstream>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream lines(fuzz::textOf(data, size));
    NamedOptions call;
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t equals = line.find('='); equals != std::string::npos)
            call.options[line.substr(0, equals)] = line.substr(equals + 1);
    const auto request = readJob(call.options);
    if (!fuzz::isRead(request)) return 0;
    const Fabric& fabric = *fuzz::smallFabric();
    const auto placed = placedOn(fabric, *request);
    if (!fuzz::isRead(placed)) return 0;
    fuzz::estimate(fabric, *placed, request->planned.plan);
    (void)fuzz::isRead(jobTrafficOf(fabric, placed->job, placed->gpus));
    SearchSpace space = usualSpace(fabric, placed->job, placed->gpus); // as narrow as the options, to be fast
    space.tensor = {placed->job.by(Parallel::Tensor)};
    space.pipeline = {placed->job.by(Parallel::Pipeline)};
    space.context = {placed->job.by(Parallel::Context)};
    space.expert = {placed->job.by(Parallel::Expert)};
    const auto found = searchTraining(fabric, placed->job, placed->gpus, request->planned.plan, space, {});
    if (!fuzz::isRead(found)) return 0;
    for (const TrainingEstimate& each : found->best)
        fuzz::require(std::isfinite(each.iteration.value()) && each.iteration > Seconds(),
                      "a search finds iterations that are positive numbers");
    return 0;
}
