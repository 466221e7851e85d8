#include "widgets/export/slide_deck.h"

#include "core/analysis/metrics/metrics.h"
#include "core/io/presentation/presentation.h"
#include "widgets/canvas/painter/load_scale.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/canvas/scene/scene_networks.h"
#include "widgets/export/slide.h"
#include "widgets/theme/text.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>

namespace railyard {
namespace {

constexpr double labelWidth = 150;
constexpr std::size_t mostShapes = 330; // of the drawing; more are slow to open and to edit
std::string colorText(const QColor& color) { return color.name().mid(1).toStdString(); }

SlideText wordsOf(const std::string& words, double size, const QColor& color, bool isBold = false, SlideAlign align = SlideAlign::Left) {
    return {words, size, isBold, colorText(color), align};
}
SlideText wordsOf(const QString& words, double size, const QColor& color, bool isBold = false, SlideAlign align = SlideAlign::Left) {
    return {words.toStdString(), size, isBold, colorText(color), align};
}

double pillWidth(const QString& words) { return 20 + 12 * static_cast<double>(words.size()); }

void addPill(PresentationSlide& slide, const QString& words, QPointF at, const QColor& color, const Tokens& tokens) {
    const double width = pillWidth(words);
    SlideShape pill;
    pill.kind = SlideShape::Kind::Rounded;
    pill.box = {at.x() - width / 2, at.y() - 15, width, 30};
    pill.fill = colorText(tokens.card);
    pill.line = colorText(color);
    pill.text = wordsOf(words, 22, tokens.text, true, SlideAlign::Middle);
    slide.shapes.push_back(std::move(pill));
}

// Those of one row that would overlap are one.
void addPills(PresentationSlide& slide, const Scene& scene, const Tokens& tokens, const std::function<QPointF(QPointF)>& mapped) {
    std::map<int, std::vector<const SceneBundle*>> rows; // by height
    for (const SceneBundle& bundle : scene.bundles)
        if (!bundle.pill.isEmpty()) rows[qRound(mapped(bundle.pillAt).y() / 8)].push_back(&bundle);
    for (auto& [height, row] : rows) {
        std::sort(row.begin(), row.end(), [](const SceneBundle* a, const SceneBundle* b) { return a->pillAt.x() < b->pillAt.x(); });
        bool overlaps = false, areEqual = true;
        for (std::size_t i = 1; i < row.size(); ++i) {
            overlaps = overlaps || mapped(row[i]->pillAt).x() - mapped(row[i - 1]->pillAt).x() < pillWidth(row[i]->pill) + 4;
            areEqual = areEqual && row[i]->pill == row.front()->pill;
        }
        if (!overlaps) {
            for (const SceneBundle* bundle : row)
                addPill(slide, bundle->pill, mapped(bundle->pillAt),
                        bundle->rail > 0 ? tokens.rail(bundle->rail, scene.rails) : tokens.neutral, tokens);
        } else if (areEqual) {
            const QPointF middle = (mapped(row.front()->pillAt) + mapped(row.back()->pillAt)) / 2;
            addPill(slide, QStringLiteral("%1 × %2").arg(row.size()).arg(row.front()->pill), middle, tokens.neutral, tokens);
        }
    }
}

// The scene as shapes, and its bundles as lines that are glued to them.
class DeckDrawing {
public:
    DeckDrawing(PresentationSlide& slide, const Scene& scene, const Tokens& tokens, const QRectF& area)
        : m_slide(slide),
          m_scene(scene),
          m_tokens(tokens) {
        m_scale = std::min(area.width() / scene.bounds.width(), area.height() / scene.bounds.height());
        m_offset = area.center() - scene.bounds.center() * m_scale;
    }

