// Figures of the cables and the bill that several designs of a sweep have in common.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "core/base/fingerprint.h"

#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace railyard {

struct CableFigures {
    CatalogPointer catalog; // with the parts of the bill
    CableCounts cables;
    Bill bill;
};

// By the key of cabled_key.h, for designs of catalogues that are alike. Threads may ask at the same time: none waits for another, so that
// two may compute the same.
class KnownCables {
public:
    std::shared_ptr<const CableFigures> find(const Fingerprint& key) const; // null if they are not known
    void add(const Fingerprint& key, std::shared_ptr<const CableFigures> figures);

private:
    static constexpr std::size_t mostKept = 4096; // some 10 KB each
    struct Hash {
        std::size_t operator()(const Fingerprint& key) const { return key.low; }
    };
    mutable std::mutex m_mutex;
    std::unordered_map<Fingerprint, std::shared_ptr<const CableFigures>, Hash> m_figures;
    std::deque<Fingerprint> m_order; // the oldest first
};

} // namespace railyard
