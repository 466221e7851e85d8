#include "widgets/dialogs/new_fabric_dialog.h"

#include "core/base/unit_text.h"
#include "core/design/edits/edit_tiers.h"
#include "widgets/dialogs/gallery.h"
#include "widgets/document/document.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace railyard {
namespace {

struct FabricKind {
    QString recipe, name;
};
const std::vector<FabricKind>& fabricKinds() {
    static const std::vector<FabricKind> all{{QStringLiteral("rail-optimized"), NewFabricDialog::tr("Rail-optimized")},
                                             {QStringLiteral("rail-only"), NewFabricDialog::tr("Rail-only")},
                                             {QStringLiteral("fat-tree"), NewFabricDialog::tr("Fat tree")}};
    return all;
}

// "DGX H100 · 8 × 400 Gb/s"
QString serverText(const Part& part) {
    const ServerPart& details = *part.as<ServerPart>();
    const QString name = text(part.name);
    if (details.nics == 0) return name;
    return QStringLiteral("%1 · %2 × %3").arg(name, QString::number(details.nics), text(formatBandwidth(details.nicBandwidth)));
}

template <class Detail, class Text>
QComboBox* partChoice(const Catalog& catalog, const char* usual, Text words) {
    auto* choice = new QComboBox;
    for (const auto& [id, part] : catalog.parts())
        if (part.template as<Detail>()) choice->addItem(words(part), text(id));
    choice->setCurrentIndex(choice->findData(QLatin1String(usual)));
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // long names do not widen the dialog
    choice->setMinimumContentsLength(24);
    return choice;
}

enum Basis { Gpus, Megawatts, Millions };

} // namespace

NewFabricDialog::NewFabricDialog(CatalogPointer catalog, const Tokens& tokens, QWidget* parent)
    : QDialog(parent),
      m_catalog(std::move(catalog)),
      m_tokens(tokens),
      m_answers([this] { return work(); }, [this](Candidates candidates) { take(std::move(candidates)); }) {
    setWindowTitle(tr("New fabric"));
    setMinimumWidth(940);
    resize(1360, 640);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    m_title = plainLabel();
    m_title->setFont(fontFor(TextRole::ChartTitle));
    m_title->setObjectName(QStringLiteral("new-title"));
    layout->addWidget(m_title);
    layout->addLayout(makeForm());
    m_candidates = new CandidateTable(m_tokens);
    layout->addWidget(m_candidates);
    layout->addWidget(makeHint());
    m_problem = plainLabel();
    m_problem->setProperty("danger", true);
    m_problem->setWordWrap(true);
    layout->addWidget(m_problem);
    layout->addStretch();
    auto* foot = new QHBoxLayout;
    auto* basis =
        plainLabel(tr("Totals include the networks ticked and exclude parts without a price (≥). Times are estimates for all GPUs."));
    basis->setProperty("dim", true);
    foot->addWidget(basis, 1);
    auto* buttons = new QDialogButtonBox;
    m_create = buttons->addButton(tr("Create fabric"), QDialogButtonBox::AcceptRole);
    m_create->setProperty("primary", true);
    buttons->addButton(QDialogButtonBox::Cancel);
    foot->addWidget(buttons);
    layout->addLayout(foot);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    followFields();
    m_candidates->selectRow(0);
    connect(m_candidates, &QTableWidget::itemSelectionChanged, this, [this] { choose(); });
    m_gpus->setFocus();
    m_gpus->selectAll();
    refresh();
}

