#include "widgets/floor/floor_view.h"

#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace railyard {
namespace {

// The elevation of the selected rack.
class ElevationWidget : public QWidget {
public:
    ElevationWidget(Document& document, FloorPlanWidget& plan, const Tokens& tokens)
        : m_document(document),
          m_plan(plan),
          m_tokens(tokens) {
        setAccessibleName(QObject::tr("Rack elevation"));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        if (const std::uint32_t rack = m_plan.selected(); rack != none)
            paintElevation(painter, m_tokens, *m_document.now().fabric, m_document.now().floor(), rack,
                           QRectF(rect()).adjusted(0, 2, -2, -2));
    }

private:
    Document& m_document;
    FloorPlanWidget& m_plan;
    const Tokens& m_tokens;
};

} // namespace

FloorView::FloorView(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_tokens(lightTokens()) {
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(18, 12, 18, 10);
    all->setSpacing(18);
    auto* left = new QVBoxLayout;
    m_title = plainLabel();
    m_title->setFont(fontFor(TextRole::ChartTitle));
    m_figures = plainLabel();
    m_figures->setWordWrap(true);
    for (QLabel* line : {m_title, m_figures}) line->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    left->addWidget(m_title);
    left->addWidget(m_figures);
    m_plan = new FloorPlanWidget(document);
    left->addWidget(m_plan, 1);

    m_offer = new QWidget;
    auto* offer = new QVBoxLayout(m_offer);
    auto* why =
        plainLabel(tr("Cables are assumed to be 30 m long. Place racks to get cable lengths, media, rack positions and a floor plan."));
    why->setWordWrap(true);
    auto* place = new QPushButton(tr("Place racks"));
    offer->addWidget(why);
    offer->addWidget(place, 0, Qt::AlignLeft);
    offer->addStretch();
    left->addWidget(m_offer, 1);

    addControls(*left);
    all->addLayout(left, 1);

    auto* right = new QVBoxLayout;
    addRack(*right);
    all->addLayout(right);

    connect(place, &QPushButton::clicked, this, [this] { apply(placeRacks(*m_document.now().design, true)); });
    connect(m_away, &QPushButton::clicked, this, [this] { apply(placeRacks(*m_document.now().design, false)); });
    connect(m_back, &QPushButton::clicked, this, [this] { apply(moveRacksBack(*m_document.now().design)); });
    connect(m_medium, &QComboBox::activated, this,
            [this](int index) { apply(setMedium(*m_document.now().design, index == 1 ? CableMedium::ByLength : CableMedium::Optical)); });
    connect(m_feeds, &QComboBox::activated, this,
            [this](int index) { apply(setPowerFeeds(*m_document.now().design, static_cast<PowerFeeds>(index))); });
    connect(m_rackFeeds, &QComboBox::activated, this, [this](int index) {
        const Floor& floor = m_document.now().floor();
        if (const std::uint32_t rack = m_plan->selected(); rack < floor.racks.size())
            apply(setFeedsOfRacks(*m_document.now().design, {floor.racks[rack].name},
                                  index == 0 ? std::nullopt : std::optional(static_cast<RackFeeds>(index - 1))));
    });
    connect(m_export, &QPushButton::clicked, this, &FloorView::exportAsked);
    connect(m_plan, &FloorPlanWidget::refused, this, &FloorView::refused);
    connect(m_plan, &FloorPlanWidget::selectionChanged, this, &FloorView::refresh);
    connect(m_plan, &FloorPlanWidget::said, this, [this](const QString& text) { text.isEmpty() ? refresh() : m_figures->setText(text); });
    connect(&document, &Document::changed, this, &FloorView::refresh);
    refresh();
}

void FloorView::addControls(QVBoxLayout& column) {
    auto* controls = new QHBoxLayout;
    auto* label = plainLabel(tr("Cable media"));
    m_medium = new QComboBox;
    m_medium->addItems({tr("Fibre only"), tr("Copper where possible")});
    m_medium->setAccessibleName(tr("Cable media"));
    label->setBuddy(m_medium);
    auto* feedsLabel = plainLabel(tr("Power feeds"));
    m_feeds = new QComboBox;
    m_feeds->setObjectName(QStringLiteral("power-feeds"));
    m_feeds->addItems({tr("A and B, either carries a rack"), tr("A and B in turn"), tr("A only")});
    m_feeds->setAccessibleName(tr("Power feeds"));
    feedsLabel->setBuddy(m_feeds);
    m_back = new QPushButton(tr("Reset rack positions"));
    m_away = new QPushButton(tr("Remove racks"));
    m_export = new QPushButton(tr("Export picture…"));
    for (QWidget* control : std::initializer_list<QWidget*>{label, m_medium, feedsLabel, m_feeds, m_back, m_away})
        controls->addWidget(control);
    controls->addStretch();
    controls->addWidget(m_export);
    column.addLayout(controls);
}

void FloorView::addRack(QVBoxLayout& column) {
    m_rack = richLabel();
    m_rack->setWordWrap(true);
    m_rack->setFixedWidth(280);
    column.addWidget(m_rack);
    m_rackRow = new QWidget;
    auto* row = new QHBoxLayout(m_rackRow);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = plainLabel(tr("Power feeds of this rack"));
    m_rackFeeds = new QComboBox;
    m_rackFeeds->setObjectName(QStringLiteral("rack-feeds"));
    m_rackFeeds->addItems({tr("as planned"), tr("A"), tr("B"), tr("A and B")});
    m_rackFeeds->setAccessibleName(tr("Power feeds of this rack"));
    label->setBuddy(m_rackFeeds);
    row->addWidget(label);
    row->addWidget(m_rackFeeds, 1);
    column.addWidget(m_rackRow);
    m_elevation = new ElevationWidget(m_document, *m_plan, m_tokens);
    m_elevation->setFixedWidth(280);
    column.addWidget(m_elevation, 1);
}

void FloorView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    m_plan->setTokens(tokens);
    m_elevation->update();
}

