#include "app/gui/files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace railyard {
namespace {

QDir samplesFolder() {
    const QString beside = QCoreApplication::applicationDirPath();
    for (const QString& way :
         {QStringLiteral("/../share/railyard/samples"), QStringLiteral("/../../../samples"), QStringLiteral("/samples")})
        if (const QDir folder(beside + way); folder.exists()) return folder;
    return QDir(QStringLiteral("samples"));
}

} // namespace

QStringList sampleFiles() {
    QStringList paths;
    const QDir folder = samplesFolder();
    for (const QString& name : folder.entryList({QStringLiteral("*.railyard")}, QDir::Files, QDir::Name))
        paths << folder.absoluteFilePath(name);
    return paths;
}

QString sampleFile(const QString& name) {
    const QString path = samplesFolder().absoluteFilePath(name);
    return QFileInfo::exists(path) ? path : QString();
}

} // namespace railyard
