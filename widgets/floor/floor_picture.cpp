#include "widgets/floor/floor_picture.h"

#include "core/base/unit_text.h"
#include "core/design/model/element_names.h"

#include <QObject>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

constexpr double leftMargin = 34, topMargin = 26, bottomMargin = 26; // row letters, positions, scale

QString rowLetters(const Rack& rack) {
    QString letters;
    for (const char c : rack.label)
        if (std::isalpha(static_cast<unsigned char>(c))) letters += QLatin1Char(c);
    return letters;
}

double powerUse(const Rack& rack) {
    const RackPart* part = rack.part ? rack.part->as<RackPart>() : nullptr;
    return part && part->power.value() > 0 ? rack.power / part->power : 0;
}

// "su[3]", of su[3]/rack[2]; empty for a rack of its own.
QString unitOf(const Rack& rack) {
    const auto slash = rack.name.find('/');
    return slash == std::string::npos ? QString() : QString::fromStdString(rack.name.substr(0, slash));
}

// Where counts have no room.
QStringList kindsIn(const Rack& rack) {
    QStringList kinds;
    if (rack.servers > 0) kinds << QObject::tr("servers");
    if (rack.switches > 0) kinds << QObject::tr("switches");
    return kinds;
}

QString kilowatts(const Rack& rack) {
    const QString text = QObject::tr("%1 kW").arg(rack.power.value() / 1000, 0, 'f', 1);
    return rack.unknownPower ? QObject::tr("≥ %1").arg(text) : text;
}

// A tray of several HB switches is called after all of them: su[1]/hb[1]/hb-switch[1–2].
std::string labelOf(const Fabric& fabric, const Part* rack, const ElementNames& names, const Chassis& chassis) {
    const std::string path = chassisPath(fabric, chassis), name = names.nameOf(path);
    const RackPart* system = chassis.isSwitchTray && rack ? rack->as<RackPart>() : nullptr;
    if (!system || !system->system || system->system->switchesPerTray < 2 || name != path || !name.ends_with(']')) return name;
    const auto last = fabric.devices.index[chassis.device] + static_cast<std::uint32_t>(system->system->switchesPerTray) - 1;
    return name.substr(0, name.size() - 1) + "–" + std::to_string(last) + "]";
}

} // namespace

QString contentOf(const Rack& rack) {
    static const std::array<std::pair<QString, QString>, 6> names{{{QObject::tr("1 device"), QObject::tr("%1 devices")},
                                                                   {QObject::tr("1 leaf"), QObject::tr("%1 leaves")},
                                                                   {QObject::tr("1 spine"), QObject::tr("%1 spines")},
                                                                   {QObject::tr("1 superspine"), QObject::tr("%1 superspines")},
                                                                   {QObject::tr("1 core switch"), QObject::tr("%1 core switches")},
                                                                   {QObject::tr("1 server"), QObject::tr("%1 servers")}}};
    QStringList content;
    const auto add = [&](std::size_t name, int count) {
        if (count > 0) content << (count == 1 ? names[name].first : names[name].second.arg(count));
    };
    add(5, rack.servers);
    for (std::size_t tier = 1; tier < rack.switchesByTier.size(); ++tier) add(tier, rack.switchesByTier[tier]);
    add(0, rack.switchesByTier[0]);
    return content.isEmpty() ? QObject::tr("Empty") : content.join(QStringLiteral(", "));
}

QString floorSentence(const Floor& floor) {
    return QObject::tr("%1 racks in %2 rows, %3 × %4 m")
        .arg(QString::fromStdString(formatCount(static_cast<std::int64_t>(floor.racks.size()))))
        .arg(floor.rows)
        .arg(floor.width.value(), 0, 'f', 1)
        .arg(floor.depth.value(), 0, 'f', 1);
}

QString fullestRack(const std::optional<Watts>& power) {
    return power ? QObject::tr(" · highest rack power %1 kW").arg(power->value() / 1000, 0, 'f', 1)
                 : QObject::tr(" · power of some devices is unknown");
}

