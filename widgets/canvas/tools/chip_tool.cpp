#include "widgets/canvas/tools/chip_tool.h"

#include "widgets/canvas/scene/scene_measure.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/theme/tokens.h"

#include <algorithm>
#include <utility>

namespace railyard {
namespace {
constexpr double signWidth = 18; // px at either end
}

ChipTool::ChipTool(Viewport& port, QWidget& menuParent)
    : Tool(port),
      m_menuParent(menuParent),
      m_listing([this] { return [design = m_listedOf, what = m_listed] { return partChoices(*design, what); }; },
                [this](const std::vector<PartChoice>& choices) { showParts(choices); }) {
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
            const QString hint = part ? text(switchText(*part)) + QLatin1Char('\n') +
                                            QObject::tr("Click for the parts that fit, − or + for the next of the same protocol.")
                                      : QObject::tr("Scroll or click for the next buildable choice.");
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
    if (!chip) return false;
    const double fromLeft = press.at.x() - chip->rect.left(), fromRight = chip->rect.right() - press.at.x();
    if (isPart(*chip) && std::min(fromLeft, fromRight) > signWidth)
        listParts(*chip);
    else
        turn(*chip, fromLeft < fromRight ? -1 : 1);
    return true;
}

bool ChipTool::wheel(const QWheelEvent& event) {
    constexpr int notch = 120;
    const auto chip = chipAt(event.position());
    if (!chip) return false;
    if (isPart(*chip)) { // a part is chosen by a click
        listParts(*chip);
        return true;
    }
    m_wheelTurned += event.angleDelta().y();
    const int steps = m_wheelTurned / notch;
    m_wheelTurned -= steps * notch;
    if (steps != 0) turn(*chip, steps > 0 ? 1 : -1);
    return true;
}

// Each part is tried with the recipe, which takes a moment.
void ChipTool::listParts(const Chip& chip) {
    if (m_menu) return;
    m_listed = chip.step;
    m_listedOf = m_port.document().now().design;
    m_menuAt = chip.rect.bottomLeft();
    m_listing.ask();
}

void ChipTool::showParts(const std::vector<PartChoice>& choices) {
    if (m_listedOf != m_port.document().now().design || m_menu) return;
    m_menu = new QMenu(&m_menuParent);
    m_menu->setAttribute(Qt::WA_DeleteOnClose);
    std::int64_t unfit = 0;
    bool isOther = false;
    for (const PartChoice& choice : choices) {
        if (!choice.edit) {
            ++unfit;
            continue;
        }
        if (choice.isOtherProtocol && !std::exchange(isOther, true)) {
            m_menu->addSeparator();
            m_menu->addAction(QObject::tr("Not of the protocol of the other tiers:"))->setEnabled(false);
        }
        const QString more = choice.isNow           ? QObject::tr("now")
                             : choice.switches == 0 ? QObject::tr("same number of switches")
                                                    : counted(choice.switches, QObject::tr("%1 switch"), QObject::tr("%1 switches"));
        const QString sign = choice.switches > 0 ? QStringLiteral("+") : QString();
        QAction* action = m_menu->addAction(asMenuText(text(switchText(*choice.part)) + QStringLiteral(" · ") + sign + more));
        action->setCheckable(true);
        action->setChecked(choice.isNow);
        QObject::connect(action, &QAction::triggered, &m_port, [this, of = m_listedOf, edit = choice.edit] {
            if (of == m_port.document().now().design) m_port.apply(edit);
        });
    }
    m_menu->addSeparator();
    if (unfit > 0)
        m_menu->addAction(counted(unfit, QObject::tr("%1 part does not fit this fabric"), QObject::tr("%1 parts do not fit this fabric")))
            ->setEnabled(false);
    m_menu->popup(m_menuParent.mapToGlobal(m_menuAt.toPoint()));
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
