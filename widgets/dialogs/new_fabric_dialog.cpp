#include "widgets/dialogs/new_fabric_dialog.h"

#include "core/analysis/metrics/metrics.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "widgets/dialogs/gallery.h"
#include "widgets/document/document.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace railyard {
namespace {

const QStringList& candidates() {
    static const QStringList names{QStringLiteral("rail-optimized"), QStringLiteral("rail-only"), QStringLiteral("fat-tree")};
    return names;
}

template <class Detail>
QComboBox* partChoice(const Catalog& catalog, const char* usual) {
    auto* choice = new QComboBox;
    for (const auto& [id, part] : catalog.parts())
        if (part.template as<Detail>()) choice->addItem(QString::fromStdString(part.name), QString::fromStdString(id));
    choice->setCurrentIndex(choice->findData(QLatin1String(usual)));
    return choice;
}

constexpr QSize thumbnail{132, 84};
enum Basis { Gpus, Megawatts, Millions };

} // namespace

NewFabricDialog::NewFabricDialog(CatalogPointer catalog, const Tokens& tokens, QWidget* parent)
    : QDialog(parent),
      m_catalog(std::move(catalog)),
      m_tokens(tokens),
      m_answers([this] { return work(); }, [this](Candidates candidates) { take(std::move(candidates)); }) {
    setWindowTitle(tr("New fabric"));
    setMinimumWidth(1020);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    auto* title = plainLabel(tr("Size and parts of the fabric"));
    title->setFont(fontFor(TextRole::ChartTitle));
    layout->addWidget(title);
    layout->addLayout(makeForm());
    makeTable();
    layout->addWidget(m_candidates);
    m_problem = plainLabel();
    m_problem->setProperty("danger", true);
    m_problem->setWordWrap(true);
    layout->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox;
    m_create = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
    m_create->setProperty("primary", true);
    buttons->addButton(QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    followFields();
    m_candidates->selectRow(0);
    connect(m_candidates, &QTableWidget::itemSelectionChanged, this, [this] { choose(); });
    refresh();
}

QFormLayout* NewFabricDialog::makeForm() {
    auto* form = new QFormLayout;
    form->setSpacing(8);
    m_name = new QLineEdit(tr("New fabric"));
    m_gpus = new QLineEdit(QStringLiteral("1024"));
    m_gpus->setObjectName(QStringLiteral("new-gpus"));
    m_server = partChoice<ServerPart>(*m_catalog, "srv-dgx-h100");
    m_switch = partChoice<SwitchPart>(*m_catalog, "sw-qm9700");
    m_oversubscription = new QLineEdit(QStringLiteral("1:1"));
    m_domain = new QLineEdit;
    m_domain->setPlaceholderText(tr("one server"));
    form->addRow(tr("&Name"), m_name);
    m_basis = new QComboBox;
    m_basis->setObjectName(QStringLiteral("new-basis"));
    m_basis->setAccessibleName(tr("Unit of the size"));
    m_basis->addItems({tr("GPUs"), tr("MW facility power"), tr("million USD network cost")});
    auto* size = new QHBoxLayout;
    size->addWidget(m_gpus, 1);
    size->addWidget(m_basis);
    auto* sizeLabel = plainLabel(tr("&Size"));
    sizeLabel->setBuddy(m_gpus);
    form->addRow(sizeLabel, size);
    form->addRow(tr("&Server"), m_server);
    form->addRow(tr("S&witch"), m_switch);
    form->addRow(tr("Leaf &oversubscription"), m_oversubscription);
    form->addRow(tr("GPUs per &HB domain"), m_domain);
    auto* also = new QHBoxLayout;
    for (const auto& [text, key, value] :
         {std::tuple(tr("Fabric &managers"), "manager_ports", "2"), std::tuple(tr("&Racks and cable lengths"), "racks", "auto"),
          std::tuple(tr("S&torage network"), "storage", "on"), std::tuple(tr("&In-band network"), "in_band", "on"),
          std::tuple(tr("O&ut-of-band network"), "out_of_band", "on")}) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QString::fromLatin1(key));
        also->addWidget(box);
        m_extras.push_back({box, key, value});
        connect(box, &QCheckBox::toggled, this, [this] { refresh(); });
    }
    also->addStretch();
    form->addRow(tr("Options"), also);
    return form;
}

