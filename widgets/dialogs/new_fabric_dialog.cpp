#include "widgets/dialogs/new_fabric_dialog.h"

#include "core/base/unit_text.h"
#include "core/training/job_request.h"
#include "widgets/dialogs/gallery.h"
#include "widgets/dialogs/requirement_form.h"
#include "widgets/document/busy_line.h"
#include "widgets/document/document.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace railyard {
namespace {

// Without the colours of its rails, as what cannot be chosen is drawn.
QImage faded(const QImage& picture) { return picture.convertToFormat(QImage::Format_Grayscale8); }

} // namespace

NewFabricDialog::NewFabricDialog(CatalogPointer catalog, const Tokens& tokens, QWidget* parent)
    : QDialog(parent),
      m_catalog(std::move(catalog)),
      m_tokens(tokens),
      m_answers([this] { return work(); }, [this](Answer answer) { take(std::move(answer)); }) {
    setWindowTitle(tr("New fabric"));
    setMinimumWidth(940);
    constexpr QSize wanted(1400, 1000), frame(16, 48); // of a window with its title
    resize(screen() ? wanted.boundedTo(screen()->availableGeometry().size() - frame) : wanted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    m_title = plainLabel();
    m_title->setFont(fontFor(TextRole::ChartTitle));
    m_title->setObjectName(QStringLiteral("new-title"));
    m_title->setWordWrap(true);
    layout->addWidget(m_title);
    m_form = new RequirementForm(*m_catalog);
    layout->addWidget(m_form);
    layout->addLayout(makeOrder());
    m_candidates = new CandidateTable(m_tokens);
    layout->addWidget(m_candidates, 1);
    layout->addWidget(makeHint());
    m_problem = plainLabel();
    m_problem->setProperty("danger", true);
    m_problem->setWordWrap(true);
    layout->addWidget(m_problem);
    layout->addWidget(new BusyLine(m_answers, tr("Computing the candidates…"), [this] { refresh(); }));
    layout->addLayout(makeFoot());
    connect(m_form, &RequirementForm::changed, this, [this] { refresh(); });
    connect(m_candidates, &QTableWidget::itemSelectionChanged, this, [this] { choose(); });
    refresh();
}

// Of the table: as ranked, or by one of its figures.
QLayout* NewFabricDialog::makeOrder() {
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    auto* label = plainLabel(tr("Sort by"));
    row->addWidget(label);
    m_order = new QComboBox;
    m_order->setObjectName(QStringLiteral("new-order"));
    m_order->setAccessibleName(label->text());
    m_order->addItem(tr("Recommendation"), QString());
    for (const ShownFigure& figure : shownFigures(FigureDisplay::Candidate, {InstantMetrics(), nullptr})) {
        const QString heading = text(std::string(figure.row->display.heading)).replace(QLatin1Char('\n'), QStringLiteral(", "));
        m_order->addItem(figure.row->display.lessIsBetter ? tr("%1, least first").arg(heading) : tr("%1, most first").arg(heading),
                         text(figure.key));
    }
    row->addWidget(m_order);
    connect(m_order, &QComboBox::currentIndexChanged, this, [this] { showRows(chosenName()); });
    return row;
}

QLayout* NewFabricDialog::makeFoot() {
    auto* foot = new QHBoxLayout;
    auto* basis =
        plainLabel(tr("Totals include the networks ticked and exclude parts without a price (≥). Times are estimates for all GPUs."));
    basis->setProperty("dim", true);
    basis->setWordWrap(true);
    foot->addWidget(basis, 1);
    auto* buttons = new QDialogButtonBox;
    m_create = buttons->addButton(tr("Create fabric"), QDialogButtonBox::AcceptRole);
    m_create->setProperty("primary", true);
    buttons->addButton(QDialogButtonBox::Cancel);
    foot->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return foot;
}

// "Rail-optimized: 2,048 GPUs save a tier: 110 switches and $5.54 M less.", with a button that takes them.
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
        if (m_answer.smallerGpus) m_form->setGpus(*m_answer.smallerGpus);
    });
    m_hintBar->hide();
    return m_hintBar;
}