// Two rows: how large, of what; and below them the networks.
QGridLayout* NewFabricDialog::makeForm() {
    auto* form = new QGridLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    m_name = new QLineEdit(tr("New fabric"));
    m_gpus = new QLineEdit(QStringLiteral("1024"));
    m_gpus->setObjectName(QStringLiteral("new-gpus"));
    m_gpus->setAlignment(Qt::AlignRight);
    m_gpus->setFixedWidth(100);
    m_server = partChoice<ServerPart>(*m_catalog, "srv-dgx-h100", serverText);
    m_switch = partChoice<SwitchPart>(*m_catalog, "sw-qm9700", [](const Part& part) { return text(switchText(part)); });
    m_oversubscription = new QLineEdit(QStringLiteral("1:1"));
    m_oversubscription->setMaximumWidth(90);
    m_domain = new QLineEdit;
    m_domain->setPlaceholderText(tr("one server"));
    m_domain->setMaximumWidth(110);
    m_basis = new QButtonGroup(this);
    auto* size = new QHBoxLayout;
    size->setSpacing(0);
    size->addWidget(m_gpus);
    size->addSpacing(8);
    const QString units[] = {tr("GPUs"), tr("MW facility"), tr("M USD network")};
    for (int unit = Gpus; unit <= Millions; ++unit) {
        auto* button = new QToolButton;
        button->setText(units[unit]);
        button->setObjectName(QStringLiteral("new-basis-%1").arg(unit));
        button->setAccessibleName(tr("Size in %1").arg(units[unit]));
        button->setProperty("segment", true);
        button->setCheckable(true);
        button->setChecked(unit == Gpus);
        m_basis->addButton(button, unit);
        size->addWidget(button);
    }
    size->addStretch();
    const auto put = [&](int row, int column, const QString& words, QWidget* buddy, QLayout* field = nullptr, int span = 1) {
        auto* label = plainLabel(words);
        label->setBuddy(buddy);
        form->addWidget(label, row, column);
        field ? form->addLayout(field, row, column + 1, 1, span) : form->addWidget(buddy, row, column + 1, 1, span);
    };
    put(0, 0, tr("&Size"), m_gpus, size);
    put(0, 2, tr("&Name"), m_name, nullptr, 5);
    put(1, 0, tr("S&erver"), m_server);
    put(1, 2, tr("S&witch"), m_switch);
    put(1, 4, tr("&Oversubscription"), m_oversubscription);
    put(1, 6, tr("GPUs per &HB domain"), m_domain);
    auto* networks = plainLabel(tr("Networks"));
    form->addWidget(networks, 2, 0);
    form->addLayout(makeNetworks(), 2, 1, 1, 7);
    form->setColumnStretch(1, 3);
    form->setColumnStretch(3, 3);
    return form;
}

QHBoxLayout* NewFabricDialog::makeNetworks() {
    auto* also = new QHBoxLayout;
    auto* compute = new QCheckBox(tr("Compute"));
    compute->setChecked(true);
    compute->setEnabled(false); // always part of it
    also->addWidget(compute);
    for (const auto& [words, key, value] :
         {std::tuple(tr("Fabric &managers"), "manager_ports", "2"), std::tuple(tr("S&torage"), "storage", "on"),
          std::tuple(tr("&In-band"), "in_band", "on"), std::tuple(tr("O&ut-of-band"), "out_of_band", "on"),
          std::tuple(tr("&Racks and cable lengths"), "racks", "auto")}) {
        auto* box = new QCheckBox(words);
        box->setObjectName(QString::fromLatin1(key));
        also->addWidget(box);
        m_extras.push_back({box, key, value});
        connect(box, &QCheckBox::toggled, this, [this] { refresh(); });
    }
    also->addStretch();
    return also;
}

// "2,040 GPUs save a tier: −110 switches, −$5.5 M", with a button that takes them.
QFrame* NewFabricDialog::makeHint() {
    m_hintBar = new QFrame;
    m_hintBar->setProperty("bar", true);
    auto* row = new QHBoxLayout(m_hintBar);
    row->setContentsMargins(12, 6, 12, 6);
    m_hint = plainLabel();
    m_hint->setObjectName(QStringLiteral("new-hint"));
    row->addWidget(m_hint, 1);
    m_useSmaller = new QPushButton;
    m_useSmaller->setObjectName(QStringLiteral("new-use-smaller"));
    row->addWidget(m_useSmaller);
    connect(m_useSmaller, &QPushButton::clicked, this, [this] {
        const auto& chosen = m_rows[static_cast<std::size_t>(chosenRow())].found;
        if (!chosen.smaller) return;
        m_basis->button(Gpus)->setChecked(true);
        m_gpus->setText(QString::number(chosen.smaller->gpus));
    });
    m_hintBar->hide();
    return m_hintBar;
}

int NewFabricDialog::basis() const { return m_basis->checkedId(); }

void NewFabricDialog::followFields() {
    const auto typed = [this] { refresh(); };
    for (QLineEdit* field : {m_gpus, m_oversubscription, m_domain}) connect(field, &QLineEdit::textChanged, this, typed);
    connect(m_basis, &QButtonGroup::idToggled, this, [this](int basis, bool isOn) {
        if (!isOn) return;
        const QString usual[] = {QStringLiteral("1024"), QStringLiteral("4"), QStringLiteral("10")};
        if (!m_gpus->isModified()) { // what was typed is kept
            const QSignalBlocker quiet(m_gpus);
            m_gpus->setText(usual[basis]);
        }
        refresh();
    });
    for (QComboBox* field : {m_server, m_switch}) connect(field, &QComboBox::currentIndexChanged, this, typed);
}

