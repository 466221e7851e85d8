#include "core/analysis/option_sections.h"
#include "widgets/dialogs/site_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace railyard;

namespace {

QLineEdit& fieldOf(const SiteDialog& dialog, const char* name) { return *dialog.findChild<QLineEdit*>(QLatin1String(name)); }

void press(const SiteDialog& dialog, QDialogButtonBox::StandardButton button) {
    dialog.findChild<QDialogButtonBox*>()->button(button)->click();
}

} // namespace

class tst_site_dialog : public QObject {
    Q_OBJECT

private slots:
    void everyValueCanBeEdited() {
        Site before;
        before.usdPerKwMonth = 210.5;
        SiteDialog dialog(before);
        fieldOf(dialog, "site-pue").setText(QStringLiteral("1.15"));
        fieldOf(dialog, "site-usd-per-kwh").setText(QStringLiteral("0.08"));
        fieldOf(dialog, "site-years").setText(QStringLiteral("4"));
        press(dialog, QDialogButtonBox::Ok);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.site().pue, 1.15);
        QCOMPARE(dialog.site().usdPerKwh, 0.08);
        QCOMPARE(dialog.site().usdPerKwMonth, 210.5); // as it was
        QCOMPARE(dialog.site().years, 4.0);
    }
    void aBadValueKeepsItOpen() {
        SiteDialog dialog({});
        QSignalSpy done(&dialog, &QDialog::finished);
        for (const char* bad : {"0.9", "", "nan", "one"}) {
            fieldOf(dialog, "site-pue").setText(QLatin1String(bad));
            press(dialog, QDialogButtonBox::Ok);
            QCOMPARE(done.count(), 0);
            QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("site-problem"))->text(),
                     QStringLiteral("PUE must be a number from 1 to 3."));
        }
        fieldOf(dialog, "site-pue").setText(QStringLiteral("1"));
        press(dialog, QDialogButtonBox::Ok);
        QCOMPARE(done.count(), 1);
        QCOMPARE(dialog.site().pue, 1.0);
    }
    void defaultsAreRestored() {
        Site before;
        before.pue = 2;
        before.years = 9;
        SiteDialog dialog(before);
        fieldOf(dialog, "site-usd-per-kwh").setText(QStringLiteral("0.5"));
        press(dialog, QDialogButtonBox::RestoreDefaults);
        press(dialog, QDialogButtonBox::Ok);
        QVERIFY(textsOf(siteParameters(), dialog.site(), Site()).empty());
    }
    void onlyUnusualValuesAreStated() {
        Design design;
        design.site = NamedOptions{{{"pue", "2"}}, {}};
        Site site;
        site.years = 3;
        const auto edit = setSite(design, site);
        QVERIFY(edit);
        QCOMPARE(edit->design->site->options, (ParameterTexts{{"years", "3"}}));
        QVERIFY(!setSite(design, Site())->design->site);
    }
};

QTEST_MAIN(tst_site_dialog)
#include "tst_site_dialog.moc"
