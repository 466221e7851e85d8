// A drawing on the clipboard: as PNG and as SVG, drawn when another program asks for it; the paths of the selection as text; and the
// selected elements, where they can be pasted into another drawing.
#pragma once

#include <QMimeData> // first, because moc cannot parse <memory> before <concepts>

#include "widgets/export/pictures.h"

namespace railyard {

class ClipboardPicture : public QMimeData {
    Q_OBJECT

public:
    static constexpr const char* elements = "application/x-railyard"; // a document with the copied elements

    ClipboardPicture(FabricPointer fabric, PictureOptions options, const std::vector<std::string>& paths, const DesignPointer& part);
    QStringList formats() const override;
    bool hasFormat(const QString& format) const override { return formats().contains(format); }

protected:
    QVariant retrieveData(const QString& format, QMetaType type) const override;

private:
    FabricPointer m_fabric;
    PictureOptions m_options;
    std::vector<std::string> m_selected;
    QString m_paths;       // a line each
    QByteArray m_elements; // empty: none can be pasted
};

} // namespace railyard
