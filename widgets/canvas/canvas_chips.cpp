// Chips below the tier names. The wheel, or a click on either end, changes the part or the count of the tier.
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/scene/scene_builder.h"

#include <QPainter>

namespace railyard {

// Chips are shown below the label if there is room.
std::vector<Canvas::Chip> Canvas::chips() const {
    constexpr double least = 0.8, height = 17, lineHeight = 15;
    std::vector<Chip> result;
    const Design& design = *m_document.now().design;
    const auto settings =
        design.recipe && m_view.scale > least ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    if (!settings) return result;
    const double s = std::max(m_view.scale, 0.95);
    for (const SceneLabel& label : m_scene.labels) {
        const QPointF at = m_view.toScreen(label.at);
        double y = at.y() + (18 + lineHeight * static_cast<double>(1 + label.note.count(QLatin1Char('\n')))) * s + 4;
        for (const TierStep step : label.steps) {
            const Part* part = step == TierStep::LeafPart    ? settings->leafSwitch
                               : step == TierStep::UpperPart ? settings->spineSwitch
                                                             : nullptr;
            const QString name = part ? QString::fromStdString(part->name) : QString();
            const QString words = part ? name.section(QStringLiteral(" ("), 0, 0).section(QLatin1Char(' '), -1) // the model number
                                  : step == TierStep::Spines ? tr("spines")
                                                             : tr("SUs");
            const QString hint = (part ? name + QLatin1Char('\n') : QString()) + tr("Scroll or click for the next buildable choice.");
            result.push_back({QRectF(at.x(), y, std::min(104.0, (measure::labelColumn - 14) * m_view.scale), height), words, hint, step});
            y += height + 3;
        }
    }
    return result;
}

const Canvas::Chip* Canvas::chipAt(const std::vector<Chip>& all, QPointF screen) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Chip& chip) { return chip.rect.contains(screen); });
    return found == all.end() ? nullptr : &*found;
}

void Canvas::turn(const Chip& chip, int step) {
    QString reason;
    if (!m_document.apply(stepTier(*m_document.now().design, chip.step, step), &reason)) emit refused(reason);
}

void Canvas::paintChips(QPainter& painter) const {
    QFont font = fontFor(TextRole::Caption);
    painter.setFont(font);
    for (const Chip& chip : chips()) {
        if (!chip.rect.intersects(QRectF(rect()))) continue;
        painter.setPen(QPen(m_tokens.controlBorder, 1));
        painter.setBrush(m_tokens.card);
        painter.drawRoundedRect(chip.rect, 4, 4);
        painter.setPen(m_tokens.text2);
        const QRectF left(chip.rect.left(), chip.rect.top(), 15, chip.rect.height()),
            right(chip.rect.right() - 15, chip.rect.top(), 15, chip.rect.height());
        painter.drawText(left, Qt::AlignCenter, QStringLiteral("−"));
        painter.drawText(right, Qt::AlignCenter, QStringLiteral("+"));
        const QRectF middle = chip.rect.adjusted(15, 0, -15, 0);
        painter.drawText(middle, Qt::AlignCenter, QFontMetricsF(font).elidedText(chip.words, Qt::ElideRight, middle.width()));
    }
}

} // namespace railyard
