// Whether something was drawn: a picture that a widget failed to paint is of one colour, or of a few.
#pragma once

#include <QImage>
#include <QPixmap>
#include <set>

namespace railyard::test {

inline std::size_t coloursOf(const QPixmap& picture) {
    const QImage image = picture.toImage().convertToFormat(QImage::Format_RGB32);
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
    return colours.size();
}
// Text and lines alone have dozens of shades along their edges.
inline bool isPainted(const QPixmap& picture) { return coloursOf(picture) > 16; }

} // namespace railyard::test
