#include "core/training/job_request.h"
#include "widgets/forms/parameter_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace railyard;

class tst_parameter_form : public QObject {
    Q_OBJECT

private slots:
    void everyRowHasAField() {
        ParameterForm form(infosOf(jobParameters()), QStringLiteral("job"));
        form.show(allTextsOf(jobParameters(), usualRequest()));
        for (const auto& row : jobParameters()) {
            const QString name = QStringLiteral("job-") + QString::fromStdString(row.info.option()).mid(2);
            const auto* field = form.findChild<QWidget*>(name);
            QVERIFY2(field, qPrintable(name));
            QVERIFY2(!field->accessibleName().isEmpty() && !field->toolTip().isEmpty(), qPrintable(name));
        }
        QVERIFY(form.edits().empty()); // what is shown is not an edit
        QCOMPARE(form.findChild<QLineEdit*>(QStringLiteral("job-tokens"))->text(), QStringLiteral("300e9"));
        QCOMPARE(form.findChild<QSpinBox*>(QStringLiteral("job-tp"))->text(), QStringLiteral("automatic"));
    }
    void onlyWhatIsEditedIsSaid() {
        ParameterForm form(infosOf(jobParameters()), QStringLiteral("job"));
        const auto job = readJob({{"global_batch", "1099511627776"}, {"straggler", "1.2345678901234"}}); // beyond what a field can show
        form.show(allTextsOf(jobParameters(), *job));
        QSignalSpy spy(&form, &ParameterForm::edited);
        form.findChild<QSpinBox*>(QStringLiteral("job-pp"))->setValue(8);
        form.findChild<QComboBox*>(QStringLiteral("job-zero"))->setCurrentIndex(3);
        form.findChild<QCheckBox*>(QStringLiteral("job-overlap-dp"))->setChecked(false);
        QCOMPARE(spy.count(), 3);
        QCOMPARE(form.edits(), (ParameterTexts{{"pp", "8"}, {"zero", "3"}, {"overlap_dp", "off"}}));
        const auto edited = withTexts(jobParameters(), *job, form.edits(), "a job");
        QVERIFY(edited && edited->planned.job.globalBatch == std::int64_t{1} << 40 && edited->planned.plan.straggler == 1.2345678901234);
    }
    void aBadValueSaysWhy() {
        ParameterForm form(infosOf(jobParameters()), QStringLiteral("job"));
        form.show(allTextsOf(jobParameters(), usualRequest()));
        QSignalSpy spy(&form, &ParameterForm::edited);
        auto* tokens = form.findChild<QLineEdit*>(QStringLiteral("job-tokens"));
        const auto* problem = form.findChild<QLabel*>(QStringLiteral("job-problem"));
        tokens->setText(QStringLiteral("many"));
        emit tokens->editingFinished();
        QCOMPARE(spy.count(), 0);
        QCOMPARE(problem->text(), QStringLiteral("Tokens of the run must be a number from 1 to 1e+18."));
        tokens->setText(QStringLiteral("1e12"));
        emit tokens->editingFinished();
        QCOMPARE(spy.count(), 1);
        QVERIFY(problem->text().isEmpty());
        QCOMPARE(form.edits(), (ParameterTexts{{"tokens", "1e12"}}));
    }
};

QTEST_MAIN(tst_parameter_form)
#include "tst_parameter_form.moc"