    void draw() {
        for (const SceneBar& bar : m_scene.bars) addBar(bar);
        for (const SceneCard& card : m_scene.cards) addCard(card);
        for (const SceneNetwork& network : m_scene.networks) {
            const std::size_t shape = box(network.rect, SlideShape::Kind::Rectangle, m_tokens.card, m_tokens.cardBorder);
            m_slide.shapes[shape].text =
                wordsOf(network.title + QLatin1Char('\n') + network.note, 18, m_tokens.text, false, SlideAlign::Middle);
            m_ends.push_back({shape, mapped(network.rect)});
        }
        addNodes();
        addLanes();
        addLines();
        for (const SceneLabel& label : m_scene.labels) addLabel(label);
    }

    int leftOut() const { return m_leftOut; } // elements that are not drawn, for there are too many

private:
    struct End { // what a line can be glued to
        std::size_t shape;
        QRectF rect;
    };

    QPointF mapped(QPointF world) const { return world * m_scale + m_offset; }
    QRectF mapped(const QRectF& world) const { return {mapped(world.topLeft()), mapped(world.bottomRight())}; }

    std::size_t box(const QRectF& world, SlideShape::Kind kind, const QColor& fill, const QColor& line, double width = 1.5) {
        const QRectF rect = mapped(world);
        SlideShape shape;
        shape.kind = kind;
        shape.box = {rect.x(), rect.y(), rect.width(), rect.height()};
        shape.fill = colorText(fill);
        shape.line = colorText(line);
        shape.lineWidth = width;
        m_slide.shapes.push_back(std::move(shape));
        return m_slide.shapes.size() - 1;
    }

    void addBar(const SceneBar& bar) {
        const std::size_t shape = box(bar.rect, SlideShape::Kind::Rounded, m_tokens.card, m_tokens.controlBorder);
        m_slide.shapes[shape].name = bar.title.toStdString();
        QString words = bar.stacked > 1 ? QObject::tr("×%1").arg(bar.stacked) : QString();
        if (isSummed(bar.firstNode, bar.lastNode))
            words = (words.isEmpty() ? QString() : words + QStringLiteral(" · ")) +
                    QObject::tr("%1 switches").arg(bar.lastNode - bar.firstNode);
        if (words.isEmpty() && bar.firstNode == bar.lastNode && bar.count > 0) words = QObject::tr("%1 switches").arg(bar.count);
        // A narrow one has room for the number alone.
        if (mapped(bar.rect).width() < 12.0 * static_cast<double>(words.size())) words = words.section(QLatin1Char(' '), 0, 0);
        m_slide.shapes[shape].text = wordsOf(words, 22, m_tokens.text, true, SlideAlign::Middle);
        m_ends.push_back({shape, mapped(bar.rect)});
    }

    void addCard(const SceneCard& card) {
        const std::size_t shape = box(card.rect, SlideShape::Kind::Rounded, m_tokens.card, m_tokens.cardBorder);
        const auto servers = card.lastNode - card.firstNode;
        QString words = card.folded > 1 ? QStringLiteral("×%1\n%2").arg(card.folded).arg(card.title) : card.title;
        if (card.folded <= 1 && servers > 0) words += QLatin1Char('\n') + QObject::tr("%1 servers").arg(servers);
        m_slide.shapes[shape].text = wordsOf(words, 22, m_tokens.text, true, SlideAlign::Middle);
        m_slide.shapes[shape].name = card.title.toStdString();
        m_ends.push_back({shape, mapped(card.rect)});
    }

    // The many switches of a bar, and all servers of a card, are one shape with their number.
    bool isSummed(std::size_t first, std::size_t last) const {
        std::size_t switches = m_scene.nodes.size();
        for (const SceneCard& card : m_scene.cards) switches -= card.lastNode - card.firstNode;
        return last > first && (switches > mostShapes / 2 || last - first > 64) && last - first > 8;
    }
    bool isInside(std::size_t node) const {
        const auto holds = [&](const auto& group) { return node >= group.firstNode && node < group.lastNode; };
        return std::any_of(m_scene.cards.begin(), m_scene.cards.end(), holds) ||
               std::any_of(m_scene.bars.begin(), m_scene.bars.end(),
                           [&](const SceneBar& bar) { return holds(bar) && isSummed(bar.firstNode, bar.lastNode); });
    }

