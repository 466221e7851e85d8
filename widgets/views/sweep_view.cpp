#include "widgets/views/sweep_view.h"

#include "core/design/recipes/recipe_table.h"
#include "core/sweep/compute.h"
#include "widgets/document/busy_line.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/views/sweep_charts.h"
#include "widgets/views/sweep_form.h"
#include "widgets/views/sweep_model.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

namespace railyard {
namespace {

constexpr std::int64_t mostHere = 100'000; // points; more are for other machines

QComboBox* chartChoice(const char* name) {
    auto* choice = new QComboBox;
    choice->setObjectName(QLatin1String(name));
    choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return choice;
}

} // namespace

SweepView::SweepView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_specs(
          [this] {
              return [design = m_document.now().design, axes = m_form->axes(), evaluations = m_form->evaluations()] {
                  return sweepOf(design, axes, evaluations);
              };
          },
          [this](Result<SweepSpec> spec) { takeSpec(std::move(spec)); }),
      m_runs(
          [this] {
              return [spec = m_running](const TaskContext& context) {
                  const SweepPlan plan = planOf(spec);
                  std::vector<std::int64_t> points(plan.ids.size());
                  std::iota(points.begin(), points.end(), 0);
                  std::vector<std::optional<SweepAnswer>> answers(points.size());
                  computePoints(plan.spec, points, context, [&](std::size_t point, SweepAnswer answer) {
                      answers[point] = std::move(answer);
                      return true;
                  });
                  return tableOf(plan, answers);
              };
          },
          [this](SweepTable table) {
              m_file.clear();
              showTable(std::move(table));
          }) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 14, 14, 10);
    layout->setSpacing(14);
    m_form = new SweepForm;
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    constexpr int formWidth = 372;
    scroll->setFixedWidth(formWidth);
    layout->addWidget(scroll);
    auto* column = new QVBoxLayout;
    m_title = plainLabel();
    m_title->setFont(fontFor(TextRole::ChartTitle));
    m_title->setObjectName(QStringLiteral("sweep-title"));
    m_title->setWordWrap(true);
    column->addWidget(m_title);
    column->addLayout(chartBar());
    auto* fixed = new QHBoxLayout;
    fixed->setAlignment(Qt::AlignLeft);
    m_fixedBar = fixed;
    column->addLayout(fixed);
    column->addWidget(pages(), 1);
    column->addWidget(new BusyLine(m_runs, tr("Computing the designs…"), [this] { computeAgain(); }));
    layout->addLayout(column, 1);
    connect(m_form, &SweepForm::changed, this, &SweepView::refresh);
    connect(m_form, &SweepForm::runAsked, this, &SweepView::run);
    connect(m_form, &SweepForm::jobFilesAsked, this, &SweepView::jobFilesAsked);
    connect(m_form, &SweepForm::openAsked, this, &SweepView::openTableAsked);
    connect(&document, &Document::changed, this, [this] {
        m_spec.reset();
        if (isVisible()) refresh();
    });
    showTable(SweepTable());
}

QLayout* SweepView::chartBar() {
    auto* bar = new QHBoxLayout;
    bar->setSpacing(0);
    m_kinds = new QButtonGroup(this);
    const QString names[] = {tr("Table"), tr("Heat map"), tr("Pareto front"), tr("Parallel coordinates")};
    for (int page = Table; page <= Lines; ++page) {
        auto* button = new QToolButton;
        button->setText(names[page]);
        button->setObjectName(QStringLiteral("sweep-page-%1").arg(page));
        button->setProperty("segment", true);
        button->setCheckable(true);
        button->setChecked(page == Table);
        m_kinds->addButton(button, page);
        bar->addWidget(button);
    }
    bar->addSpacing(14);
    m_x = chartChoice("sweep-x");
    m_y = chartChoice("sweep-y");
    m_result = chartChoice("sweep-result");
    m_other = chartChoice("sweep-other");
    for (QComboBox* choice : {m_result, m_other, m_x, m_y}) {
        bar->addWidget(choice);
        bar->addSpacing(6);
        connect(choice, &QComboBox::currentIndexChanged, this, &SweepView::showChart);
    }
    bar->addStretch();
    m_picture = new QPushButton(tr("Save picture…"));
    m_picture->setObjectName(QStringLiteral("sweep-picture"));
    connect(m_picture, &QPushButton::clicked, this, &SweepView::pictureAsked);
    bar->addWidget(m_picture);
    bar->addSpacing(6);
    m_save = new QPushButton(tr("Save the table…"));
    m_save->setObjectName(QStringLiteral("sweep-save"));
    connect(m_save, &QPushButton::clicked, this, &SweepView::saveTableAsked);
    bar->addWidget(m_save);
    connect(m_kinds, &QButtonGroup::idToggled, this, [this](int, bool isOn) {
        if (isOn) showChart();
    });
    return bar;
}