void NewFabricDialog::makeTable() {
    m_candidates = new QTableWidget(3, 7);
    m_candidates->setObjectName(QStringLiteral("candidates"));
    m_candidates->setHorizontalHeaderLabels(
        {tr("Layout"), tr("GPUs"), tr("Tiers"), tr("Switches"), tr("Links"), tr("Network cost"), tr("Network power")});
    m_candidates->verticalHeader()->hide();
    m_candidates->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_candidates->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_candidates->setSelectionMode(QAbstractItemView::SingleSelection);
    m_candidates->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_candidates->setAccessibleName(tr("Candidate fabrics"));
    m_candidates->setIconSize(thumbnail);
    m_candidates->verticalHeader()->setDefaultSectionSize(thumbnail.height() + 8);
    m_candidates->setFixedHeight(3 * (thumbnail.height() + 8) + 34);
    m_candidates->setColumnWidth(0, thumbnail.width() + 120);
    m_candidates->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
}

void NewFabricDialog::followFields() {
    const auto typed = [this] { refresh(); };
    for (QLineEdit* field : {m_gpus, m_oversubscription, m_domain}) connect(field, &QLineEdit::textChanged, this, typed);
    connect(m_basis, &QComboBox::currentIndexChanged, this, [this](int basis) {
        const QString usual[] = {QStringLiteral("1024"), QStringLiteral("4"), QStringLiteral("10")};
        const QSignalBlocker quiet(m_gpus);
        m_gpus->setText(usual[basis]);
        refresh();
    });
    for (QComboBox* field : {m_server, m_switch}) connect(field, &QComboBox::currentIndexChanged, this, typed);
}

Result<NewFabricDialog::Wish> NewFabricDialog::wishFor(const QString& recipe) const {
    Wish wish{{recipe.toStdString(), {}}, {}, 0};
    const auto put = [&](const char* key, const QString& value) {
        if (!value.trimmed().isEmpty()) wish.call.parameters[key] = value.trimmed().toStdString();
    };
    const QString size = QString(m_gpus->text()).remove(QLatin1Char(','));
    if (m_basis->currentIndex() == Gpus) put("gpus", size);
    put("server", m_server->currentData().toString());
    put("switch", m_switch->currentData().toString());
    put("oversubscription", m_oversubscription->text());
    put("hb_domain_gpus", m_domain->text());
    for (const Extra& extra : m_extras)
        if (extra.box->isChecked()) wish.call.parameters[extra.key] = extra.value;
    if (m_basis->currentIndex() == Gpus) return wish;
    bool isNumber = false;
    wish.most = size.toDouble(&isNumber) * 1e6;
    if (!isNumber || !(wish.most > 0)) return Error::usage("Enter a size above 0, such as 4 or 12.5.");
    wish.limit = m_basis->currentIndex() == Megawatts ? SizeLimit::FacilityPower : SizeLimit::NetworkCost;
    return wish;
}

