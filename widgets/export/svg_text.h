// Text of an SVG that looks the same where the fonts of this program are not installed.
#pragma once

#include <QByteArray>

namespace railyard {

// Names fonts that other systems have, and gives every text the width that it was drawn with; short ones, such as those of pills, keep
// their middle too.
QByteArray withPortableText(const QByteArray& svg);

} // namespace railyard
