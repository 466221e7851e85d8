#include "widgets/panels/tables_panel.h"

#include "core/base/unit_text.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <algorithm>
#include <set>

namespace railyard {
namespace {

// Sorts paths in natural order (leaf[2] before leaf[10]) and numbers by value.
class NaturalFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const QVariant x = left.data(Qt::UserRole), y = right.data(Qt::UserRole);
        if (x.isValid() && x.typeId() != QMetaType::QString) return QVariant::compare(x, y) == QPartialOrdering::Less;
        const QString a = left.data().toString().remove(QLatin1Char(',')), b = right.data().toString().remove(QLatin1Char(','));
        return naturallyLess(a.toStdString(), b.toStdString());
    }
};

// The selected cells as tab-separated text, which spreadsheets accept from the clipboard.
void copySelection(const QTableView& view) {
    QModelIndexList cells = view.selectionModel()->selectedIndexes();
    std::sort(cells.begin(), cells.end());
    QString text;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (i > 0) text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
        text += cells[i].data().toString();
    }
    QApplication::clipboard()->setText(text);
}

} // namespace

// Widens columns to their translated headings.
static void widenForHeadings(QTableView& view) {
    constexpr int margin = 12; // room for the style's padding and the sort indicator
    const QHeaderView& headings = *view.horizontalHeader();
    for (int column = 0; column < headings.count(); ++column)
        view.setColumnWidth(column, std::max(view.columnWidth(column), headings.sectionSizeHint(column) + margin));
}

TablesPanel::TablesPanel(Document& document, QWidget* parent) : QTabWidget(parent), m_document(document) {
    setDocumentMode(true);
    m_devices = new DeviceModel(document, this);
    m_bill = new BillModel(document, this);
    m_filter = new NaturalFilter(this);
    m_filter->setSourceModel(m_devices);
    m_filter->setFilterKeyColumn(-1);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_deviceView = makeTable(m_filter, tr("Devices"));
    for (const auto& [column, width] : {std::pair(1, 95), std::pair(2, 60), std::pair(3, 280), std::pair(4, 100), std::pair(5, 60),
                                        std::pair(6, 60), std::pair(7, 80), std::pair(8, 125)})
        m_deviceView->setColumnWidth(column, width);
    connect(m_devices, &DeviceModel::refused, this, &TablesPanel::refused);
    makeLinks();
    makeBill();
    auto* search = m_search = new QLineEdit;
    search->setPlaceholderText(tr("Filter, such as su[1] or leaf"));
    search->setAccessibleName(tr("Filter devices and links"));
    search->setObjectName(QStringLiteral("device-filter"));
    search->setMinimumWidth(110);
    search->setMaximumWidth(210);
    search->setMaximumHeight(26);
    auto* corner = new QWidget;
    auto* cornerLayout = new QHBoxLayout(corner);
    cornerLayout->setContentsMargins(0, 1, 10, 1);
    cornerLayout->addWidget(search);
    setCornerWidget(corner, Qt::TopRightCorner);
    connect(search, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    connect(search, &QLineEdit::textChanged, m_linkFilter, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_deviceView->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_following) return;
        std::vector<std::string> paths;
        for (const QModelIndex& row : m_deviceView->selectionModel()->selectedRows()) paths.push_back(row.data().toString().toStdString());
        m_following = true; // ignore the selection that the drawing sends back, so that the rows stay as they are
        emit selected(paths);
        m_following = false;
    });
    m_deviceView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_deviceView, &QTableView::customContextMenuRequested, this, [this](QPoint at) {
        std::vector<std::string> paths;
        for (const QModelIndex& row : m_deviceView->selectionModel()->selectedRows()) paths.push_back(row.data().toString().toStdString());
        if (!paths.empty()) emit menuAsked(paths, m_deviceView->viewport()->mapToGlobal(at));
    });
    m_nothing = plainLabel();
    m_nothing->setParent(m_deviceView);
    m_nothing->setProperty("dim", true);
    m_nothing->setObjectName(QStringLiteral("no-matches"));
    m_nothing->move(16, 44);
    m_nothing->hide();
    connect(search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_nothing->setText(tr("No device matches “%1”.").arg(text));
        m_nothing->adjustSize();
        m_nothing->setVisible(m_filter->rowCount() == 0);
    });
    connect(&document, &Document::changed, this, [this] { refreshTitles(); });
    refreshTitles();
    for (auto* view : findChildren<QTableView*>()) widenForHeadings(*view);
}

