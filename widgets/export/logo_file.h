// The content of a picture that somebody wants as a logo. It comes from anywhere, so it may not make the program read other files.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

namespace railyard {

// The bytes of a regular file of at most 32 MiB. An SVG that refers to other files is refused.
Result<QByteArray> logoContent(const QString& path);

// Empty if the SVG stands by itself; otherwise what it refers to, such as `<image> refers to "/etc/logo.png"`.
QString foreignReference(const QByteArray& svg);

} // namespace railyard