void FloorView::apply(const Result<Edit>& edit) {
    QString reason;
    if (!m_document.apply(edit, &reason)) emit refused(reason);
    refresh();
}

void FloorView::refresh() {
    const Snapshot& now = m_document.now();
    const bool placed = now.floor().isPlaced();
    m_plan->setVisible(placed);
    m_offer->setVisible(!placed);
    for (QWidget* control : std::initializer_list<QWidget*>{m_medium, m_feeds, m_away, m_export}) control->setEnabled(placed);
    m_back->setEnabled(placed && !now.floor().plan.moved.empty());
    m_title->setText(placed ? floorSentence(now.floor()) : tr("No racks placed"));
    m_figures->setVisible(placed);
    const QSignalBlocker quiet(m_medium);
    m_medium->setCurrentIndex(placed && now.floor().plan.medium == CableMedium::ByLength ? 1 : 0);
    const QSignalBlocker quietFeeds(m_feeds);
    m_feeds->setCurrentIndex(placed ? static_cast<int>(now.floor().plan.feeds) : 0);
    if (placed && now.instant.floor) {
        const FloorFigures& figures = *now.instant.floor;
        const auto metres = [](Metres length) { return QString::fromStdString(formatCount(static_cast<std::int64_t>(length.value()))); };
        QString text =
            tr("%1 m in %2 cables").arg(metres(figures.cable), QString::fromStdString(formatCount(now.instant.cables.patchCables)));
        if (figures.saved && figures.saved->value() > 0)
            text += tr(", %1 m less than with the leaf racks at the end of each SU").arg(metres(*figures.saved));
        text += fullestRack(figures.mostRackPower);
        m_figures->setText(text);
    }
    showRack();
}

void FloorView::showRack() {
    const Snapshot& now = m_document.now();
    const bool placed = now.floor().isPlaced();
    const std::uint32_t rack = placed ? m_plan->selected() : none;
    m_rackRow->setVisible(rack != none);
    m_elevation->update();
    if (rack == none)
        return setRichText(*m_rack, RichText::plain(placed ? tr("Select a rack to see its contents. Drag a rack to move it; its cable "
                                                                "lengths are updated.")
                                                           : QString()));
    const Rack& shown = now.floor().racks[rack];
    const auto& own = now.floor().plan.feedsOf;
    const QSignalBlocker quiet(m_rackFeeds);
    m_rackFeeds->setCurrentIndex(own.contains(shown.name) ? 1 + static_cast<int>(own.at(shown.name)) : 0);
    const RackPart* part = shown.part ? shown.part->as<RackPart>() : nullptr;
    const auto kilowatts = [](Watts power) { return QString::number(power.value() / 1000, 'f', 1); };
    setRichText(*m_rack, RichText::filled(tr("<b>%1</b> · %2<br>%3, %4 of %5 U<br>%6%7 kW%8"), QString::fromStdString(shown.label),
                                          QString::fromStdString(shown.name), contentOf(shown), QString::number(shown.units),
                                          QString::number(shown.height()), shown.unknownPower ? QStringLiteral("≥ ") : QString(),
                                          kilowatts(shown.power), part ? tr(" of %1 kW").arg(kilowatts(part->power)) : QString()));
}

} // namespace railyard
