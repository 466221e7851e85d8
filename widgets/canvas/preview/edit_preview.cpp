#include "widgets/canvas/preview/edit_preview.h"

#include "core/analysis/figures/shown_figures.h"
#include "core/analysis/targets.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <utility>

namespace railyard {
namespace {

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
    BackgroundMetrics bisections; // all that is known of the background before the drop
    if (effect.bisections) bisections.bisection = *effect.bisections;
    const BackgroundMetrics* background = effect.bisections ? m_document.background() : nullptr;
    std::vector<Announcement::Figure> figures;
    for (const auto& [before, after] : shownFigures(FigureDisplay::Preview, {m_document.now().instant, background},
                                                    {effect.metrics, background ? &bisections : nullptr})) {
        if (!background && isOfBackground(*before.row)) continue;
        figures.push_back(
            {text(before.title), text(before.text), text(after.text), (before.row->display.places & FigureDisplay::Pointer) != 0});
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
