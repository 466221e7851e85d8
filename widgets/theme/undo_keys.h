// Undo and redo belong to the design, also while a field has the focus: a field keeps the keys only for text that is not committed yet.
#pragma once

#include <QObject>

namespace railyard {

class UndoKeys : public QObject {
    Q_OBJECT

public:
    explicit UndoKeys(QObject* parent); // for all fields of the program, while it lives
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace railyard
