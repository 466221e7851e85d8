#include "widgets/export/logo_file.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QXmlStreamReader>

namespace railyard {
namespace {

// Qt reads an embedded picture of any kind, also another SVG with references of its own.
bool isEmbeddedPixels(const QString& link) {
    const qsizetype at = link.lastIndexOf(QStringLiteral("base64,"));
    if (!link.startsWith(QStringLiteral("data:image/")) || at < 0) return false;
    const QByteArray bytes = QByteArray::fromBase64(link.mid(at + 7).toLatin1());
    return bytes.startsWith("\x89PNG") || bytes.startsWith("\xFF\xD8\xFF");
}

bool isInside(const QString& link) { return link.trimmed().startsWith(QLatin1Char('#')); }

// What a style sheet or a style attribute loads: "@import", or url(…) of anything but an element of this file.
QString foreignStyle(const QString& style) {
    if (style.contains(QStringLiteral("@import"), Qt::CaseInsensitive)) return QStringLiteral("@import");
    static const QRegularExpression url(QStringLiteral(R"(url\(\s*["']?\s*(?!#)([^"')\s]*))"), QRegularExpression::CaseInsensitiveOption);
    const auto match = url.match(style);
    return match.hasMatch() ? QStringLiteral("url(%1)").arg(match.captured(1)) : QString();
}

QString foreignAttribute(const QXmlStreamReader& reader) {
    for (const QXmlStreamAttribute& attribute : reader.attributes()) {
        const QString value = attribute.value().toString();
        if (attribute.name() == QStringLiteral("href") && !isInside(value) && !isEmbeddedPixels(value) &&
            reader.name() != QStringLiteral("a")) // a link is never followed
            return QStringLiteral("<%1> refers to \"%2\"").arg(reader.name(), value.left(80));
        if (const QString style = foreignStyle(value); !style.isEmpty())
            return QStringLiteral("<%1> refers to %2").arg(reader.name(), style.left(80));
    }
    return {};
}

// What Qt could take for an SVG starts like one.
bool isSvg(const QByteArray& content) { return content.trimmed().startsWith("<"); }

} // namespace

QString foreignReference(const QByteArray& svg) {
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        switch (reader.readNext()) {
        case QXmlStreamReader::ProcessingInstruction:
            return QStringLiteral("<?%1?> refers to a style sheet").arg(reader.processingInstructionTarget());
        case QXmlStreamReader::DTD:
            if (!reader.entityDeclarations().isEmpty()) return QStringLiteral("its document type declares entities");
            break;
        case QXmlStreamReader::StartElement:
            if (const QString found = foreignAttribute(reader); !found.isEmpty()) return found;
            break;
        case QXmlStreamReader::Characters:
            if (const QString found = foreignStyle(reader.text().toString()); !found.isEmpty())
                return QStringLiteral("its style sheet refers to %1").arg(found.left(80));
            break;
        default: break;
        }
    }
    return {};
}

Result<QByteArray> logoContent(const QString& path) {
    constexpr qint64 most = qint64{32} << 20;
    const auto refuse = [&](const std::string& why) { return Error::file(path.toStdString(), why); };
    if (const QFileInfo info(path); !info.isFile()) // a pipe or a device may never end
        return refuse(info.exists() ? "is not a regular file. Use PNG, JPEG or SVG." : "does not exist.");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return refuse("cannot be read: " + file.errorString().toStdString() + ".");
    QByteArray content = file.read(most + 1);
    if (content.size() > most) return refuse("is larger than 32 MiB. Use a smaller picture.");
    if (content.startsWith("\x1f\x8b")) return refuse("is compressed. Save the SVG without compression, or use PNG.");
    if (const QString found = isSvg(content) ? foreignReference(content) : QString(); !found.isEmpty())
        return refuse("cannot be used: " + found.toStdString() +
                      ". A logo may not load other files. Embed the picture in the SVG as PNG, or save the logo as PNG.");
    return content;
}

} // namespace railyard
