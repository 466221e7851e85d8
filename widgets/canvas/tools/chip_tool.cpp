#include "widgets/canvas/tools/chip_tool.h"

#include "widgets/canvas/scene/scene_measure.h"
#include "widgets/theme/tokens.h"

#include <algorithm>

namespace railyard {

ChipTool::ChipTool(Viewport& port) : Tool(port) {
    takeSettings();
    QObject::connect(&port, &Viewport::sceneChanged, &port, [this] { takeSettings(); });
}

void ChipTool::takeSettings() {
    auto settings = design().recipe ? resolve(*design().recipe, *design().catalog) : Result<RecipeSettings>(Error::usage(""));
    m_settings = settings ? std::optional(std::move(*settings)) : std::nullopt;
    m_settingsOf = m_port.document().now().design;
}

// Chips are shown below the label if there is room.
std::vector<ChipTool::Chip> ChipTool::chips() const {
    constexpr double least = 0.8, height = 17, lineHeight = 15;
    std::vector<Chip> result;
    if (!m_settings || view().scale <= least) return result;
    const double s = std::max(view().scale, 0.95);
    for (const SceneLabel& label : scene().labels) {
        const QPointF at = view().toScreen(label.at);
        double y = at.y() + (18 + lineHeight * static_cast<double>(1 + label.note.count(QLatin1Char('\n')))) * s + 4;
        for (const TierStep step : label.steps) {
            const Part* part = step == TierStep::LeafPart    ? m_settings->leafSwitch
                               : step == TierStep::UpperPart ? m_settings->spineSwitch
                                                             : nullptr;
            const QString name = part ? QString::fromStdString(part->name) : QString();
            const QString words = part ? name.section(QStringLiteral(" ("), 0, 0).section(QLatin1Char(' '), -1) // the model number
                                  : step == TierStep::Spines ? QObject::tr("spines")
                                                             : QObject::tr("SUs");
            const QString hint =
                (part ? name + QLatin1Char('\n') : QString()) + QObject::tr("Scroll or click for the next buildable choice.");
            result.push_back({QRectF(at.x(), y, std::min(104.0, (measure::labelColumn - 14) * view().scale), height), words, hint, step});
            y += height + 3;
        }
    }
    return result;
}

std::optional<ChipTool::Chip> ChipTool::chipAt(QPointF screen) const {
    const std::vector<Chip> all = chips();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Chip& chip) { return chip.rect.contains(screen); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

std::optional<Tool::Control> ChipTool::controlAt(QPointF at) const {
    const auto chip = chipAt(at);
    return chip ? std::optional(Control{Qt::PointingHandCursor, chip->hint}) : std::nullopt;
}

bool ChipTool::press(const Press& press) {
    if (m_port.isFailing() || press.button != Qt::LeftButton) return false;
    const auto chip = chipAt(press.at);
    if (chip) turn(*chip, press.at.x() < chip->rect.center().x() ? -1 : 1);
    return chip.has_value();
}

bool ChipTool::wheel(const QWheelEvent& event) {
    constexpr int notch = 120;
    const auto chip = chipAt(event.position());
    if (!chip) return false;
    m_wheelTurned += event.angleDelta().y();
    const int steps = m_wheelTurned / notch;
    m_wheelTurned -= steps * notch;
    if (steps != 0) turn(*chip, steps > 0 ? 1 : -1);
    return true;
}

void ChipTool::turn(const Chip& chip, int step) { m_port.apply(stepTier(design(), chip.step, step)); }

void ChipTool::paint(QPainter& painter) {
    if (m_port.isFailing()) return;
    QFont font = fontFor(TextRole::Caption);
    painter.setFont(font);
    for (const Chip& chip : chips()) {
        if (!chip.rect.intersects(m_port.area())) continue;
        painter.setPen(QPen(tokens().controlBorder, 1));
        painter.setBrush(tokens().card);
        painter.drawRoundedRect(chip.rect, 4, 4);
        painter.setPen(tokens().text2);
        const QRectF left(chip.rect.left(), chip.rect.top(), 15, chip.rect.height()),
            right(chip.rect.right() - 15, chip.rect.top(), 15, chip.rect.height());
        painter.drawText(left, Qt::AlignCenter, QStringLiteral("−"));
        painter.drawText(right, Qt::AlignCenter, QStringLiteral("+"));
        const QRectF middle = chip.rect.adjusted(15, 0, -15, 0);
        painter.drawText(middle, Qt::AlignCenter, QFontMetricsF(font).elidedText(chip.words, Qt::ElideRight, middle.width()));
    }
}

} // namespace railyard
