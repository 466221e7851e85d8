// Rows of what fails at random.
#include "core/failure/failure_parameters.h"

#include <QTest>

using namespace railyard;

class tst_failure_parameters : public QObject {
    Q_OBJECT

private slots:
    void valuesComeBack() {
        const auto read = withTexts(failureParameters(), Failures{{"tier=leaf"}, 0}, {{"fail_links", "1.5%"}, {"seed", "7"}}, "a failure");
        QVERIFY(read);
        QCOMPARE(read->linkShare, 0.015);
        QCOMPARE(read->seed, std::uint64_t{7});
        QCOMPARE(read->selectors, std::vector<std::string>{"tier=leaf"});
        const ParameterTexts texts = textsOf(failureParameters(), *read, Failures{});
        QCOMPARE(texts, (ParameterTexts{{"fail_links", "1.5%"}, {"seed", "7"}}));
        QVERIFY(textsOf(failureParameters(), Failures{}, Failures{}).empty());
    }
    void badValuesSayWhatIsRight() {
        for (const auto& [key, value] : {std::pair("fail_links", "200%"),
                                         {"fail_links", "-1%"},
                                         {"fail_links", "many"},
                                         {"seed", "-1"},
                                         {"seed", "1.5"},
                                         {"seed", "x"}}) {
            const auto read = withTexts(failureParameters(), Failures{}, {{key, value}}, "a failure");
            QVERIFY2(!read, value);
            QVERIFY2(read.error().text.find(value) != std::string::npos, read.error().text.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_failure_parameters)
#include "tst_failure_parameters.moc"