QWidget* SweepView::pages() {
    m_model = new SweepModel(this);
    m_sorted = new QSortFilterProxyModel(this);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(Qt::UserRole);
    m_rows = new QTableView;
    m_rows->setObjectName(QStringLiteral("sweep-rows"));
    m_rows->setAccessibleName(tr("Designs of the sweep"));
    m_rows->setModel(m_sorted);
    m_rows->setSortingEnabled(true);
    m_rows->sortByColumn(-1, Qt::AscendingOrder);
    m_rows->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_rows->verticalHeader()->hide();
    m_rows->horizontalHeader()->setStretchLastSection(true);
    m_rows->setTabKeyNavigation(false); // Tab leaves the table; arrows move in it
    connect(m_rows, &QTableView::doubleClicked, this, &SweepView::openIndex);
    m_rows->installEventFilter(this);
    m_map = new CellMap;
    connect(m_map, &CellMap::chosen, this, [this](int x, int y) {
        const auto cell = static_cast<std::size_t>(y * m_mapColumns + x);
        if (cell < m_cellRows.size() && m_cellRows[cell]) openRow(static_cast<int>(*m_cellRows[cell]));
    });
    m_front = new ScatterPlot;
    connect(m_front, &ScatterPlot::chosen, this, &SweepView::openRow);
    m_lines = new ParallelPlot;
    connect(m_lines, &ParallelPlot::chosen, this, &SweepView::openRow);
    m_pages = new QStackedWidget;
    QLabel* nothing = plainLabel(tr("There are no results to draw."));
    nothing->setProperty("dim", true);
    nothing->setAlignment(Qt::AlignCenter);
    for (QWidget* page : std::initializer_list<QWidget*>{m_rows, m_map, m_front, m_lines, nothing}) m_pages->addWidget(page);
    return m_pages;
}

void SweepView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    showChart();
}

void SweepView::showEvent(QShowEvent*) {
    if (!m_spec) refresh();
}

Result<SweepSpec> SweepView::spec() const {
    return m_spec ? *m_spec : sweepOf(m_document.now().design, m_form->axes(), m_form->evaluations());
}

void SweepView::refresh() {
    m_spec.reset();
    m_specs.ask();
}

// Says how many designs the form asks for, or what is wrong with it.
void SweepView::takeSpec(Result<SweepSpec> spec) {
    m_spec = std::move(spec);
    const bool isRunWanted = std::exchange(m_isRunWanted, false);
    if (!*m_spec) return m_form->say(wordsOf(m_spec->error()), true);
    const std::int64_t points = (*m_spec)->points();
    QString words = counted(points, tr("%1 design."), tr("%1 designs."));
    if (points > mostHere) words += tr(" The maximum here is %1; use job files for more.").arg(text(formatCount(mostHere)));
    for (const SweepAxis& axis : (*m_spec)->axes) {
        const ParameterInfo* row = recipeParameter(axis.key);
        const auto wrong = [&](const std::string& value) { return row && !row->problemOf(value).empty(); };
        if (const auto value = std::find_if(axis.values.begin(), axis.values.end(), wrong); value != axis.values.end())
            words += tr(" %1 = %2: %3.").arg(text(row->label), text(*value), text(row->problemOf(*value)));
    }
    m_form->say(words, false);
    if (!isRunWanted || points > mostHere) return;
    m_running = **m_spec;
    m_runs.ask();
}

