#include "widgets/views/sweep_form.h"

#include "core/analysis/figures/shown_figures.h"
#include "core/analysis/option_sections.h"
#include "core/design/recipes/recipe_table.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/views/sweep_charts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace railyard {
namespace {

constexpr std::size_t mostAxes = 6;

QComboBox* parameterChoice() {
    auto* choice = new QComboBox;
    choice->addItem(SweepForm::tr("Recipe"), QStringLiteral("recipe"));
    for (const ParameterInfo& row : recipeParameters()) choice->addItem(text(row.label), text(row.key));
    for (const OptionSection& section : optionSections())
        for (const ParameterInfo& row : section.rows())
            choice->addItem(SweepForm::tr("%1: %2").arg(text(section.noun), text(row.label)),
                            text(std::string(section.key) + "." + std::string(row.key)));
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(10);
    choice->setMaxVisibleItems(24);
    return choice;
}

QLabel* heading(const QString& words) {
    QLabel* label = plainLabel(words);
    label->setFont(fontFor(TextRole::ObjectName));
    return label;
}

} // namespace

SweepForm::SweepForm(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(8);
    column->addWidget(heading(tr("Parameters of this design")));
    column->addLayout(axisFields());
    column->addWidget(heading(tr("Results of each design")));
    column->addLayout(resultFields());
    m_words = plainLabel();
    m_words->setObjectName(QStringLiteral("sweep-words"));
    m_words->setWordWrap(true);
    column->addWidget(m_words);
    column->addLayout(buttons());
    column->addStretch();
    addAxis(QStringLiteral("gpus"), QStringLiteral("512..4096"));
    addAxis(QStringLiteral("recipe"), QStringLiteral("rail-optimized, rail-only"));
}

QLayout* SweepForm::axisFields() {
    auto* column = new QVBoxLayout;
    m_axes = new QVBoxLayout;
    m_axes->setSpacing(6);
    column->addLayout(m_axes);
    auto* note = plainLabel(tr("512, 1024 lists values, 512..4096 doubles, 8..72+8 adds."));
    note->setProperty("dim", true);
    note->setWordWrap(true);
    column->addWidget(note);
    m_add = new QPushButton(tr("Add a parameter"));
    m_add->setObjectName(QStringLiteral("sweep-add"));
    connect(m_add, &QPushButton::clicked, this, [this] {
        // One that people often ask for and that is not there yet.
        for (const char* key : {"gpus", "recipe", "hb_domain_gpus", "oversubscription", "planes", "server", "switch"}) {
            const QString wanted = QLatin1String(key);
            if (std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.key->currentData() == wanted; })) continue;
            addAxis(wanted, {});
            break;
        }
        emit changed();
    });
    column->addWidget(m_add, 0, Qt::AlignLeft);
    return column;
}

void SweepForm::addAxis(const QString& key, const QString& values) {
    if (m_rows.size() >= mostAxes) return;
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    QComboBox* choice = parameterChoice();
    choice->setCurrentIndex(choice->findData(key));
    choice->setAccessibleName(tr("Parameter"));
    auto* field = new QLineEdit(values);
    field->setPlaceholderText(tr("values"));
    field->setAccessibleName(tr("Values of the parameter"));
    field->setObjectName(QStringLiteral("sweep-values"));
    auto* remove = new QToolButton;
    remove->setText(QStringLiteral("✕"));
    remove->setFixedWidth(30);
    remove->setStyleSheet(QStringLiteral("padding: 4px 0;"));
    remove->setAccessibleName(tr("Remove the parameter"));
    line->addWidget(choice, 4);
    line->addWidget(field, 5);
    line->addWidget(remove);
    m_axes->addWidget(row);
    m_rows.push_back({row, choice, field});
    connect(choice, &QComboBox::currentIndexChanged, this, &SweepForm::changed);
    connect(field, &QLineEdit::textChanged, this, &SweepForm::changed);
    connect(remove, &QToolButton::clicked, this, [this, row] { removeAxis(row); });
    m_add->setEnabled(m_rows.size() < mostAxes);
}

void SweepForm::removeAxis(QWidget* row) {
    std::erase_if(m_rows, [row](const Row& each) { return each.widget == row; });
    row->deleteLater();
    m_add->setEnabled(true);
    emit changed();
}

QLayout* SweepForm::resultFields() {
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    for (const ShownFigure& figure : shownFigures(FigureDisplay::Candidate, {InstantMetrics(), nullptr})) {
        auto* box = new QCheckBox(sweepTitle(figure.key));
        box->setObjectName(text(figure.key));
        box->setChecked(figure.key.starts_with("counts.switches") || figure.key.starts_with("cost.") ||
                        figure.key.starts_with("bisection.gpu_with_hb"));
        setToolTipOf(*box, text(figure.key));
        connect(box, &QCheckBox::toggled, this, &SweepForm::changed);
        m_results.emplace_back(figure.key, box);
        column->addWidget(box);
    }
    m_more = new QLineEdit;
    m_more->setObjectName(QStringLiteral("sweep-more"));
    m_more->setPlaceholderText(tr("more, such as train --model llama3-8b"));
    setToolTipOf(*m_more, tr("Keys of metrics, or collective, train, search and reliability with the options of the command line; "
                             "separated by semicolons."));
    connect(m_more, &QLineEdit::textChanged, this, &SweepForm::changed);
    column->addWidget(m_more);
    return column;
}

QLayout* SweepForm::buttons() {
    auto* column = new QVBoxLayout;
    m_run = new QPushButton(tr("Run here"));
    m_run->setObjectName(QStringLiteral("sweep-run"));
    m_run->setProperty("primary", true);
    m_files = new QPushButton(tr("Write job files…"));
    m_files->setObjectName(QStringLiteral("sweep-files"));
    setToolTipOf(*m_files, tr("A folder with railyard.sbatch for Slurm and joblist for GNU parallel, to be run on other machines."));
    auto* open = new QPushButton(tr("Open a finished sweep…"));
    open->setObjectName(QStringLiteral("sweep-open"));
    for (QPushButton* button : {m_run, m_files, open}) column->addWidget(button);
    connect(m_run, &QPushButton::clicked, this, &SweepForm::runAsked);
    connect(m_files, &QPushButton::clicked, this, &SweepForm::jobFilesAsked);
    connect(open, &QPushButton::clicked, this, &SweepForm::openAsked);
    return column;
}

std::vector<AskedAxis> SweepForm::axes() const {
    std::vector<AskedAxis> axes;
    for (const Row& row : m_rows)
        if (!row.values->text().trimmed().isEmpty())
            axes.push_back({row.key->currentData().toString().toStdString(), row.values->text().toStdString()});
    return axes;
}

std::vector<std::string> SweepForm::evaluations() const {
    std::vector<std::string> all;
    for (const auto& [key, box] : m_results)
        if (box->isChecked()) all.push_back(key);
    for (const QString& each : m_more->text().split(QLatin1Char(';'), Qt::SkipEmptyParts))
        if (!each.trimmed().isEmpty()) all.push_back(each.trimmed().toStdString());
    return all;
}

void SweepForm::say(const QString& words, bool isProblem) {
    m_words->setText(words);
    m_words->setProperty("danger", isProblem);
    style()->unpolish(m_words); // takes the property
    style()->polish(m_words);
    m_run->setEnabled(!isProblem);
    m_files->setEnabled(!isProblem);
}

} // namespace railyard
