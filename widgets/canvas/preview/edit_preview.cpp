#include "widgets/canvas/preview/edit_preview.h"

#include "core/analysis/targets.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <utility>

namespace railyard {
namespace {

// A total is a lower bound while parts have no price.
std::string costText(const InstantMetrics& metrics) {
    return (isLowerBound(metrics.bill, &Bill::network) ? "≥ " : "") + formatMoney(metrics.bill.network);
}

QString previewText(const char* words) { return QCoreApplication::translate("EditPreview", words); }

} // namespace

EditPreview::EditPreview(const Document& document, std::function<void()> changed)
    : m_document(document),
      m_changed(std::move(changed)),
      m_effects([this] { return [tried = m_tried] { return effectOf(tried); }; },
                [this](const EditEffect& effect) {
                    m_said.figures = figuresOf(effect);
                    m_said.goals = goalsOf(effect);
                    m_said.tiers = tiersOf(effect);
                    m_said.isComputing = false;
                    m_fabric = effect.fabric;
                    m_changed();
                }) {}

void EditPreview::show(const Result<Edit>& tried, const QStringList& notes) {
    const QString words = tried ? text(tried->label) : wordsOf(tried.error());
    if (words == m_said.words) return;
    clear();
    m_said = {words, !tried, static_cast<bool>(tried), {}, {}};
    m_notes = notes;
    if (!tried) return;
    m_tried = tried->design;
    m_effects.ask();
}

void EditPreview::clear() {
    m_effects.drop();
    m_tried.reset();
    m_fabric.reset();
    m_said = {};
    m_notes.clear();
}

QStringList EditPreview::lines() const {
    if (m_said.words.isEmpty()) return {};
    QStringList lines{m_said.words};
    if (m_said.isComputing) lines << previewText("Computing the effect…");
    if (!m_said.tiers.isEmpty()) lines << m_said.tiers;
    for (const Announcement::Figure& figure : m_said.figures)
        if (figure.isInTip && figure.before != figure.after)
            lines << previewText("%1: %2 → %3").arg(figure.what, figure.before, figure.after);
    return lines + m_notes;
}

std::vector<Announcement::Figure> EditPreview::figuresOf(const EditEffect& effect) const {
    std::vector<Announcement::Figure> figures;
    const auto add = [&](const char* what, const std::string& was, const std::string& is, bool isInTip) {
        figures.push_back({previewText(what), text(was), text(is), isInTip});
    };
    const InstantMetrics &before = m_document.now().instant, &after = effect.metrics;
    add("GPUs", formatCount(before.counts.gpus), formatCount(after.counts.gpus), true);
    add("Switches", formatCount(before.counts.switches), formatCount(after.counts.switches), true);
    constexpr std::pair<SwitchTier, const char*> tiers[] = {{SwitchTier::Leaf, "  leaf"},
                                                            {SwitchTier::Spine, "  spine"},
                                                            {SwitchTier::Superspine, "  superspine"},
                                                            {SwitchTier::Core, "  core"}};
    for (const auto& [tier, name] : tiers) {
        const auto at = static_cast<std::size_t>(tier);
        if (before.counts.switchesByTier[at] + after.counts.switchesByTier[at] > 0)
            add(name, formatCount(before.counts.switchesByTier[at]), formatCount(after.counts.switchesByTier[at]), false);
    }
    add("Links", formatCount(before.counts.links), formatCount(after.counts.links), true);
    const auto modules = [](const InstantMetrics& metrics) {
        return metrics.cables.pluggables ? formatCount(*metrics.cables.pluggables) : "–";
    };
    add("Pluggable modules", modules(before), modules(after), false);
    add("Network cost", costText(before), costText(after), true);
    const auto power = [](const InstantMetrics& metrics) {
        return metrics.bill.networkPower ? formatWatts(*metrics.bill.networkPower) : "–";
    };
    add("Network power", power(before), power(after), false);
    const auto ratio = [](const InstantMetrics& metrics) {
        const double leaf = metrics.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)];
        return leaf > 0 ? formatRatio(leaf) : std::string("–");
    };
    add("Oversubscription", ratio(before), ratio(after), false);
    const BackgroundMetrics* background = m_document.background();
    const auto words = [](const Bisection& found) { return formatBandwidth(gigabitsPerSecond(found.upperGbps)); };
    for (const BisectionKey key : {BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) { // those of the metrics panel
        if (!background || !effect.bisections) break;
        const auto at = static_cast<std::size_t>(key);
        add(key == BisectionKey::GpuWithHb ? "Bisection, with HB forwarding" : "Bisection, NIC fabric only",
            words(background->bisection[at]), words((*effect.bisections)[at]), true);
    }
    return figures;
}

// "Adds a fourth tier: +4,136 switches, +$224 M". Money only between totals that leave out the same kinds of parts.
QString EditPreview::tiersOf(const EditEffect& effect) const {
    const InstantMetrics &before = m_document.now().instant, &after = effect.metrics;
    const int was = before.counts.tiers, is = after.counts.tiers;
    if (was == is || was == 0 || is == 0) return {};
    const char* const names[] = {"first", "second", "third", "fourth"};
    const auto name = [&](int tier) { return tier <= 4 ? previewText(names[static_cast<std::size_t>(tier) - 1]) : QString::number(tier); };
    const auto signedText = [](bool isMore, const std::string& amount) {
        return (isMore ? QStringLiteral("+") : QString()) + text(amount);
    };
    const std::int64_t switches = after.counts.switches - before.counts.switches;
    QStringList parts{previewText("%1 switches").arg(signedText(switches > 0, formatCount(switches)))};
    if (const auto cost = differenceOf(before.bill, after.bill, &Bill::network))
        parts << signedText(cost->inDollars() > 0, formatMoney(*cost));
    return previewText(is > was ? "Adds a %1 tier: %2" : "Removes the %1 tier: %2")
        .arg(name(std::max(is, was)), parts.join(QStringLiteral(", ")));
}

// Collectives and failures are computed after the drop; a target on them is left out.
std::vector<Announcement::Goal> EditPreview::goalsOf(const EditEffect& effect) const {
    BackgroundMetrics bisections;
    if (effect.bisections) bisections.bisection = *effect.bisections;
    const auto marginOf = [](const Target& target, std::optional<double> value) {
        return value ? std::optional(target.atMost ? target.value - *value : *value - target.value) : std::nullopt;
    };
    std::vector<Announcement::Goal> goals;
    for (const Target& target : m_document.now().design->targets) {
        const std::string key = stableKey(target.figure);
        const bool isBisection = key.starts_with("bisection.");
        const auto after = marginOf(target, figureOf(key, effect.metrics, isBisection && effect.bisections ? &bisections : nullptr));
        const auto before = marginOf(target, figureOf(key, m_document.now().instant, m_document.background()));
        const FigureInfo* figure = figureNamed(key);
        if (!after || !figure) continue;
        const auto amount = [&](double value) { return text(figureText(*figure, value)); };
        const auto state = [&](double margin) {
            return margin >= 0 ? previewText("%1 to spare").arg(amount(margin)) : previewText("%1 short").arg(amount(-margin));
        };
        QString words = previewText(target.atMost ? "%1 at most %2: %3" : "%1 at least %2: %3")
                            .arg(text(std::string(figure->title)), amount(target.value), state(*after));
        if (before && *before != *after) words += previewText(" (now %1)").arg(state(*before));
        goals.push_back({words, *after >= 0});
    }
    return goals;
}

} // namespace railyard