// The number of servers follows from the recipe's own settings; the best settings for that number may leave some of the budget.
NewFabricDialog::Candidate NewFabricDialog::candidateOf(const Wish& wish, const CatalogPointer& catalog, const Tokens& tokens) {
    constexpr int mostGpus = 70'000;
    Candidate candidate;
    RecipeCall call = wish.call;
    if (wish.limit) {
        const auto servers = largestWithin(call, catalog, *wish.limit, wish.most);
        if (!servers) return candidate.problem = wordsOf(servers.error()).toStdString(), candidate;
        call.parameters["servers"] = std::to_string(*servers);
    }
    auto best = cheapestFabric(call, *catalog);
    if (!best) return candidate.problem = wordsOf(best.error()).toStdString(), candidate;
    candidate.best = std::move(*best);
    auto design = build(candidate.best->call, "candidate", catalog);
    if (!design) return candidate.best.reset(), candidate.problem = wordsOf(design.error()).toStdString(), candidate;
    if (candidate.best->settings.gpus() > mostGpus) return candidate;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
    candidate.bill = instantMetrics(*fabric).bill;
    candidate.picture = thumbnailOf(*fabric, tokens, thumbnail);
    return candidate;
}

std::function<NewFabricDialog::Candidates()> NewFabricDialog::work() const {
    std::vector<Result<Wish>> wishes;
    for (const QString& recipe : candidates()) wishes.push_back(wishFor(recipe));
    return [wishes, catalog = m_catalog, tokens = m_tokens] {
        Candidates all;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (wishes[i])
                all[i] = candidateOf(*wishes[i], catalog, tokens);
            else
                all[i].problem = wishes[i].error().text;
        }
        return all;
    };
}

RecipeCall NewFabricDialog::call() const {
    const Candidate& chosen = m_rows[static_cast<std::size_t>(chosenRow())];
    return chosen.best ? chosen.best->call : RecipeCall();
}

QString NewFabricDialog::name() const {
    return m_name->text().trimmed().isEmpty() ? tr("New fabric") : typedText(m_name->text().trimmed());
}

int NewFabricDialog::chosenRow() const {
    const auto selected = m_candidates->selectionModel()->selectedRows();
    return selected.isEmpty() ? 0 : selected.first().row();
}

void NewFabricDialog::refresh() {
    m_isCurrent = false;
    choose();
    m_answers.ask();
}

void NewFabricDialog::take(Candidates rows) {
    m_rows = std::move(rows);
    m_isCurrent = true;
    for (int row = 0; row < candidates().size(); ++row) fillRow(row);
    choose();
}

void NewFabricDialog::choose() {
    const Candidate& chosen = m_rows[static_cast<std::size_t>(chosenRow())];
    m_create->setEnabled(m_isCurrent && chosen.best);
    m_problem->setText(m_isCurrent ? QString::fromStdString(chosen.problem) : QString());
}

// Shows picture, settings and figures of a candidate. Cost and power need the elaborated fabric.
void NewFabricDialog::fillRow(int row) {
    const Candidate& candidate = m_rows[static_cast<std::size_t>(row)];
    QStringList cells{candidates()[row], {}, {}, {}, {}, {}, {}};
    if (candidate.best) {
        const ClosPlan& plan = candidate.best->plan;
        const auto counted = [](std::int64_t count) { return QString::fromStdString(formatCount(count)); };
        cells = {candidates()[row] + QLatin1Char('\n') +
                     QString::fromStdString(candidate.best->words).replace(QStringLiteral(", "), QStringLiteral(",\n")),
                 counted(candidate.best->settings.gpus()),
                 QString::number(plan.tiers),
                 counted(plan.switches()),
                 counted(plan.links()),
                 QStringLiteral("–"),
                 QStringLiteral("–")};
    }
    if (candidate.bill) {
        const Bill& bill = *candidate.bill;
        cells[5] =
            (isLowerBound(bill, &Bill::network) ? QStringLiteral("≥ ") : QString()) + QString::fromStdString(formatMoney(bill.network));
        cells[6] = bill.networkPower ? QString::fromStdString(formatWatts(*bill.networkPower)) : QStringLiteral("–");
    }
    for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setTextAlignment(column == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
        if (column == 0 && !candidate.picture.isNull()) item->setIcon(QIcon(QPixmap::fromImage(candidate.picture)));
        m_candidates->setItem(row, column, item);
    }
}

} // namespace railyard