void SweepView::run() {
    m_isRunWanted = true;
    refresh();
}

void SweepView::openTable(SweepTable table, const QString& file) {
    m_runs.drop(); // what was asked for here is no longer
    m_file = file;
    showTable(std::move(table));
}

void SweepView::showTable(SweepTable table) {
    m_table = std::make_shared<const SweepTable>(std::move(table));
    const auto count = static_cast<std::int64_t>(m_table->rows.size());
    const auto failed =
        std::count_if(m_table->rows.begin(), m_table->rows.end(), [](const SweepTable::Row& row) { return !row.error.empty(); });
    QString title = counted(count, tr("%1 design"), tr("%1 designs"));
    if (!m_file.isEmpty()) title += tr(" in %1").arg(m_file);
    if (failed > 0) title += tr(", %1 of them cannot be built or computed").arg(text(formatCount(failed)));
    if (!m_table->isComplete()) {
        const QString all = text(formatCount(m_table->spec->points()));
        title +=
            m_file.isEmpty() ? tr("; stopped after %1 of %2").arg(text(formatCount(count)), all) : tr("; the whole sweep has %1").arg(all);
    }
    if (count == 0 && m_file.isEmpty()) title = tr("No designs yet: choose parameters and run the sweep, or open a finished one");
    m_title->setText(title);
    m_rows->horizontalHeader()->setVisible(count > 0);
    m_save->setEnabled(count > 0);
    m_model->show(m_table);
    const bool hasNotes = std::any_of(m_table->rows.begin(), m_table->rows.end(),
                                      [](const SweepTable::Row& row) { return !row.note.empty() || !row.error.empty(); });
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_rows->setColumnHidden(column, !hasNotes && column == m_model->columnCount() - 1);
    m_rows->horizontalHeader()->setStretchLastSection(hasNotes);
    m_rows->resizeColumnsToContents();
    fillChoices();
    showChart();
}

void SweepView::fillChoices() {
    const QSignalBlocker quiet[] = {QSignalBlocker(m_x), QSignalBlocker(m_y), QSignalBlocker(m_result), QSignalBlocker(m_other)};
    const auto fill = [](QComboBox& choice, const std::vector<std::string>& keys, const std::vector<QString>& titles, int usual) {
        const QString before = choice.currentData().toString();
        choice.clear();
        for (std::size_t k = 0; k < keys.size(); ++k) choice.addItem(titles[k], text(keys[k]));
        const int same = choice.findData(before);
        choice.setCurrentIndex(same >= 0 ? same : std::min(usual, choice.count() - 1));
    };
    const SweepTitles titles = sweepTitles(*m_table);
    fill(*m_x, m_table->axes, titles.axes, 0);
    fill(*m_y, m_table->axes, titles.axes, 1);
    const std::vector<std::size_t> differing = resultsThatDiffer(*m_table);
    const auto usual = [&](std::size_t place) { return place < differing.size() ? static_cast<int>(differing[place]) : 0; };
    fill(*m_result, m_table->results, titles.results, usual(0));
    fill(*m_other, m_table->results, titles.results, usual(1));
    for (QComboBox* choice : m_fixed) choice->deleteLater();
    m_fixed.clear();
    for (std::size_t a = 0; a < m_table->axes.size(); ++a) {
        const std::string& axis = m_table->axes[a];
        QComboBox* choice = chartChoice("sweep-fixed");
        const QString title = sweepAxisTitle(axis);
        choice->addItem(tr("%1: any").arg(title), QString());
        for (const std::string& value : valuesOfAxis(*m_table, a))
            choice->addItem(tr("%1 = %2").arg(title, sweepAxisText(value)), text(value));
        if (axis == "gpus" || axis == "servers") choice->setCurrentIndex(choice->count() - 1); // sizes do not compete
        connect(choice, &QComboBox::currentIndexChanged, this, &SweepView::showChart);
        m_fixedBar->addWidget(choice);
        m_fixed.push_back(choice);
    }
}

