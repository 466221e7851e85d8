// The menu of an element, in the drawing and in the tables alike.
#pragma once

#include "widgets/document/cable_facts.h"
#include "widgets/document/document.h"

#include <QMenu>

namespace railyard {

class ElementMenu : public QMenu {
    Q_OBJECT

public:
    // For these elements, all of which are selected; none: the menu of the empty drawing.
    ElementMenu(Document& document, std::vector<std::string> paths, bool isFailing, QWidget* parent);

signals:
    void fitAsked(); // of the selection, or of the design
    void selectAsked(const std::vector<std::string>& paths);
    void connectAsked(); // by dragging from the element
    void failAsked(const std::string& path);
    void deleteAsked();
    void cableAsked(CableAct act);
    void pasteAsked();
    void selectAllAsked();
    void refused(const QString& reason);

private:
    void addElement();
    void addCable();
    void addParts();
    void addSelections();
    void addBlock();
    void apply(const Result<Edit>& edit);

    Document& m_document;
    const std::vector<std::string> m_paths;
};

} // namespace railyard
