#include "widgets/document/document_folder.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace railyard {

QString folderOf(const Document& document) {
    const QFileInfo file(document.path());
    if (!document.path().isEmpty() && file.dir().exists()) return file.absolutePath();
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() ? documents : QDir::homePath();
}

QString fileNextTo(const Document& document, const QString& suffix) {
    QString name = QString::fromStdString(document.now().design->name).trimmed();
    for (QChar& c : name)
        if (QStringLiteral("/\\:*?\"<>|").contains(c) || c < QLatin1Char(' ')) c = QLatin1Char('-');
    return QDir(folderOf(document)).filePath((name.isEmpty() ? QObject::tr("design") : name) + suffix);
}

} // namespace railyard