void SweepView::showChart() {
    const int page = m_kinds->checkedId();
    const bool has = !m_table->rows.empty() && !m_table->results.empty() && !m_table->axes.empty();
    m_pages->setCurrentIndex(page == Table || has ? page : Nothing);
    m_result->setVisible(has && (page == Map || page == Front));
    m_other->setVisible(has && page == Front);
    m_x->setVisible(has && page == Map);
    m_y->setVisible(has && page == Map && m_table->axes.size() > 1);
    for (std::size_t a = 0; a < m_fixed.size(); ++a)
        m_fixed[a]->setVisible(has && page != Table &&
                               (page != Map || (static_cast<int>(a) != m_x->currentIndex() && static_cast<int>(a) != m_y->currentIndex())));
    const SweepGoal first{static_cast<std::size_t>(std::max(0, m_result->currentIndex())),
                          isLessBetter(m_result->currentData().toString().toStdString())},
        second{static_cast<std::size_t>(std::max(0, m_other->currentIndex())),
               isLessBetter(m_other->currentData().toString().toStdString())};
    const QString hint = tr("Double-click to open the design.");
    m_chart = {};
    m_picture->setVisible(has && page != Table);
    if (!has) return;
    std::vector<std::string> at;
    for (const QComboBox* choice : m_fixed) at.push_back(choice->currentData().toString().toStdString());
    if (page == Map) {
        showMap(at);
    } else if (page == Front) {
        ScatterData chart = sweepFront(m_table, at, first, second);
        chart.hint = hint;
        m_front->show(chart, m_tokens);
        m_chart = std::move(chart);
    } else if (page == Lines) {
        const QString goals = tr("%1 and %2").arg(m_result->currentText(), m_other->currentText());
        ParallelData chart = sweepLines(m_table, at, paretoFront(*m_table, rowsAt(*m_table, at), first, second), goals);
        chart.hint = hint;
        m_lines->show(chart, m_tokens);
        m_chart = std::move(chart);
    }
}

// Of the axes that the map does not show, one value each.
void SweepView::showMap(std::vector<std::string> at) {
    for (std::size_t a = 0; a < at.size(); ++a)
        if (at[a].empty()) at[a] = valuesOfAxis(*m_table, a).front();
    const auto x = static_cast<std::size_t>(std::max(0, m_x->currentIndex())),
               y = static_cast<std::size_t>(std::max(0, m_y->currentIndex()));
    SweepCells cells = sweepCells(*m_table, x, y, static_cast<std::size_t>(std::max(0, m_result->currentIndex())), at);
    cells.data.hint = tr("Double-click a cell to open its design.");
    m_mapColumns = static_cast<int>(cells.data.xLabels.size());
    m_cellRows = std::move(cells.rows);
    m_map->show(cells.data, m_tokens);
    m_chart = std::move(cells.data);
}

void SweepView::openIndex(const QModelIndex& index) {
    if (index.isValid()) openRow(m_sorted->mapToSource(index).row());
}

// Enter opens the design of a row, as a double-click does.
bool SweepView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_rows && event->type() == QEvent::KeyPress) {
        const int key = static_cast<const QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openIndex(m_rows->currentIndex());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void SweepView::openRow(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= m_table->rows.size()) return;
    if (!m_table->spec) {
        emit sweepAsked(row);
        return;
    }
    const std::int64_t point = m_table->rows[static_cast<std::size_t>(row)].point;
    if (point == SweepTable::noPoint) {
        emit refused(tr("The sweep has no design with the values of this row."));
        return;
    }
    const auto design = designAt(*m_table->spec, point);
    if (!design) {
        emit refused(wordsOf(design.error()));
        return;
    }
    emit openAsked(*design);
}

} // namespace railyard
