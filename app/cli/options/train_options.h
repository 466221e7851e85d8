// The options of `train` and `search`: a job, how it is run, and the GPUs it gets.
#pragma once

#include "app/cli/options/job_options.h"
#include "core/training/measurements.h"
#include "core/training/training.h"

namespace railyard::cli {

struct TrainOptions {
    DesignInput input;
    JobOptions job;
    std::vector<std::string> calibrationFiles; // none: the shipped one

    void addTo(CLI::App& verb); // with the design and its failures
    void addJobTo(CLI::App& verb);
    std::string firstGiven(const std::string& besides = {}) const; // of the options of the job; empty if none was given
    Result<JobRequest> request(const Fabric& fabric) const { return job.request(*fabric.design); }
    Result<std::vector<DeviceId>> gpusOn(const Fabric& fabric) const; // of the placement, as many as were asked for
    Result<PlacedJob> placedOn(const Fabric& fabric) const;
    Result<TrainingCalibration> calibration() const;

private:
    KindOptions m_all{""};
    std::vector<const CLI::Option*> m_options;
};

void printEstimate(const TrainingEstimate& estimate);
// How far the built-in curves were off, if there are measurements.
void printChecks(const std::vector<CalibrationCheck>& checks);

} // namespace railyard::cli
