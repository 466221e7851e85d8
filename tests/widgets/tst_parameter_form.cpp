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
    // One field with a problem holds up no other, and is not emptied when the settings are shown again.
    void aBadValueHoldsUpNoOther() {
        ParameterForm form(infosOf(jobParameters()), QStringLiteral("job"));
        form.show(allTextsOf(jobParameters(), usualRequest()));
        QSignalSpy spy(&form, &ParameterForm::edited);
        auto* tokens = form.findChild<QLineEdit*>(QStringLiteral("job-tokens"));
        auto* stages = form.findChild<QSpinBox*>(QStringLiteral("job-pp"));
        const auto* problem = form.findChild<QLabel*>(QStringLiteral("job-problem"));
        tokens->setText(QStringLiteral("many"));
        emit tokens->editingFinished();
        stages->setValue(4);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(form.edits(), (ParameterTexts{{"pp", "4"}}));
        const auto rowOf = [&](const QWidget* of) {
            int row = -1;
            QFormLayout::ItemRole role{};
            form.rows().getWidgetPosition(const_cast<QWidget*>(of), &row, &role);
            return row;
        };
        QCOMPARE(rowOf(problem), rowOf(tokens) + 1);
        auto now = withTexts(jobParameters(), usualRequest(), form.edits(), "a job");
        form.follow(allTextsOf(jobParameters(), *now));
        QCOMPARE(tokens->text(), QStringLiteral("many"));
        QVERIFY(form.edits().empty() && !problem->text().isEmpty());
        now->planned.plan.tokens = 5e12; // an undo, for example
        form.follow(allTextsOf(jobParameters(), *now));
        QCOMPARE(tokens->text(), QStringLiteral("5000e9"));
        QVERIFY(problem->text().isEmpty());
        tokens->setText(QStringLiteral("many"));
        form.show(allTextsOf(jobParameters(), *now)); // all of it
        QCOMPARE(tokens->text(), QStringLiteral("5000e9"));
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
