// Collective time over message size and servers, or over NIC and HB bandwidth, for the open design.
#pragma once

#include "core/collective/collective.h"
#include "widgets/document/document.h"
#include "widgets/views/cell_map.h"

class QComboBox;

namespace railyard {

class TrafficView : public QWidget {
    Q_OBJECT

public:
    explicit TrafficView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    CellMap& map() { return *m_map; }
    CollectiveOp op() const;
    QString picture() const; // what `railyard render --view` calls the map that is shown
    void refresh();

signals:
    void exportAsked();

protected:
    void showEvent(QShowEvent* event) override;

private:
    Document& m_document;
    Tokens m_tokens;
    CellMap* m_map = nullptr;
    QComboBox *m_op = nullptr, *m_kind = nullptr;
    SnapshotPointer m_shown;
};

} // namespace railyard
