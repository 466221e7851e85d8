// Where the selection stands: design › su[1] › leaf[4], each part a link, and what kind of fabric the design is.
#pragma once

#include "widgets/document/document.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;

namespace railyard {

class Breadcrumb : public QFrame {
    Q_OBJECT

public:
    explicit Breadcrumb(Document& document, QWidget* parent = nullptr);
    void showSelection(const std::vector<std::string>& paths);

signals:
    void asked(const std::string& path); // of a part; empty for the design

private:
    void refresh();

    Document& m_document;
    std::vector<std::string> m_paths;
    QWidget* m_parts = nullptr;
    QHBoxLayout* m_row;
    QLabel* m_kind;
};

} // namespace railyard