LatestTask<NewFabricDialog::Answer>::Work NewFabricDialog::work() const {
    return
        [asked = m_form->requirements(), model = m_form->modelName(), catalog = m_catalog, tokens = m_tokens](const TaskContext& context) {
            Answer answer;
            answer.model = model;
            const auto ranking = asked ? candidatesFor(*asked, catalog, context) : Result<Ranking>(asked.errors());
            if (!ranking) {
                answer.problem = ranking.error();
                return answer;
            }
            answer.title = text(ranking->title);
            answer.hint = text(ranking->hint);
            answer.smallerGpus = ranking->smallerGpus;
            for (const RankedCandidate& each : ranking->candidates) answer.rows.push_back({each, {}, {}});
            if (ranking->nearestMiss) answer.rows.push_back({*ranking->nearestMiss, {}, {}});
            for (DrawnCandidate& each : answer.rows) {
                FabricPointer& fabric = each.ranked.found.fabric;
                if (!fabric) continue;
                each.picture = thumbnailOf(*fabric, tokens, CandidateTable::thumbnail);
                if (each.isMiss()) each.picture = faded(each.picture);
                if (fabric->design->training) each.training = fabric->design->training->options;
                fabric.reset(); // not needed any more
            }
            return answer;
        };
}

const DrawnCandidate* NewFabricDialog::chosenRow() const {
    const auto selected = m_candidates->selectionModel()->selectedRows();
    const std::size_t row = selected.isEmpty() ? 0 : static_cast<std::size_t>(selected.first().row());
    return row >= m_answer.rows.size() || m_answer.rows[row].isMiss() ? nullptr : &m_answer.rows[row];
}

const SizeCandidate* NewFabricDialog::chosen() const {
    const DrawnCandidate* row = chosenRow();
    return row ? &row->ranked.found : nullptr;
}

RecipeCall NewFabricDialog::call() const { return chosen() ? chosen()->best->call : RecipeCall(); }

std::optional<NamedOptions> NewFabricDialog::training() const {
    const DrawnCandidate* row = chosenRow();
    const auto job = readJob(row ? row->training : ParameterTexts());
    const NamedOptions options = job ? toCall(*job) : NamedOptions();
    return options.options.empty() ? std::nullopt : std::optional(options);
}

QString NewFabricDialog::name() const { return m_form->name(); }

Result<Design> NewFabricDialog::design() const {
    auto design = build(call(), name().toStdString(), m_catalog);
    if (design) design->training = training();
    return design;
}

void NewFabricDialog::refresh() {
    m_isCurrent = false;
    choose();
    m_answers.ask();
}

std::string NewFabricDialog::chosenName() const {
    const auto selected = m_candidates->selectionModel()->selectedRows();
    if (selected.isEmpty() || m_answer.rows.empty()) return {};
    return m_answer.rows[static_cast<std::size_t>(selected.first().row())].ranked.name;
}

void NewFabricDialog::take(Answer answer) {
    // Whoever has left the first one chosen takes the first one of the new candidates too.
    const bool isFirst = m_candidates->currentRow() <= 0;
    const std::string before = isFirst ? std::string() : chosenName();
    m_answer = std::move(answer);
    m_ranked = m_answer.rows;
    m_isCurrent = true;
    showRows(before);
}

// A layout that was chosen stays chosen while it is among the candidates.
void NewFabricDialog::showRows(const std::string& chosen) {
    m_answer.rows = sortedCandidates(m_ranked, m_order->currentData().toString().toStdString());
    m_candidates->show(m_answer.rows, m_answer.model);
    const auto same = std::find_if(m_answer.rows.begin(), m_answer.rows.end(),
                                   [&](const DrawnCandidate& row) { return row.ranked.name == chosen && !row.isMiss(); });
    m_candidates->selectRow(same == m_answer.rows.end() ? 0 : static_cast<int>(same - m_answer.rows.begin()));
    choose();
}

void NewFabricDialog::choose() {
    const SizeCandidate* candidate = m_isCurrent ? chosen() : nullptr;
    m_create->setEnabled(candidate != nullptr);
    m_candidates->setEnabled(m_isCurrent); // figures of other fields are dim
    m_problem->setText(m_isCurrent && m_answer.problem ? wordsOf(*m_answer.problem) : QString());
    m_title->setText(!m_isCurrent               ? tr("Computing the candidates…")
                     : m_answer.problem         ? tr("The requirements are incomplete")
                     : m_answer.title.isEmpty() ? tr("Stopped before any candidate was found")
                                                : m_answer.title);
    m_hintBar->setVisible(m_isCurrent && m_answer.smallerGpus);
    m_hint->setText(m_answer.hint);
    if (m_answer.smallerGpus) m_useSmaller->setText(tr("Use %1 GPUs").arg(text(formatCount(*m_answer.smallerGpus))));
    const auto power = candidate && candidate->instant ? candidate->instant->bill.facilityPower() : std::nullopt;
    QString note;
    if (candidate && candidate->best) {
        const RecipeSettings& settings = candidate->best->settings;
        note = counted(settings.servers, tr("%1 server"), tr("%1 servers"));
        if (power) note += tr(", facility %1").arg(text(formatWatts(*power)));
    }
    m_form->setSizeNote(note);
}

} // namespace railyard
