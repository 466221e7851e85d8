// Devices, links and the bill as tables. The selection is shared with the drawing.
#pragma once

#include "widgets/models/device_model.h"
#include "widgets/models/link_model.h"

#include <QTabWidget>

class QTableView;
class QSortFilterProxyModel;
class QLineEdit;

namespace railyard {

class TablesPanel : public QTabWidget {
    Q_OBJECT

public:
    explicit TablesPanel(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens) { m_devices->setTokens(tokens); }
    void showSelection(const std::vector<std::string>& paths);

signals:
    void selected(const std::vector<std::string>& paths);
    void menuAsked(const std::vector<std::string>& paths, QPoint global);
    void usersAsked(const QString& partId); // the elements that use the part of a line of the bill
    void refused(const QString& reason);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QTableView* makeTable(QAbstractItemModel* model, const QString& name);
    void makeLinks();
    void makeBill();
    void refreshTitles();

    Document& m_document;
    DeviceModel* m_devices = nullptr;
    LinkModel* m_links = nullptr;
    BillModel* m_bill = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_nothing = nullptr; // says that the filter matches nothing
    QSortFilterProxyModel *m_filter = nullptr, *m_linkFilter = nullptr;
    QTableView *m_deviceView = nullptr, *m_linkView = nullptr;
    bool m_following = false;
};

} // namespace railyard
