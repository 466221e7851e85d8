#include "app/session/scenario_store.h"

#include <QFileInfo>
#include <QSettings>
#include <QUrl>
#include <algorithm>

namespace railyard {

namespace {
QString scenarioKey(const QString& path) {
    return QStringLiteral("scenarios/") + QString::fromLatin1(QUrl::toPercentEncoding(QFileInfo(path).absoluteFilePath()));
}

} // namespace

void storeScenarios(const QString& path, const FailureBar::Scenarios& scenarios) {
    if (path.isEmpty()) return;
    QVariantMap all;
    for (const auto& [name, failures] : scenarios) {
        QStringList selectors;
        for (const std::string& selector : failures.selectors) selectors << QString::fromStdString(selector);
        all[name] = QVariantMap{{QStringLiteral("fail"), selectors}, {QStringLiteral("links"), failures.linkShare}};
    }
    QSettings().setValue(scenarioKey(path), all);
}

FailureBar::Scenarios storedScenarios(const QString& path) {
    FailureBar::Scenarios scenarios;
    const QVariantMap all = path.isEmpty() ? QVariantMap() : QSettings().value(scenarioKey(path)).toMap();
    for (auto each = all.begin(); each != all.end(); ++each) {
        const QVariantMap kept = each.value().toMap();
        Failures failures;
        for (const QString& selector : kept[QStringLiteral("fail")].toStringList()) failures.selectors.push_back(selector.toStdString());
        failures.linkShare = std::clamp(kept[QStringLiteral("links")].toDouble(), 0.0, 1.0);
        scenarios[each.key()] = std::move(failures);
    }
    return scenarios;
}

} // namespace railyard
