#pragma once

#include <QMenu>

namespace railyard {

class DocumentFiles;
class Exports;

class FileMenu : public QMenu {
    Q_OBJECT

public:
    FileMenu(DocumentFiles& files, Exports& exports, QWidget* parent);

signals:
    void newFabricAsked();
    void quitAsked();
};

} // namespace railyard
