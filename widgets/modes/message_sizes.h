// The message sizes offered for collectives.
#pragma once

#include "core/base/unit_text.h"

#include <QComboBox>

namespace railyard {

// Fills a combo box with 32 KiB to 16 GiB and selects 1 GiB. The data of an item is its size in bytes.
inline void fillWithMessageSizes(QComboBox& box) {
    constexpr int first = 15, last = 34, chosen = 30; // exponents of 2
    for (int power = first; power <= last; ++power) {
        const Bytes size(std::int64_t{1} << power);
        box.addItem(QString::fromStdString(formatBytes(size)), static_cast<qlonglong>(size.count()));
    }
    box.setCurrentIndex(chosen - first);
}
inline Bytes messageSizeOf(const QComboBox& box) { return Bytes(box.currentData().toLongLong()); }

} // namespace railyard
