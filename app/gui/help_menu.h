#pragma once

#include <QMenu>

namespace railyard {

class HelpMenu : public QMenu {
    Q_OBJECT

public:
    explicit HelpMenu(QWidget* parent);

signals:
    void sampleAsked(const QString& path);
};

} // namespace railyard