FloorPicture::FloorPicture(const Floor& floor, const QRectF& area) : m_floor(floor) {
    for (const Rack& rack : floor.racks) {
        m_positions = std::max(m_positions, rack.spot.position);
        ++m_racksOn[rack.spot];
    }
    const double width = std::max(0.6, m_positions * floor.rackPitch.value()), depth = std::max(1.2, floor.depth.value());
    constexpr double mostPixelsAMetre = 150;
    m_scale = std::clamp(std::min((area.width() - leftMargin - 12) / width, (area.height() - topMargin - bottomMargin) / depth), 0.5,
                         mostPixelsAMetre);
    m_left = area.left();
    m_right = area.right();
    m_origin =
        QPointF(area.left() + leftMargin + std::max(0.0, (area.width() - leftMargin - 12 - width * m_scale) / 2), area.top() + topMargin);
}

QRectF FloorPicture::rectOf(RackSpot spot) const {
    const double depth = m_floor.rowPitch.value() - m_floor.plan.aisle.value();
    return {m_origin.x() + (spot.position - 1) * m_floor.rackPitch.value() * m_scale,
            m_origin.y() + (spot.row - 1) * m_floor.rowPitch.value() * m_scale, m_floor.rackPitch.value() * m_scale, depth * m_scale};
}

std::uint32_t FloorPicture::rackOn(RackSpot spot) const {
    const auto found = std::find_if(m_floor.racks.begin(), m_floor.racks.end(), [&](const Rack& rack) { return rack.spot == spot; });
    return found == m_floor.racks.end() ? none : static_cast<std::uint32_t>(found - m_floor.racks.begin());
}

std::uint32_t FloorPicture::rackAt(const QPointF& point) const {
    const auto spot = spotAt(point);
    return spot && rectOf(*spot).contains(point) ? rackOn(*spot) : none;
}

std::optional<RackSpot> FloorPicture::spotAt(const QPointF& point) const {
    const QPointF metres = (point - m_origin) / m_scale;
    const RackSpot spot{static_cast<int>(std::floor(metres.y() / m_floor.rowPitch.value())) + 1,
                        static_cast<int>(std::floor(metres.x() / m_floor.rackPitch.value())) + 1};
    if (spot.row < 1 || spot.position < 1 || spot.row > m_floor.rows + 1 || spot.position > m_positions + 4) return {};
    return spot;
}

