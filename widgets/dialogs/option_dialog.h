// Options of the design that have no view of their own, a field each.
#pragma once

#include <QDialog> // first, because moc cannot parse <memory> before <concepts>

#include "core/base/parameter.h"
#include "core/base/result.h"

#include <functional>
#include <vector>

namespace railyard {

class ParameterForm;

class OptionDialog : public QDialog {
    Q_OBJECT

public:
    struct Content {
        QString title, purpose, prefix; // of the names of its fields
        std::vector<ParameterInfo> rows;
        ParameterTexts before, usual;
        std::function<Status(const ParameterTexts& texts)> check;
        QString done = {}; // what the button says that accepts; without words OK
    };
    explicit OptionDialog(Content content, QWidget* parent = nullptr);
    const ParameterTexts& texts() const { return m_texts; } // of all fields, once the dialog is accepted
    void accept() override;                                 // stays open while a field has a value that it cannot have

private:
    Content m_content;
    ParameterTexts m_texts;
    ParameterForm* m_form = nullptr;
};

} // namespace railyard