Result<SizeWish> NewFabricDialog::wishFor(const QString& recipe) const {
    SizeWish wish{{recipe.toStdString(), {}}, {}, 0};
    const auto put = [&](const char* key, const QString& value) {
        if (!value.trimmed().isEmpty()) wish.call.parameters[key] = value.trimmed().toStdString();
    };
    const QString size = QString(m_gpus->text()).remove(QLatin1Char(',')).trimmed();
    if (size.isEmpty()) return Error::usage("Enter a size, such as 1024 GPUs.");
    if (basis() == Gpus) put("gpus", size);
    put("server", m_server->currentData().toString());
    put("switch", m_switch->currentData().toString());
    put("oversubscription", m_oversubscription->text());
    put("hb_domain_gpus", m_domain->text());
    for (const Extra& extra : m_extras)
        if (extra.box->isChecked()) wish.call.parameters[extra.key] = extra.value;
    if (basis() == Gpus) return wish;
    bool isNumber = false;
    wish.most = size.toDouble(&isNumber) * 1e6;
    if (!isNumber || !(wish.most > 0)) return Error::usage("Enter a size above 0, such as 4 or 12.5.");
    wish.limit = basis() == Megawatts ? SizeLimit::FacilityPower : SizeLimit::NetworkCost;
    return wish;
}

LatestTask<NewFabricDialog::Candidates>::Work NewFabricDialog::work() const {
    std::vector<Result<SizeWish>> wishes;
    for (const FabricKind& kind : fabricKinds()) wishes.push_back(wishFor(kind.recipe));
    return [wishes, catalog = m_catalog, tokens = m_tokens](const TaskContext& context) {
        Candidates all(wishes.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!wishes[i]) {
                all[i].found.problem = wishes[i].error();
                continue;
            }
            auto found = candidateFor(*wishes[i], catalog, context.stop);
            if (!found) break; // nobody waits for it
            all[i].found = std::move(*found);
            if (all[i].found.fabric) all[i].picture = thumbnailOf(*all[i].found.fabric, tokens, CandidateTable::thumbnail);
            all[i].found.fabric.reset(); // not needed any more
        }
        return all;
    };
}

RecipeCall NewFabricDialog::call() const {
    if (m_rows.empty()) return {};
    const SizeCandidate& chosen = m_rows[static_cast<std::size_t>(chosenRow())].found;
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
    QStringList names;
    for (const FabricKind& kind : fabricKinds()) names << kind.name;
    m_candidates->show(names, m_rows);
    choose();
}

void NewFabricDialog::choose() {
    const SizeCandidate* chosen = m_rows.empty() ? nullptr : &m_rows[static_cast<std::size_t>(chosenRow())].found;
    m_create->setEnabled(m_isCurrent && chosen && chosen->best);
    m_problem->setText(m_isCurrent && chosen && chosen->problem ? wordsOf(*chosen->problem) : QString());
    m_title->setText(m_isCurrent ? verdict() : tr("Computing the candidates…"));
    showHint();
}

// The cheapest against the first that can be built.
QString NewFabricDialog::verdict() const {
    int can = 0;
    bool isComparable = true; // the same size, and costs that leave out the same kinds of parts
    struct Priced {
        QString name;
        std::int64_t gpus;
        NetworksTotal total;
    };
    std::vector<Priced> priced;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const SizeCandidate& each = m_rows[i].found;
        if (!each.best) continue;
        ++can;
        isComparable = isComparable && each.instant;
        if (each.instant) priced.push_back({fabricKinds()[i].name.toLower(), each.best->settings.gpus(), networksTotal(*each.instant)});
    }
    if (can == 0) return tr("No fabric meets the requirement");
    const QString count = counted(can, tr("%1 fabric meets the requirement"), tr("%1 fabrics meet the requirement"));
    for (const Priced& each : priced)
        isComparable = isComparable && each.gpus == priced.front().gpus && each.total.leftOut == priced.front().total.leftOut;
    if (can < 2 || !isComparable) return count;
    const Priced& first = priced.front();
    const Priced& least =
        *std::min_element(priced.begin(), priced.end(), [](const Priced& a, const Priced& b) { return a.total.cost < b.total.cost; });
    if (least.total.cost == first.total.cost) return tr("%1; none costs less than %2").arg(count, first.name);
    return tr("%1; %2 costs %3 less than %4").arg(count, least.name, text(formatMoney(first.total.cost - least.total.cost)), first.name);
}

void NewFabricDialog::showHint() {
    const SizeCandidate* chosen = m_rows.empty() || !m_isCurrent ? nullptr : &m_rows[static_cast<std::size_t>(chosenRow())].found;
    m_hintBar->setVisible(chosen && chosen->smaller);
    if (!chosen || !chosen->smaller) return;
    const SmallerFabric& smaller = *chosen->smaller;
    const QString gpus = text(formatCount(smaller.gpus)), switches = text(formatCount(smaller.switches));
    m_hint->setText(smaller.networksCost
                        ? tr("%1 GPUs save a tier: −%2 switches, −%3.").arg(gpus, switches, text(formatMoney(*smaller.networksCost)))
                        : tr("%1 GPUs save a tier: −%2 switches.").arg(gpus, switches));
    m_useSmaller->setText(tr("Use %1 GPUs").arg(gpus));
}

} // namespace railyard
