// The Sweep view: many designs around the open one, computed here or by other machines, as a table, a heat map, a Pareto front and
// parallel coordinates.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/sweep/table.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"
#include "widgets/views/sweep_charts.h"

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QLabel;
class QLayout;
class QModelIndex;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace railyard {

class SweepForm;
class SweepModel;

class SweepView : public QWidget {
    Q_OBJECT

public:
    explicit SweepView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    Result<SweepSpec> spec() const;                        // that the form asks for; computed here only where the answer has not come yet
    void openTable(SweepTable table, const QString& file); // of a finished sweep
    const SweepTable& table() const { return *m_table; }
    std::shared_ptr<const SweepTable> shared() const { return m_table; } // another one as soon as another table is shown
    const QString& file() const { return m_file; }
    const SweepChart& chart() const { return m_chart; } // that is shown
    SweepForm& form() { return *m_form; }
    void openRow(int row); // its design
    void run();
    void computeAgain() { m_runs.ask(); } // what was asked for last
    void wait() {                         // tests
        m_specs.wait();
        m_runs.wait();
    }

signals:
    void jobFilesAsked();
    void openTableAsked();
    void saveTableAsked();
    void pictureAsked(); // of the chart
    void openAsked(const DesignPointer& design);
    void sweepAsked(int row); // the design of a row is wanted, and the table does not say which sweep it is of
    void refused(const QString& why);

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Page { Table, Map, Front, Lines, Nothing };
    QLayout* chartBar();
    QWidget* pages();
    void refresh(); // asks for the specification of the form
    void takeSpec(Result<SweepSpec> spec);
    void showTable(SweepTable table);
    void fillChoices();
    void showChart();
    void showMap(std::vector<std::string> at);
    void openIndex(const QModelIndex& index); // of the sorted table

    Document& m_document;
    Tokens m_tokens;
    std::shared_ptr<const SweepTable> m_table = std::make_shared<const SweepTable>();
    std::optional<Result<SweepSpec>> m_spec; // of the form, once it was looked at
    SweepSpec m_running;                     // what was asked for last: the form may have changed since
    bool m_isRunWanted = false;              // as soon as it is
    std::vector<std::optional<std::size_t>> m_cellRows;
    int m_mapColumns = 1;
    SweepForm* m_form = nullptr;
    SweepModel* m_model = nullptr;
    QSortFilterProxyModel* m_sorted = nullptr;
    QTableView* m_rows = nullptr;
    CellMap* m_map = nullptr;
    ScatterPlot* m_front = nullptr;
    ParallelPlot* m_lines = nullptr;
    QStackedWidget* m_pages = nullptr;
    QButtonGroup* m_kinds = nullptr;
    QLabel* m_title = nullptr;
    QPushButton *m_save = nullptr, *m_picture = nullptr;
    QString m_file; // that the table was read from; empty where it was computed here
    SweepChart m_chart;
    QComboBox *m_x = nullptr, *m_y = nullptr, *m_result = nullptr, *m_other = nullptr;
    std::vector<QComboBox*> m_fixed; // a value of each axis that the map does not show
    QLayout* m_fixedBar = nullptr;
    LatestTask<Result<SweepSpec>> m_specs; // of a large design it takes a while
    LatestTask<SweepTable> m_runs;
};

} // namespace railyard