void FloorPicture::paint(QPainter& painter, const Tokens& tokens, std::uint32_t selected) const {
    painter.setFont(fontFor(TextRole::Caption));
    painter.setPen(tokens.text2);
    const QFontMetricsF metrics(painter.font());
    double lastRow = -1e9;
    std::vector<QString> letters(static_cast<std::size_t>(m_floor.rows) + 1);
    for (const Rack& rack : m_floor.racks)
        if (rack.spot.row <= m_floor.rows) letters[static_cast<std::size_t>(rack.spot.row)] = rowLetters(rack);
    for (int row = 1; row <= m_floor.rows; ++row) {
        const QRectF first = rectOf({row, 1});
        if (first.center().y() - lastRow < metrics.height()) continue;
        lastRow = first.center().y();
        painter.drawText(QRectF(first.left() - leftMargin, first.center().y() - metrics.height() / 2, leftMargin - 8, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, letters[static_cast<std::size_t>(row)]);
    }
    const double width = rectOf({1, 1}).width();
    const int step = width >= 20 ? 1 : width >= 8 ? 5 : 20;
    for (int position = step == 1 ? 1 : step; position <= m_positions; position += step) {
        const QRectF rect = rectOf({1, position});
        painter.drawText(QRectF(rect.center().x() - 20, rect.top() - 20, 40, 16), Qt::AlignCenter, QString::number(position));
    }
    for (const bool conflict : {false, true}) // racks in conflict are drawn last, so that they are not hidden
        for (std::uint32_t r = 0; r < m_floor.racks.size(); ++r)
            if (r != selected && isInConflict(m_floor.racks[r]) == conflict) paintRack(painter, tokens, m_floor.racks[r], false);
    if (selected < m_floor.racks.size()) paintRack(painter, tokens, m_floor.racks[selected], true);
    paintScale(painter, tokens);
}

bool FloorPicture::isInConflict(const Rack& rack) const { return powerUse(rack) > 1 + 1e-9 || m_racksOn.at(rack.spot) > 1; }

void FloorPicture::paintRack(QPainter& painter, const Tokens& tokens, const Rack& rack, bool selected) const {
    const QRectF rect = rectOf(rack.spot);
    const double inset = rect.width() >= 12 ? 1.5 : rect.width() >= 5 ? 0.5 : 0;
    const QRectF box = rect.adjusted(inset, inset, -inset, -inset);
    const double use = powerUse(rack);
    const bool onlySwitches = rack.servers == 0;
    painter.fillRect(box, onlySwitches ? tokens.neutralFill : tokens.card);
    // The fill from the bottom shows the share of rack power in use.
    const double filled = box.height() * std::min(1.0, use);
    QColor fill = use > 1 + 1e-9 ? tokens.danger : onlySwitches ? tokens.neutral : tokens.accent;
    fill.setAlphaF(tokens.isDark ? 0.45F : 0.28F);
    painter.fillRect(QRectF(box.left(), box.bottom() - filled, box.width(), filled), fill);
    const bool conflict = isInConflict(rack);
    if (inset > 0 || selected || conflict) {
        painter.setBrush(Qt::NoBrush);
        const QColor edge = selected ? tokens.select : conflict ? tokens.danger : rack.moved ? tokens.overridden : tokens.cardBorder;
        painter.setPen(QPen(edge, selected || conflict ? 2.5 : rack.moved ? 2 : 1));
        painter.drawRect(box);
    }
    if (box.width() < 26) return;
    painter.setPen(tokens.text);
    painter.setFont(fontFor(box.width() >= 48 ? TextRole::BodyBold : TextRole::Caption));
    painter.drawText(box.adjusted(1, 4, -1, 0), Qt::AlignHCenter | Qt::AlignTop, QString::fromStdString(rack.label));
    painter.setFont(fontFor(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height(), bottom = box.bottom() - line - 5;
    const auto fits = [&](const QString& words) { return metrics.horizontalAdvance(words) <= box.width() - 2; };
    double y = box.top() + 5 + line;
    const auto write = [&](const QString& words) {
        if (!fits(words) || y + line > bottom) return;
        painter.drawText(QRectF(box.left(), y, box.width(), line), Qt::AlignCenter, words);
        y += line;
    };
    if (m_racksOn.at(rack.spot) > 1) return write(QObject::tr("%1 racks").arg(m_racksOn.at(rack.spot)));
    painter.setPen(tokens.text2);
    write(unitOf(rack));
    painter.setPen(tokens.text);
    const QStringList content = contentOf(rack).split(QStringLiteral(", "));
    const bool isWide = std::all_of(content.begin(), content.end(), fits);
    for (const QString& each : isWide ? content : kindsIn(rack)) write(each);
    if (fits(kilowatts(rack)) && bottom > box.top() + line)
        painter.drawText(QRectF(box.left(), bottom, box.width(), line), Qt::AlignCenter, kilowatts(rack));
}

void FloorPicture::paintScale(QPainter& painter, const Tokens& tokens) const {
    double metres = 1;
    for (const double next : {2.0, 5.0, 10.0, 20.0, 50.0})
        if (next * m_scale <= 160) metres = next;
    const double bottom = rectOf({m_floor.rows, 1}).bottom() + 14;
    struct Entry {
        QString words;
        QColor ground = {}, fill = {}, edge = {}; // of its sample; no ground: it has none
        double edgeWidth = 1;
    };
    // A page has little room: what does not occur needs no explanation.
    const auto any = [&](const auto& is) { return std::any_of(m_floor.racks.begin(), m_floor.racks.end(), is); };
    std::vector<Entry> entries{{QObject::tr("%1 m").arg(metres)}};
    if (any([](const Rack& rack) { return rack.servers > 0; }))
        entries.push_back({QObject::tr("servers"), tokens.card, tokens.accent, tokens.cardBorder});
    if (any([](const Rack& rack) { return rack.servers == 0; }))
        entries.push_back({QObject::tr("switches only"), tokens.neutralFill, tokens.neutral, tokens.cardBorder});
    if (any([&](const Rack& rack) { return isInConflict(rack); }))
        entries.push_back({QObject::tr("over its power, or two in one place"), tokens.card, tokens.danger, tokens.danger, 2});
    if (any([](const Rack& rack) { return rack.moved; }))
        entries.push_back({QObject::tr("moved by hand"), tokens.card, tokens.card, tokens.overridden, 2});
    entries.push_back({QObject::tr("Fill: share of rack power in use")});
    painter.setFont(fontFor(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    constexpr double sampleWidth = 18, gap = 16;
    double width = metres * m_scale + 6;
    for (const Entry& entry : entries) width += metrics.horizontalAdvance(entry.words) + gap + (entry.ground.isValid() ? sampleWidth : 0);
    // Below the racks, but not beyond the right edge.
    const double left = std::max(m_left, std::min(m_origin.x(), m_right - width));
    const QLineF line(left, bottom, left + metres * m_scale, bottom);
    painter.setPen(QPen(tokens.text2, 1));
    painter.drawLine(line);
    painter.drawLine(QLineF(line.x1(), bottom - 3, line.x1(), bottom + 3));
    painter.drawLine(QLineF(line.x2(), bottom - 3, line.x2(), bottom + 3));
    double x = line.x2() + 6;
    for (const Entry& entry : entries) {
        if (entry.ground.isValid()) {
            const QRectF box(x, bottom - 6, 12, 12);
            painter.fillRect(box, entry.ground);
            QColor fill = entry.fill;
            fill.setAlphaF(tokens.isDark ? 0.45F : 0.28F);
            painter.fillRect(box.adjusted(0, 4, 0, 0), fill);
            painter.setPen(QPen(entry.edge, entry.edgeWidth));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
            x += sampleWidth;
        }
        painter.setPen(tokens.text2);
        painter.drawText(QPointF(x, bottom + 4), entry.words);
        x += metrics.horizontalAdvance(entry.words) + gap;
    }
}

void FloorPicture::paintGhost(QPainter& painter, const Tokens& tokens, std::uint32_t rack, RackSpot spot) const {
    const QRectF to = rectOf(spot).adjusted(1, 1, -1, -1);
    painter.setBrush(tokens.ghostFill);
    painter.setPen(QPen(tokens.ghost, 2, Qt::DashLine));
    painter.drawRect(to);
    painter.drawLine(rectOf(m_floor.racks[rack].spot).center(), to.center());
}

void paintElevation(QPainter& painter, const Tokens& tokens, const Fabric& fabric, const Floor& floor, std::uint32_t rack,
                    const QRectF& area) {
    const Rack& shown = floor.racks[rack];
    const int units = shown.height();
    const double unit = std::min(area.height() / units, 20.0);
    const QRectF frame(area.left() + 24, area.top(), area.width() - 24, unit * units);
    painter.fillRect(frame, tokens.well);
    painter.setPen(tokens.text2);
    painter.setFont(fontFor(TextRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const int step = unit >= metrics.height() ? 1 : unit * 2 >= metrics.height() ? 2 : 6;
    for (int u = step == 1 ? 1 : step; u <= units; u += step)
        painter.drawText(QRectF(area.left(), frame.bottom() - u * unit, 20, unit), Qt::AlignRight | Qt::AlignVCenter, QString::number(u));
    const auto draw = [&](int lowest, int height, const std::string& path, const QColor& fill, const QColor& border) {
        const QRectF box(frame.left() + 1, frame.bottom() - (lowest + height - 1) * unit + 0.5, frame.width() - 2, height * unit - 1);
        painter.fillRect(box, fill);
        painter.setPen(QPen(border, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        if (box.height() < 9) return;
        QFont font = fontFor(TextRole::Caption);
        if (box.height() < metrics.height()) font.setPixelSize(std::max(9, static_cast<int>(box.height())));
        painter.setFont(font);
        painter.setPen(tokens.text);
        painter.drawText(box.adjusted(6, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(QString::fromStdString(path), Qt::ElideLeft, box.width() - 10));
    };
    const ElementNames names(*fabric.design);
    for (const Chassis& chassis : floor.chassis)
        if (chassis.rack == rack)
            draw(chassis.unit, chassis.height, labelOf(fabric, floor.racks[rack].part, names, chassis),
                 chassis.server != none ? tokens.card : tokens.neutralFill, chassis.byHand ? tokens.overridden : tokens.cardBorder);
    for (const Guest& guest : floor.guests)
        if (guest.rack == rack) draw(guest.unit, guest.height, guest.path, tokens.neutralFill, tokens.cardBorder);
    painter.setPen(QPen(tokens.controlBorder, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
}

} // namespace railyard