void TablesPanel::makeLinks() {
    m_links = new LinkModel(m_document, this);
    m_linkFilter = new NaturalFilter(this);
    m_linkFilter->setSourceModel(m_links);
    m_linkFilter->setFilterKeyColumn(-1);
    m_linkFilter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    QTableView* linkView = m_linkView = makeTable(m_linkFilter, tr("Links"));
    for (const auto& [column, width] :
         {std::pair(LinkModel::Cable, 90), std::pair(LinkModel::LowerEnd, 210), std::pair(LinkModel::UpperEnd, 190),
          std::pair(LinkModel::Length, 90), std::pair(LinkModel::PartName, 250), std::pair(LinkModel::Tier, 110)})
        linkView->setColumnWidth(column, width);
    connect(linkView->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this, linkView] {
        if (m_following) return;
        const QModelIndexList rows = linkView->selectionModel()->selectedRows();
        if (rows.size() == 1) return emit selected({m_links->cableOf(m_linkFilter->mapToSource(rows.front()).row())});
        std::set<std::string> paths;
        for (const QModelIndex& row : rows)
            for (std::string& path : m_links->endsOf(m_linkFilter->mapToSource(row).row())) paths.insert(std::move(path));
        if (!paths.empty()) emit selected({paths.begin(), paths.end()});
    });
    linkView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(linkView, &QTableView::customContextMenuRequested, this, [this, linkView](QPoint at) {
        const QModelIndexList rows = linkView->selectionModel()->selectedRows();
        if (rows.size() == 1)
            emit menuAsked({m_links->cableOf(m_linkFilter->mapToSource(rows.front()).row())}, linkView->viewport()->mapToGlobal(at));
    });
}

// A line leads to the elements that use its part.
void TablesPanel::makeBill() {
    auto* bill = new NaturalFilter(this);
    bill->setSourceModel(m_bill);
    QTableView* billView = makeTable(bill, tr("Bill"));
    billView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(billView, &QTableView::customContextMenuRequested, this, [this, billView](QPoint at) {
        const QModelIndex row = billView->indexAt(at);
        if (!row.isValid()) return;
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        const QString part = row.siblingAtColumn(1).data().toString();
        menu->addAction(tr("Copy"), billView, [billView] { copySelection(*billView); });
        if (!part.isEmpty()) menu->addAction(tr("Select the elements with this part"), this, [this, part] { emit usersAsked(part); });
        menu->popup(billView->viewport()->mapToGlobal(at));
    });
}

QTableView* TablesPanel::makeTable(QAbstractItemModel* model, const QString& name) {
    auto* view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(name);
    view->setObjectName(name.toLower());
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSortingEnabled(true);
    view->sortByColumn(-1, Qt::AscendingOrder);
    view->setShowGrid(false);
    view->setAlternatingRowColors(true);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(26);
    view->horizontalHeader()->setStretchLastSection(true);
    view->horizontalHeader()->setHighlightSections(false);
    view->setColumnWidth(0, 150);
    view->setColumnWidth(name == tr("Bill") ? 2 : 3, name == tr("Bill") ? 300 : 150);
    if (name == tr("Bill")) view->setColumnWidth(1, 180);
    auto* copy = new QShortcut(QKeySequence::Copy, view, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, view, [view] { copySelection(*view); });
    addTab(view, name);
    return view;
}

// The search gives way before the tabs do.
void TablesPanel::resizeEvent(QResizeEvent* event) {
    constexpr int least = 110, most = 210, margin = 30;
    m_search->setFixedWidth(std::clamp(event->size().width() - tabBar()->sizeHint().width() - margin, least, most));
    QTabWidget::resizeEvent(event);
}

void TablesPanel::refreshTitles() {
    setTabText(0, tr("Devices %1").arg(QString::fromStdString(formatCount(m_devices->rowCount()))));
    setTabText(1, tr("Links %1").arg(QString::fromStdString(formatCount(m_links->rowCount()))));
    setTabText(2, tr("Bill %1").arg(m_bill->rowCount()));
}

void TablesPanel::showSelection(const std::vector<std::string>& paths) {
    if (m_following) return;
    m_following = true;
    m_deviceView->clearSelection();
    m_linkView->clearSelection();
    const int cable = paths.size() == 1 ? m_links->rowOf(paths.front()) : -1,
              device = paths.size() == 1 ? m_devices->rowOf(paths.front()) : -1;
    const auto show = [](QTableView& view, const QModelIndex& index) {
        if (!index.isValid()) return;
        view.selectRow(index.row());
        view.scrollTo(index);
    };
    if (cable >= 0)
        show(*m_linkView, m_linkFilter->mapFromSource(m_links->index(cable, 0)));
    else if (device >= 0)
        show(*m_deviceView, m_filter->mapFromSource(m_devices->index(device, 0)));
    m_following = false;
}

} // namespace railyard