    void addNodes() {
        for (std::size_t n = 0; n < m_scene.nodes.size(); ++n) {
            const SceneNode& node = m_scene.nodes[n];
            if (node.shape == Shape::Callout || isInside(n)) continue;
            if (m_slide.shapes.size() > mostShapes) {
                ++m_leftOut;
                continue;
            }
            const QColor color = node.rail > 0 ? m_tokens.rail(node.rail, m_scene.rails) : m_tokens.neutral;
            const SlideShape::Kind kind = node.shape == Shape::Leaf    ? SlideShape::Kind::Trapezoid
                                          : node.shape == Shape::Spine ? SlideShape::Kind::Hexagon
                                                                       : SlideShape::Kind::Polygon;
            const std::size_t shape = box(node.rect, kind, m_tokens.card, color, 2.5);
            if (kind == SlideShape::Kind::Polygon) m_slide.shapes[shape].outline = outlineOf(node.shape);
            const QRectF rect = mapped(node.rect);
            const QString words = node.number > 0 && rect.width() >= 20 ? QString::number(node.number) : QString();
            m_slide.shapes[shape].text =
                wordsOf(words, std::clamp(rect.height() * 0.6, 12.0, 22.0), m_tokens.text, true, SlideAlign::Middle);
            m_slide.shapes[shape].name = QStringLiteral("%1 %2").arg(node.label).arg(node.number).trimmed().toStdString();
            m_ends.push_back({shape, rect});
        }
    }
    static std::vector<std::pair<double, double>> outlineOf(Shape shape) {
        const QRectF unit(0, 0, 100, 100);
        std::vector<std::pair<double, double>> points;
        for (const QPointF& point : silhouette(shape, unit).toFillPolygon())
            points.emplace_back(std::clamp(point.x() / 100, 0.0, 1.0), std::clamp(point.y() / 100, 0.0, 1.0));
        return points;
    }

    // Of a rail, from SU to SU; what leads from there to the tier above is a line.
    static bool isAcross(const SceneBundle& bundle) {
        const QRectF box = bundle.path.boundingRect();
        return bundle.isLane && box.width() > box.height();
    }

    // A lane is a thin shape, to which its risers are glued.
    void addLanes() {
        for (std::size_t b = 0; b < m_scene.bundles.size(); ++b) {
            const SceneBundle& bundle = m_scene.bundles[b];
            if (!isAcross(bundle)) continue;
            QRectF lane = bundle.path.boundingRect();
            const double thick = 10 / m_scale;
            lane = QRectF(lane.left(), lane.center().y() - thick / 2, std::max(lane.width(), thick), thick);
            const QColor color = bundle.rail > 0 ? m_tokens.rail(bundle.rail, m_scene.rails) : m_tokens.neutral;
            const std::size_t shape = box(lane, SlideShape::Kind::Rectangle, color, color, 0.5);
            m_slide.shapes[shape].name = QObject::tr("Rail %1").arg(bundle.rail).toStdString();
            m_lanes.push_back({shape, mapped(lane)});
            m_laneRails.push_back(bundle.rail);
        }
    }

    // What lies at the end of a line: of its own rail's lanes first, else the smallest shape that reaches there.
    std::optional<End> endAt(QPointF point, int rail) const {
        constexpr double reach = 16; // px: bends of lines begin before the lane
        for (std::size_t l = 0; l < m_lanes.size(); ++l)
            if (m_laneRails[l] == rail && std::abs(m_lanes[l].rect.center().y() - point.y()) <= reach &&
                point.x() >= m_lanes[l].rect.left() - 2 * reach && point.x() <= m_lanes[l].rect.right() + 2 * reach)
                return m_lanes[l];
        std::optional<End> best;
        for (const End& end : m_ends) {
            if (!end.rect.adjusted(-4, -6, 4, 6).contains(point)) continue;
            if (!best || end.rect.width() * end.rect.height() < best->rect.width() * best->rect.height()) best = end;
        }
        return best;
    }

