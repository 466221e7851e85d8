// Asks for the files of the Sweep view and reads and writes them: folders for job files, finished sweeps, tables.
#pragma once

#include "widgets/document/document.h"

namespace railyard {

class StatusLine;
class SweepView;
class ViewStack;

class SweepFiles : public QObject {
    Q_OBJECT

public:
    SweepFiles(Document& document, ViewStack& views, StatusLine& status, QWidget& window);

signals:
    void openAsked(const DesignPointer& design);

private:
    void writeJobFiles();
    void openTable();
    void saveTable();
    void findSweep(int row);

    Document& m_document;
    SweepView& m_view;
    StatusLine& m_status;
    QWidget& m_window;
    QString m_tableFolder; // of the table that was opened last
};

} // namespace railyard
