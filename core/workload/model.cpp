#include "core/workload/model.h"

namespace railyard {

double TransformerModel::denseParametersOfLayers() const {
    const auto h = static_cast<double>(hidden), matrices = isFfnGated ? 3.0 : 2.0;
    const double attention = 2 * h * h + 2 * h * static_cast<double>(kvHidden());
    const double plain = static_cast<double>(layers - mixtureLayers()) * matrices * h * static_cast<double>(ffnHidden);
    double shared = 0;
    if (mixture) {
        const double router = h * static_cast<double>(mixture->experts);
        const double experts = static_cast<double>(mixture->sharedExperts) * matrices * h * static_cast<double>(mixture->ffnHidden);
        shared = static_cast<double>(mixtureLayers()) * (router + experts);
    }
    return static_cast<double>(layers) * attention + plain + shared;
}

double TransformerModel::expertParametersOfLayers() const {
    if (!mixture) return 0;
    const double each = (isFfnGated ? 3.0 : 2.0) * static_cast<double>(hidden) * static_cast<double>(mixture->ffnHidden);
    return static_cast<double>(mixtureLayers() * mixture->experts) * each;
}

} // namespace railyard
