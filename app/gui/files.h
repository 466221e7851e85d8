// Finds the samples, which are next to an installed program or in the source tree of a build.
#pragma once

#include <QString>
#include <QStringList>

namespace railyard {

QStringList sampleFiles();
QString sampleFile(const QString& name); // empty if it is missing

} // namespace railyard
