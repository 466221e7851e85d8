#include "widgets/export/clipboard_picture.h"

#include "core/io/document/design_text.h"
#include "widgets/export/drawn_area.h"
#include "widgets/export/page_file.h"

#include <QImage>
#include <qcustomplot.h>

namespace railyard {
namespace {

constexpr const char *svgFormat = "image/svg+xml", *pngFormat = "image/png", *imageFormat = "application/x-qt-image",
                     *textFormat = "text/plain";

} // namespace

ClipboardPicture::ClipboardPicture(FabricPointer fabric, PictureOptions options, const std::vector<std::string>& paths,
                                   const DesignPointer& part)
    : m_fabric(std::move(fabric)),
      m_options(std::move(options)) {
    for (const std::string& path : paths) m_paths += QString::fromStdString(path) + QLatin1Char('\n');
    if (part) m_elements = QByteArray::fromStdString(designText(*part));
    m_selected = paths;
}

QStringList ClipboardPicture::formats() const {
    QStringList all{QLatin1String(svgFormat), QLatin1String(pngFormat), QLatin1String(imageFormat)};
    if (!m_paths.isEmpty()) all << QLatin1String(textFormat);
    if (!m_elements.isEmpty()) all << QLatin1String(elements);
    return all;
}

QVariant ClipboardPicture::retrieveData(const QString& format, QMetaType) const {
    if (format == QLatin1String(textFormat)) return m_paths;
    if (format == QLatin1String(elements)) return m_elements;
    const bool isVector = format == QLatin1String(svgFormat);
    if (!isVector && format != QLatin1String(pngFormat) && format != QLatin1String(imageFormat)) return {};
    PictureOptions own = m_options; // the selection, if it is drawn; else the whole drawing
    if (!m_selected.empty()) own.area = drawnArea(*m_fabric, m_selected, own.detail);
    constexpr double margin = 8; // world units
    if (!own.area.isEmpty()) own.area.adjust(-margin, -margin, margin, margin);
    own.title = own.area.isEmpty();
    const QByteArray bytes =
        pageBytes(isVector ? QStringLiteral("svg") : QStringLiteral("png"), m_options.size, m_options.dpi,
                  QString::fromStdString(m_fabric->design->name), [&](QCPPainter& painter) { paintTopology(painter, *m_fabric, own); });
    return format == QLatin1String(imageFormat) ? QVariant(QImage::fromData(bytes, "PNG")) : QVariant(bytes);
}

} // namespace railyard
