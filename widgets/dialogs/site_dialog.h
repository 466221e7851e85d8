// What the site charges for energy and space, and how long what was bought is written off.
#pragma once

#include "core/bill/site.h"

#include <QDialog>

namespace railyard {

class ParameterForm;

class SiteDialog : public QDialog {
    Q_OBJECT

public:
    explicit SiteDialog(const Site& before, QWidget* parent = nullptr);
    const Site& site() const { return m_site; } // of the fields, once the dialog is accepted
    void accept() override;                     // stays open while a field has a value that it cannot have

private:
    Site m_site;
    ParameterForm* m_form = nullptr;
};

} // namespace railyard
