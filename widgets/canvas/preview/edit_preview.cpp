#include "widgets/canvas/preview/edit_preview.h"

#include "core/base/unit_text.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <utility>

namespace railyard {
namespace {

// A total is a lower bound while parts have no price.
std::string costText(const InstantMetrics& metrics) {
    return (metrics.bill.unpricedLines > 0 ? "≥ " : "") + formatMoney(metrics.bill.network);
}

QString previewText(const char* words) { return QCoreApplication::translate("EditPreview", words); }

} // namespace

EditPreview::EditPreview(const Document& document, std::function<void()> changed)
    : m_document(document),
      m_changed(std::move(changed)),
      m_effects([this] { return [tried = m_tried] { return effectOf(tried); }; },
                [this](const EditEffect& effect) {
                    m_figures = changesOf(effect);
                    m_changed();
                }) {}

void EditPreview::show(const Result<Edit>& tried, const QStringList& notes) {
    const QString words = tried ? text(tried->label) : wordsOf(tried.error());
    if (words == m_words) return;
    m_words = words;
    m_notes = notes;
    m_isRefused = !tried;
    m_figures.clear();
    m_effects.drop();
    if (!tried) return;
    m_tried = tried->design;
    m_figures << previewText("Computing the effect…");
    m_effects.ask();
}

void EditPreview::clear() {
    m_effects.drop();
    m_tried.reset();
    m_words.clear();
    m_figures.clear();
    m_notes.clear();
    m_isRefused = false;
}

QStringList EditPreview::lines() const { return m_words.isEmpty() ? QStringList() : QStringList{m_words} + m_figures + m_notes; }

QStringList EditPreview::changesOf(const EditEffect& effect) const {
    QStringList lines;
    const auto change = [&](const char* what, const std::string& was, const std::string& is) {
        if (was != is) lines << previewText("%1: %2 → %3").arg(previewText(what), text(was), text(is));
    };
    const InstantMetrics &before = m_document.now().instant, &after = effect.metrics;
    change("GPUs", formatCount(before.counts.gpus), formatCount(after.counts.gpus));
    change("Switches", formatCount(before.counts.switches), formatCount(after.counts.switches));
    change("Links", formatCount(before.counts.links), formatCount(after.counts.links));
    change("Network cost", costText(before), costText(after));
    const BackgroundMetrics* background = m_document.background();
    const auto words = [](const Bisection& found) { return formatBandwidth(gigabitsPerSecond(found.upperGbps)); };
    for (const BisectionKey key : {BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) { // those of the metrics panel
        if (!background || !effect.bisections) break;
        const auto at = static_cast<std::size_t>(key);
        change(key == BisectionKey::GpuWithHb ? "Bisection, with HB forwarding" : "Bisection, NIC fabric only",
               words(background->bisection[at]), words((*effect.bisections)[at]));
    }
    return lines;
}

} // namespace railyard
