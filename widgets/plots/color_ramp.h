// Interpolates a colour between the stops of a scale; 0 is the first stop, 1 the last.
#pragma once

#include <QColor>
#include <algorithm>
#include <array>

namespace railyard {

template <std::size_t N>
QColor rampAt(const std::array<QColor, N>& stops, double at) {
    const double place = std::clamp(at, 0.0, 1.0) * (N - 1);
    const auto low = std::min<std::size_t>(static_cast<std::size_t>(place), N - 2);
    const double share = place - static_cast<double>(low);
    const QColor &a = stops[low], &b = stops[low + 1];
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * share),
                            static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * share),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * share));
}

} // namespace railyard
