// Rates of the catalogue, of the user, and options as text.
#include "core/io/imports/rates_csv.h"
#include "core/reliability/reliability_parameters.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_rates : public QObject {
    Q_OBJECT

    static std::string errorOf(const char* text) {
        ReliabilityRequest request;
        const Status read = ratesFrom(text, "rates.csv", *shippedCatalog(), request);
        return read ? std::string() : toText(read.errors().front());
    }

private slots:
    // Every kind that interrupts a job by default has a rate, or says that it has none.
    void shippedRates() {
        const Rates rates = Rates::shipped(*shippedCatalog());
        QCOMPARE(*rates.of(PartKind::Gpu).base, 0.1106);
        QCOMPARE(*rates.of(PartKind::Server).base, 0.04624);
        for (const PartKind kind : {PartKind::Gpu, PartKind::Nic, PartKind::HostLink, PartKind::Link, PartKind::Leaf, PartKind::Spine,
                                    PartKind::Superspine, PartKind::Core, PartKind::Server, PartKind::Tray, PartKind::Optic}) {
            const YearlyRate& rate = rates.of(kind);
            QVERIFY2(rate.base && !rate.source.empty(), std::string(toText(kind)).c_str());
            QVERIFY(rate.lowElseBase() <= *rate.base && *rate.base <= rate.highElseBase());
        }
        QVERIFY(!rates.of(PartKind::NvlinkSwitchTray).base && rates.of(PartKind::NvlinkSwitchTray).high);
        QVERIFY(!rates.knows(PartKind::PowerFeed) && !rates.knows(PartKind::Software));
    }
    void textsOfRates() {
        QCOMPARE(*rateFrom("0.11")->base, 0.11);
        const auto three = rateFrom("0.05/0.11/0.2");
        QVERIFY(three && *three->low == 0.05 && *three->base == 0.11 && *three->high == 0.2);
        QCOMPARE(rateText(*three), std::string("0.05/0.11/0.2"));
        for (const char* text : {"", "x", "-1", "1/2", "3/2/1", "1/2/3/4", "1e9", "nan", "inf", "0.1%"}) QVERIFY2(!rateFrom(text), text);
    }
    void optionsGoRoundTrip() {
        ParameterTexts texts{{"horizon", "7d"},
                             {"job_gpus", "64"},
                             {"policy", "tolerant"},
                             {"standbys", "3"},
                             {"repair_server", "90m"},
                             {"repair_success", "0.9"},
                             {"lemons", "1%:10"},
                             {"flaps", "link=2"},
                             {"distribution", "weibull:0.8"},
                             {"software", "on"},
                             {"rate_host_link", "0.02"},
                             {"rate_gpu", "0.05/0.11/0.2"},
                             {"checkpoint_interval", "1h"},
                             {"early_life", "1.5"},
                             {"placement", "spread"}};
        const auto request = readReliability(texts);
        QVERIFY(request);
        QCOMPARE(request->horizon.value(), 7 * 86400.0);
        QCOMPARE(request->lemonMultiple, 10.0);
        const ParameterTexts again = textsOf(reliabilityParameters(), *request, ReliabilityRequest());
        QCOMPARE(again.size(), texts.size());
        QCOMPARE(again.at("repair_server"), std::string("90m"));
        QCOMPARE(again.at("rate_gpu"), std::string("0.05/0.11/0.2"));
        QCOMPARE(again.at("horizon"), std::string("7d"));
        const auto same = readReliability(again);
        QVERIFY(same && textsOf(reliabilityParameters(), *same, ReliabilityRequest()) == again);
    }
    void badOptions() {
        for (const auto& [key, value] : {std::pair("horizon", "0s"),
                                         {"horizon", "30"},
                                         {"horizon", "-1d"},
                                         {"horizon", "200000d"},
                                         {"distribution", "weibull"},
                                         {"distribution", "weibull:0"},
                                         {"distribution", "normal:1"},
                                         {"lemons", "10"},
                                         {"lemons", "200%:2"},
                                         {"lemons", "1%:-1"},
                                         {"distribution", "lognormal:12"},
                                         {"distribution", "weibull:0.1"},
                                         {"flaps", "2"},
                                         {"flaps", "link=-1"},
                                         {"repair_success", "0"},
                                         {"repair_success", "1.1"},
                                         {"standbys", "-1"},
                                         {"rate_gpu", "-0.1"},
                                         {"policy", "loose"},
                                         {"early_life", "0"},
                                         {"rate_fan", "1"}})
            QVERIFY2(!readReliability({{key, value}}), value);
    }
    void filesOfRates() {
        ReliabilityRequest request;
        QVERIFY(ratesFrom("kind,part,low,base,high\ngpu,,0.01,0.2,0.4\r\nNIC\n", "rates.csv", *shippedCatalog(), request).errors().size() ==
                1);
        request = {};
        QVERIFY(ratesFrom("high;kind;base\n0.4;gpu;0.2\n;leaf;0.01\n", "rates.csv", *shippedCatalog(), request));
        QVERIFY(*request.rates.at(PartKind::Gpu).high == 0.4 && *request.rates.at(PartKind::Leaf).base == 0.01);
        QVERIFY(ratesFrom("kind,part,base\ngpu,h100-sxm5-80,0.3\n", "rates.csv", *shippedCatalog(), request));
        QCOMPARE(request.partRates.front().first.second, std::string("h100-sxm5-80"));
        QVERIFY(ratesFrom("kind,high\nnvlink-switch-tray,0.1\n", "rates.csv", *shippedCatalog(),
                          request)); // no base: stays unknown, with a bound
        QVERIFY(!request.rates.at(PartKind::NvlinkSwitchTray).base);
    }
    void badFilesSayWhereAndWhat() {
        QVERIFY(errorOf("").find("rates.csv:1:1") != std::string::npos);
        QVERIFY(errorOf("part,low\n").find("the first row must name the columns") != std::string::npos);
        QVERIFY(errorOf("kind,base\nfan,1\n").find("rates.csv:2:1: kind \"fan\" is unknown") != std::string::npos);
        QVERIFY(errorOf("kind,base\ngpu,-1\n").find("rates.csv:2:2: -1: a rate cannot be negative") != std::string::npos);
        QVERIFY(errorOf("kind,base\ngpu,1e9\n").find("cannot fail more than") != std::string::npos);
        QVERIFY(errorOf("kind,base\ngpu,\"0,1\"\n").find("is not a number with a decimal point") != std::string::npos);
        QVERIFY(errorOf("kind,base\ngpu,\n").find("no rate is given") != std::string::npos);
        QVERIFY(errorOf("kind,low,base,high\ngpu,3,2,1\n").find("in this order") != std::string::npos);
        QVERIFY(errorOf("kind,part,base\ngpu,h100-typo,1\n").find("rates.csv:2:2: part \"h100-typo\" is not in the catalogue") !=
                std::string::npos);
        QVERIFY(errorOf("kind,part,base\ngpu,srv-dgx-h100,1\n").find("is of kind server, and a rate of gpu needs") != std::string::npos);
        QVERIFY(errorOf("kind,part,base\nhost-link,h100-sxm5-80,1\n").find("leave the part empty") != std::string::npos);
        QVERIFY(errorOf("kind,base\ngpu,1\nnic,1\ngpu,2\n").find("rates.csv:4:1: gpu has a rate in line 2 already") != std::string::npos);
        QVERIFY(errorOf("kind,kind,base\ngpu,gpu,1\n").find("rates.csv:1:2: column \"kind\" is there twice") != std::string::npos);
        QVERIFY(errorOf("kind,bse,base\ngpu,1,1\n").find("rates.csv:1:2: column \"bse\" is unknown") != std::string::npos);
        QVERIFY(errorOf("kind,base\ngpu,1,2\n").find("3 cells where the first row names 2 columns") != std::string::npos);
        QVERIFY(errorOf("kind,base\n").find("has no rates") != std::string::npos);
        ReliabilityRequest request;
        // A row after one of an unknown kind is read too.
        QCOMPARE(ratesFrom("kind,low,base,high\nfoo,,1,\ngpu,3,2,1\nbar,,1,\nnic,,-1,\n", "rates.csv", *shippedCatalog(), request)
                     .errors()
                     .size(),
                 std::size_t{4});
        QCOMPARE(ratesFrom("kind,base\nfan,1\nnic,x\ngpu,-2\n", "rates.csv", *shippedCatalog(), request).errors().size(), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(tst_rates)
#include "tst_rates.moc"
