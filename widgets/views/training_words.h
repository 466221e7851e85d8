// Words and numbers of the Training view.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace railyard {

inline QString trainingWords(const char* text) { return QCoreApplication::translate("TrainingView", text); }
inline QString inDecimals(double value, int digits) { return QString::number(value, 'f', digits); }

} // namespace railyard