    // The site of a shape at this place, made if there is none.
    int siteAt(const End& end, QPointF point) {
        SlideShape& shape = m_slide.shapes[end.shape];
        const std::pair<double, double> share{end.rect.width() > 0 ? std::clamp((point.x() - end.rect.left()) / end.rect.width(), 0.0, 1.0)
                                                                   : 0.5,
                                              point.y() < end.rect.center().y() ? 0.0 : 1.0};
        if (std::abs(share.first - 0.5) < 0.02) return share.second == 0.0 ? 0 : 2;
        for (std::size_t s = 0; s < shape.sites.size(); ++s)
            if (std::abs(shape.sites[s].first - share.first) < 1e-6 && shape.sites[s].second == share.second)
                return static_cast<int>(s) + 4;
        shape.sites.push_back(share);
        return static_cast<int>(shape.sites.size()) + 3;
    }
    QPointF placeOfSite(const End& end, int site) const {
        const SlideShape& shape = m_slide.shapes[end.shape];
        static constexpr std::pair<double, double> sides[] = {{0.5, 0}, {0, 0.5}, {0.5, 1}, {1, 0.5}};
        const auto share = site < 4 ? sides[site] : shape.sites[static_cast<std::size_t>(site) - 4];
        return {end.rect.left() + share.first * end.rect.width(), end.rect.top() + share.second * end.rect.height()};
    }

    // A lane reaches to the lines that end beside it.
    void widen(const End& lane, double x) {
        for (std::size_t l = 0; l < m_lanes.size(); ++l) {
            if (m_lanes[l].shape != lane.shape) continue;
            QRectF& rect = m_lanes[l].rect;
            if (x < rect.left()) rect.setLeft(x);
            if (x > rect.right()) rect.setRight(x);
            m_slide.shapes[lane.shape].box = {rect.x(), rect.y(), rect.width(), rect.height()};
        }
    }

    struct Drawn {
        QPointF from, to;
        End lower, upper;
        const SceneBundle* bundle;
    };

    void addLines() {
        std::vector<Drawn> lines;
        for (const SceneBundle& bundle : m_scene.bundles) {
            if (isAcross(bundle) || bundle.path.size() < 2) continue;
            QPointF from = mapped(bundle.path.first()), to = mapped(bundle.path.last());
            const auto lower = endAt(from, bundle.rail), upper = endAt(to, bundle.rail);
            if (!lower || !upper || lower->shape == upper->shape) continue;
            // Along the end that is no lane, so that the line stands upright.
            if (isLane(*upper)) to.setX(from.x()), widen(*upper, from.x());
            if (isLane(*lower)) from.setX(to.x()), widen(*lower, to.x());
            lines.push_back({from, to, *lower, *upper, &bundle});
        }
        for (const SceneCable& cable : m_scene.cables) {
            const QPointF from = mapped(cable.a), to = mapped(cable.b);
            const auto lower = endAt(from, -1), upper = endAt(to, -1);
            if (lower && upper && lower->shape != upper->shape) glue(from, to, *lower, *upper, cable.rail, cable.links);
        }
        for (const Drawn& line : lines) glue(line.from, line.to, now(line.lower), now(line.upper), line.bundle->rail, line.bundle->links);
        addPills(m_slide, m_scene, m_tokens, [this](QPointF world) { return mapped(world); });
    }
    bool isLane(const End& end) const {
        return std::any_of(m_lanes.begin(), m_lanes.end(), [&](const End& lane) { return lane.shape == end.shape; });
    }
    End now(const End& end) const { // as wide as it has become
        for (const End& lane : m_lanes)
            if (lane.shape == end.shape) return lane;
        return end;
    }
    void glue(QPointF from, QPointF to, const End& lower, const End& upper, int rail, int links) {
        SlideLine line;
        line.from = lower.shape, line.to = upper.shape;
        // On the sides that face each other.
        const bool isUpwards = lower.rect.center().y() >= upper.rect.center().y();
        line.fromSite = siteAt(lower, {from.x(), isUpwards ? lower.rect.top() : lower.rect.bottom()});
        line.toSite = siteAt(upper, {to.x(), isUpwards ? upper.rect.bottom() : upper.rect.top()});
        const QPointF a = placeOfSite(lower, line.fromSite), b = placeOfSite(upper, line.toSite);
        line.x1 = a.x(), line.y1 = a.y(), line.x2 = b.x(), line.y2 = b.y();
        line.color = colorText(rail > 0 ? m_tokens.rail(rail, m_scene.rails) : m_tokens.neutral);
        line.width = std::clamp(bundleWidth(links) * 0.9, 1.5, 9.0);
        m_slide.lines.push_back(std::move(line));
    }
    void addLabel(const SceneLabel& label) {
        SlideShape shape;
        shape.box = {slideLeft, mapped(label.at).y() - 24, labelWidth, 48};
        shape.text = wordsOf(label.title, 24, m_tokens.text, true);
        m_slide.shapes.push_back(std::move(shape));
    }

