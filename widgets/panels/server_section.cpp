#include "widgets/panels/server_section.h"

#include "widgets/panels/server_picture.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableWidget>
#include <cmath>

namespace railyard {
namespace {

QIcon dotOf(const QColor& color) {
    QPixmap dot(20, 20);
    dot.fill(Qt::transparent);
    QPainter painter(&dot);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(3, 3, 14, 14);
    return QIcon(dot);
}

QTableWidget* tableOf(const ServerFacts& facts, const Tokens& tokens, int rails) {
    constexpr int mostRows = 18; // more scroll
    auto* table = new QTableWidget(static_cast<int>(facts.rows.size()), 5);
    table->setObjectName(QStringLiteral("server-nics"));
    table->setAccessibleName(inspectorText("NICs of this server"));
    table->setHorizontalHeaderLabels(
        {inspectorText("NIC"), inspectorText("Rail"), inspectorText("Far end"), inspectorText("Cable"), inspectorText("Length")});
    for (int row = 0; row < table->rowCount(); ++row) {
        const ServerFacts::Nic& nic = facts.rows[static_cast<std::size_t>(row)];
        const QStringList cells = {QString::number(facts.nics[nic.nic]), nic.rail > 0 ? QString::number(nic.rail) : QStringLiteral("–"),
                                   nic.farEnd.isEmpty() ? inspectorText("no cable") : nic.farEnd, nic.cable, nic.length};
        for (int column = 0; column < cells.size(); ++column) {
            auto* cell = new QTableWidgetItem(cells[column]);
            cell->setTextAlignment((column == 4 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            if (column == 1 && nic.rail > 0) cell->setIcon(dotOf(tokens.rail(nic.rail, rails)));
            table->setItem(row, column, cell);
        }
        setToolTipOf(*table, inspectorText("Double-click a row to go to the far end."));
    }
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(22);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setHighlightSections(false);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setIconSize(QSize(10, 10));
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setFixedHeight(table->horizontalHeader()->sizeHint().height() + 22 * std::min(mostRows, table->rowCount()) + 2);
    return table;
}

} // namespace

void addServerSection(InspectorForm& form, ServerFacts facts, const Tokens& tokens, int rails,
                      const std::function<void(const std::string& port)>& locate) {
    const auto shared = std::make_shared<const ServerFacts>(std::move(facts));
    form.addWide(new ServerPicture(shared, tokens, rails));
    if (!shared->rows.empty()) {
        QTableWidget* table = tableOf(*shared, tokens, rails);
        QObject::connect(table, &QTableWidget::cellDoubleClicked, &form, [shared, locate](int row, int) {
            const std::string port = shared->rows[static_cast<std::size_t>(row)].farPath.toStdString();
            if (!port.empty()) locate(port);
        });
        form.addWide(table);
    }
    if (!HbLinkSquares::fits(*shared)) return;
    std::int64_t links = 0;
    for (const auto& gpu : shared->hbLinks)
        for (const int each : gpu) links += each;
    form.addHeading(inspectorText("%1 to %2")
                        .arg(counted(links, inspectorText("%1 HB link"), inspectorText("%1 HB links")),
                             counted(static_cast<std::int64_t>(shared->hbSwitches.size()), inspectorText("%1 HB switch"),
                                     inspectorText("%1 HB switches"))));
    form.addWide(new HbLinkSquares(shared, tokens));
    form.addNote(inspectorText("%1 GB/s one-way on each link").arg(inGbytesPerSecond(shared->hbLink), 0, 'g', 4));
}

} // namespace railyard
