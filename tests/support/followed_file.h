// A DocumentFile that follows a file with its present content.
#pragma once

#include "app/session/document_file.h"
#include "core/base/file.h"

namespace railyard::test {

inline void follow(DocumentFile& file, const QString& path) { file.follow(path, *markOfFile(path.toStdString())); }

} // namespace railyard::test