    PresentationSlide& m_slide;
    const Scene& m_scene;
    const Tokens& m_tokens;
    double m_scale = 1;
    QPointF m_offset;
    std::vector<End> m_ends, m_lanes;
    std::vector<int> m_laneRails;
    int m_leftOut = 0;
};

// `name`: of a shape that states a figure its key, which verify looks for.
void addWords(PresentationSlide& slide, const SlideBox& box, SlideText text, const std::string& name = {}) {
    SlideShape shape;
    shape.name = name;
    shape.box = box;
    shape.text = std::move(text);
    slide.shapes.push_back(std::move(shape));
}

void addFigures(PresentationSlide& slide, const SlideContent& content, const Tokens& tokens) {
    constexpr double width = 258, gap = 28, height = 118, top = 212;
    for (std::size_t i = 0; i < content.figures.size(); ++i) {
        const SlideFigure& figure = content.figures[i];
        const double x = slideFigures + static_cast<double>(i % 2) * (width + gap), y = top + static_cast<double>(i / 2) * height;
        const std::string value = figure.unit.empty() ? figure.value : figure.value + " " + figure.unit;
        addWords(slide, {x, y + 6, width, 62}, wordsOf(value, value.size() > 12 ? 30 : 38, tokens.text, true), figure.key);
        addWords(slide, {x, y + 70, width, 34}, wordsOf(figure.what, 22, tokens.text2), figure.whatKey);
    }
    double y = 590;
    const TierLines lines = tierLines(content, y);
    for (const TierFacts& tier : content.tiers) {
        addWords(slide, {slideFigures, y, slideRight - slideFigures, 30}, wordsOf(tierTitle(tier), 22, tokens.text, true), tierKey(tier));
        if (lines.hasPorts)
            addWords(slide, {slideFigures, y + 29, slideRight - slideFigures, 28}, wordsOf(tier.portsText(), 22, tokens.text2),
                     tierKey(tier) + ".ports");
        y += lines.pitch;
    }
}

void addTitleBlock(PresentationSlide& slide, const SlideContent& content, const Tokens& tokens) {
    const double width = (slideRight - slideLeft) / static_cast<double>(std::max<std::size_t>(1, content.titleBlock.size()));
    for (std::size_t i = 0; i < content.titleBlock.size(); ++i)
        addWords(slide, {slideLeft + static_cast<double>(i) * width, 984, width - 16, 52},
                 wordsOf(content.titleBlock[i].first + ": " + content.titleBlock[i].second, 20, tokens.text));
    addWords(slide, {slideLeft, 1038, slideRight - slideLeft, 26}, wordsOf(content.basis, 18, tokens.text2));
}

// The comparison as a table that can be edited, and its numbers as shares of the first layout.
PresentationSlide comparisonSlide(const SlideContent& content, const Tokens& tokens) {
    PresentationSlide slide;
    slide.title = wordsOf(content.title, 40, tokens.text, true);
    slide.titleBox = {slideLeft, 34, slideRight - slideLeft, 116};
    SlideTable table;
    table.box = {slideLeft, 190, slideRight - slideLeft, 220};
    const double first = 330, width = (slideRight - slideLeft - first) / static_cast<double>(content.columns.size());
    table.columns = {first};
    table.columns.insert(table.columns.end(), content.columns.size(), width);
    table.rows.push_back({wordsOf(QObject::tr("Same GPUs, two layouts"), 24, tokens.text2)});
    for (const SlideColumn& column : content.columns)
        table.rows.back().push_back(wordsOf(column.title, 24, tokens.text2, false, SlideAlign::Right));
    for (const SlideRow& row : content.rows) {
        table.rows.push_back({wordsOf(row.name, 26, tokens.text, true)});
        for (const SlideCell& cell : row.cells)
            table.rows.back().push_back(wordsOf(cell.words(), 24,
                                                cell.difference.empty() ? tokens.text
                                                : cell.isBetter         ? tokens.ok
                                                                        : tokens.danger,
                                                true, SlideAlign::Right));
    }
    slide.tables.push_back(std::move(table));
    SlideChart chart;
    chart.box = {slideLeft, 440, slideRight - slideLeft, 520};
    chart.title = QObject::tr("In percent of %1").arg(text(content.rows.front().name).toLower()).toStdString();
    const std::size_t second = content.rows.size() - 1;
    chart.series = {{content.rows.front().name, colorText(tokens.neutral), {}}, {content.rows[second].name, colorText(tokens.accent), {}}};
    for (std::size_t c = 0; c < content.rows.front().cells.size(); ++c) {
        const auto& share = content.rows[second].cells[c].share;
        if (!share) continue;
        chart.categories.push_back(content.columns[c].title);
        chart.series[0].values.push_back(100);
        chart.series[1].values.push_back(std::round(*share * 1000) / 10);
    }
    if (!chart.categories.empty()) slide.charts.push_back(std::move(chart));
    addTitleBlock(slide, content, tokens);
    return slide;
}

} // namespace

Status writeSlideDeck(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    SlideContent content = slideContentOf(fabric, options.slide);
    const Tokens& tokens = options.tokens;
    const QRectF area(slideLeft + labelWidth - 70, 210, 1180 - labelWidth + 70, 740);
    const Scene scene = slideScene(fabric, options.detail, area.size());
    PresentationSlide slide;
    slide.title = wordsOf(content.title, content.title.size() > 90 ? 38 : 44, tokens.text, true);
    slide.titleBox = {slideLeft, 30, slideRight - slideLeft, 116};
    addWords(slide, {slideLeft, 152, slideRight - slideLeft, 38}, wordsOf(content.subtitle, 26, tokens.text2),
             options.slide.sentence.empty() ? "subtitle" : "");
    DeckDrawing drawing(slide, scene, tokens, area);
    drawing.draw();
    if (drawing.leftOut() > 0) {
        const QString leftOut = QObject::tr("%1 of %2 elements and their links are not drawn: a slide of shapes has room for %3. ")
                                    .arg(drawing.leftOut())
                                    .arg(scene.nodes.size())
                                    .arg(mostShapes);
        content.basis = leftOut.toStdString() + content.basis;
    }
    addFigures(slide, content, tokens);
    addTitleBlock(slide, content, tokens);
    Presentation presentation{content.title, options.slide.author, {std::move(slide)}};
    if (content.rows.size() > 1) presentation.slides.push_back(comparisonSlide(content, tokens));
    return writePresentation(presentation, path.toStdString());
}

} // namespace railyard
