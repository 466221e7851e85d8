#include "widgets/plots/cell_map.h"

#include "widgets/plots/color_ramp.h"
#include "widgets/theme/plain_text.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>
#include <utility>

namespace railyard {
CellMap::CellMap(QWidget* parent) : PlotPage(parent) {
    m_plot->setAccessibleName(tr("Heat map"));
    m_legend = richLabel();
    m_legend->setWordWrap(true);
    addBelow(m_legend);
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] { fitTexts(); });
}

// Shows cell values only if all of them fit, and thins out the column labels so that they do not overlap.
void CellMap::fitTexts() {
    const double width = std::abs(m_plot->xAxis->coordToPixel(1) - m_plot->xAxis->coordToPixel(0)),
                 height = std::abs(m_plot->yAxis->coordToPixel(1) - m_plot->yAxis->coordToPixel(0));
    const bool fits = std::all_of(m_texts.begin(), m_texts.end(), [&](const QCPItemText* text) {
        const QSize needed = QFontMetrics(text->font()).size(Qt::TextSingleLine, text->text());
        return needed.width() + 2 <= width && needed.height() <= height;
    });
    for (QCPItemText* text : m_texts) text->setVisible(fits);
    int widest = 1;
    for (const QString& name : m_data.xLabels)
        widest = std::max(widest, QFontMetrics(fontFor(TextRole::Caption)).horizontalAdvance(name) + 8);
    if (nameColumns(width > 0 ? static_cast<int>(std::ceil(widest / width)) : 1)) m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// Labels every n-th column. Returns false if the labels are unchanged.
bool CellMap::nameColumns(int every) {
    every = std::max(1, every);
    if (std::exchange(m_namedColumns, every) == every) return false;
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (qsizetype i = 0; i < m_data.xLabels.size(); i += every) ticker->addTick(static_cast<double>(i), m_data.xLabels[i]);
    m_plot->xAxis->setTicker(ticker);
    return true;
}

QColor CellMap::colorOf(double value) const {
    return m_data.isDiverging ? rampAt(diverging(), (value + 1) / 2) : rampAt(sequential(m_tokens.scale), value);
}

void CellMap::show(const CellMapData& cells, const Tokens& tokens) {
    m_data = cells;
    m_texts.clear();
    m_names.clear();
    setWords(cells.title, cells.subtitle, tokens);
    setHint(cells.hint);
    drawCells();
    for (const CellMapData::Contour& contour : cells.contours) drawContour(contour);
    drawDots();
    drawCross();
    drawAxes();
    setRichText(*m_legend, legend());
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

RichText CellMap::legend() const {
    const CellMapData& cells = m_data;
    RichText legend = RichText::filled(QStringLiteral("<span style='color:%1'>%2</span>&nbsp;&nbsp; %3 "), m_tokens.text2.name(),
                                       cells.colorName, cells.lowText);
    for (int i = 0; i <= 16; ++i)
        legend +=
            RichText::filled(QStringLiteral("<span style='background-color:%1'>&nbsp;&nbsp;&nbsp;</span>"),
                             (cells.isDiverging ? rampAt(diverging(), i / 16.0) : rampAt(sequential(m_tokens.scale), i / 16.0)).name());
    legend += RichText::filled(QStringLiteral(" %1"), cells.highText);
    if (cells.isDiverging) legend += RichText::filled(QStringLiteral("&nbsp;&nbsp;&nbsp;&nbsp;%1"), cells.hatchText);
    return cells.dotText.isEmpty() ? legend : legend + RichText::filled(QStringLiteral("<br>● %1"), cells.dotText);
}

// Marks the messages of a training job; the dot grows with the number of messages.
void CellMap::drawDots() {
    for (const CellMapData::Dot& dot : m_data.dots) {
        const double size = 7 + 5 * dot.share;
        auto* circle = new QCPItemEllipse(m_plot);
        auto* place = new QCPItemText(m_plot);
        place->setText(QStringLiteral(" "));
        place->position->setCoords(dot.x, dot.y - 0.3);
        for (QCPItemPosition* corner : {circle->topLeft, circle->bottomRight}) {
            corner->setType(QCPItemPosition::ptAbsolute);
            corner->setParentAnchor(place->position);
        }
        circle->topLeft->setCoords(-size / 2, -size / 2);
        circle->bottomRight->setCoords(size / 2, size / 2);
        circle->setPen(QPen(QColor(255, 255, 255), 2));
        circle->setBrush(QColor(0, 0, 0));
    }
}

// Frames around the row and the column under the pointer.
void CellMap::drawCross() {
    for (auto*& band : m_cross) {
        band = new QCPItemRect(m_plot);
        band->setPen(QPen(m_tokens.text, 1.5, Qt::DashLine));
        band->setBrush(Qt::NoBrush);
        band->setVisible(false);
    }
}

void CellMap::moveCross(std::optional<std::pair<int, int>> cell) {
    if (!m_cross[0] || (!cell && !m_cross[0]->visible())) return;
    for (QCPItemRect* band : m_cross) band->setVisible(cell.has_value());
    if (cell) {
        const auto [x, y] = *cell;
        m_cross[0]->topLeft->setCoords(-0.5, y + 0.5);
        m_cross[0]->bottomRight->setCoords(static_cast<double>(m_data.xLabels.size()) - 0.5, y - 0.5);
        m_cross[1]->topLeft->setCoords(x - 0.5, static_cast<double>(m_data.yLabels.size()) - 0.5);
        m_cross[1]->bottomRight->setCoords(x + 0.5, -0.5);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CellMap::drawCells() {
    const int columns = static_cast<int>(m_data.xLabels.size());
    for (std::size_t i = 0; i < m_data.values.size(); ++i) {
        const int x = static_cast<int>(i) % columns, y = static_cast<int>(i) / columns;
        const bool exists = m_data.values[i].has_value(), open = exists && i < m_data.undecided.size() && m_data.undecided[i];
        auto* cell = new QCPItemRect(m_plot);
        cell->topLeft->setCoords(x - 0.5, y + 0.5);
        cell->bottomRight->setCoords(x + 0.5, y - 0.5);
        cell->setPen(QPen(m_tokens.canvas, 1));
        const QColor color = exists ? colorOf(*m_data.values[i]) : m_tokens.well;
        cell->setBrush(color);
        if (!exists || open) { // a pattern and a label, so that colour is not the only sign
            auto* hatch = new QCPItemRect(m_plot);
            hatch->topLeft->setCoords(x - 0.5, y + 0.5);
            hatch->bottomRight->setCoords(x + 0.5, y - 0.5);
            hatch->setPen(QPen(m_tokens.canvas, 1));
            hatch->setBrush(QBrush(exists ? m_tokens.neutral : m_tokens.controlBorder, exists ? Qt::BDiagPattern : Qt::FDiagPattern));
        }
        if (m_data.cellText[i].isEmpty()) continue;
        auto* label = new QCPItemText(m_plot);
        label->position->setCoords(x, y);
        label->setText(m_data.cellText[i]);
        m_texts.push_back(label);
        label->setFont(fontFor(m_data.isDiverging ? TextRole::BodyBold : TextRole::Caption));
        label->setColor(inkOn(color));
        if (open || !exists) {
            label->setBrush(m_tokens.card);
            label->setColor(m_tokens.text);
            label->setPadding(QMargins(4, 1, 4, 1));
        }
    }
    if (!m_data.mark) return;
    const int row = m_data.mark->second, last = static_cast<int>(m_data.xLabels.size()) - 1;
    const int from = std::max(0, m_data.mark->first), to = m_data.mark->first < 0 ? last : m_data.mark->first;
    for (const QPen& pen : {QPen(m_tokens.card, 6), QPen(m_tokens.accent, 3)}) {
        auto* frame = new QCPItemRect(m_plot);
        frame->topLeft->setCoords(from - 0.5, row + 0.5);
        frame->bottomRight->setCoords(to + 0.5, row - 0.5);
        frame->setPen(pen);
        frame->setBrush(Qt::NoBrush);
    }
    auto* words = new QCPItemText(m_plot);
    words->position->setCoords(to, row == 0 ? 0.5 : row - 0.5); // on the cell's edge, so that its value stays readable
    words->setText(m_data.markText);
    words->setFont(fontFor(TextRole::Caption));
    words->setColor(m_tokens.onAccent);
    words->setBrush(m_tokens.accent);
    words->setClipToAxisRect(false);
    words->setPadding(QMargins(6, 2, 6, 2));
}

// Draws white on black, which is visible on every colour. The label stands above the map where the line leaves it, otherwise along the
// line.
void CellMap::drawContour(const CellMapData::Contour& contour) {
    const int columns = static_cast<int>(m_data.xLabels.size()), rows = static_cast<int>(m_data.yLabels.size());
    const auto holds = [&](int x, int y) { return contour.holds[static_cast<std::size_t>(y * columns + x)]; };
    std::vector<QLineF> edges;
    std::vector<QPointF> places;
    for (int y = rows - 1; y >= 0; --y)
        for (int x = 0; x < columns; ++x) {
            if (x + 1 < columns && holds(x, y) != holds(x + 1, y)) {
                edges.emplace_back(x + 0.5, y - 0.5, x + 0.5, y + 0.5);
                places.push_back(y + 1 == rows ? edges.back().p2() : edges.back().center());
            }
            if (y + 1 < rows && holds(x, y) != holds(x, y + 1)) {
                edges.emplace_back(x - 0.5, y + 0.5, x + 0.5, y + 0.5);
                places.push_back(edges.back().center());
            }
        }
    for (const QPen& pen :
         {QPen(QColor(0, 0, 0), 5, Qt::SolidLine, Qt::RoundCap), QPen(QColor(255, 255, 255), 2.5, Qt::SolidLine, Qt::RoundCap)})
        for (const QLineF& edge : edges) {
            auto* line = new QCPItemLine(m_plot);
            line->start->setCoords(edge.p1());
            line->end->setCoords(edge.p2());
            line->setPen(pen);
        }
    nameContour(contour.name, places);
}

// Puts the label at the first position that no other label occupies.
void CellMap::nameContour(const QString& text, const std::vector<QPointF>& places) {
    const auto isFree = [&](const QPointF& place) {
        return std::none_of(m_names.begin(), m_names.end(), [&](const QPointF& other) {
            return std::abs(other.x() - place.x()) < 1.5 && std::abs(other.y() - place.y()) < 0.7;
        });
    };
    const auto place = std::find_if(places.begin(), places.end(), isFree);
    if (place == places.end()) return;
    m_names.push_back(*place);
    auto* name = new QCPItemText(m_plot);
    name->position->setCoords(place->x(), place->y());
    name->setText(text);
    name->setFont(fontFor(TextRole::Caption));
    name->setColor(m_tokens.text);
    name->setBrush(m_tokens.card);
    name->setPen(QPen(m_tokens.text, 1));
    name->setPadding(QMargins(5, 1, 5, 1));
    name->setPositionAlignment(Qt::AlignHCenter | Qt::AlignVCenter);
    name->setClipToAxisRect(false);
}

void CellMap::drawAxes() {
    const auto axis = [&](QCPAxis* a, const QStringList& names, const QString& title) {
        const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        for (qsizetype i = 0; i < names.size(); ++i) ticker->addTick(static_cast<double>(i), names[i]);
        a->setTicker(ticker);
        a->setLabel(title);
        a->setRange(-0.5, static_cast<double>(names.size()) - 0.5);
        styleAxis(*a);
        a->setBasePen(QPen(Qt::NoPen));
        a->setTickPen(QPen(Qt::NoPen));
        a->grid()->setVisible(false);
    };
    axis(m_plot->xAxis, m_data.xLabels, m_data.xName);
    axis(m_plot->yAxis, m_data.yLabels, m_data.yName);
    m_namedColumns = 1;
}

std::optional<std::pair<int, int>> CellMap::cellAt(QPoint position) const {
    const int x = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(position.x()))),
              y = static_cast<int>(std::lround(m_plot->yAxis->pixelToCoord(position.y())));
    if (x < 0 || y < 0 || x >= m_data.xLabels.size() || y >= m_data.yLabels.size()) return {};
    return std::pair(x, y);
}

bool CellMap::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (const auto cell = cellAt(mouse->pos())) {
            const std::size_t index = static_cast<std::size_t>(cell->second) * static_cast<std::size_t>(m_data.xLabels.size()) +
                                      static_cast<std::size_t>(cell->first);
            emit hovered(cell->first, cell->second);
            moveCross(cell);
            RichText tip = m_data.tips[index];
            for (const CellMapData::Dot& dot : m_data.dots)
                if (std::lround(dot.x) == cell->first && std::lround(dot.y) == cell->second)
                    tip += RichText::filled(QStringLiteral("<br>● %1"), dot.tip);
            showToolTip(mouse->globalPosition().toPoint() + QPoint(14, 14), tip, m_plot);
        } else {
            moveCross({});
            showToolTip({}, RichText(), m_plot);
        }
    }
    if (event->type() == QEvent::Leave) moveCross({});
    if (event->type() == QEvent::MouseButtonDblClick)
        if (const auto cell = cellAt(static_cast<QMouseEvent*>(event)->pos())) emit chosen(cell->first, cell->second);
    return PlotPage::eventFilter(watched, event);
}

} // namespace railyard
