// A form of parameter rows: one field each, by kind, under the headings of their groups. It holds texts; whoever shows it knows the
// settings.
#pragma once

#include <QWidget> // first, because moc cannot parse <memory> before <concepts>

#include "core/base/parameter.h"

#include <functional>
#include <optional>
#include <vector>

class QFormLayout;
class QLabel;

namespace railyard {

class ParameterForm : public QWidget {
    Q_OBJECT

public:
    // The name of the field of `micro_batch` is PREFIX-micro-batch.
    ParameterForm(std::vector<ParameterInfo> rows, const QString& prefix, QWidget* parent = nullptr);
    // By key; is not an edit. Texts that a field cannot show stay as they are until the field is edited.
    void show(const ParameterTexts& texts);
    void follow(const ParameterTexts& texts); // the same, but a field with a problem keeps its text while the value is as it was
    void nameChoice(const std::string& key, const QString& value, const QString& label); // one that the row does not list
    ParameterTexts edits() const; // what differs from what was shown last, and can be the value of its field
    bool check();                 // whether all edits can; if not, says so
    void showProblem(const QString& sentence, const std::string& key = {}); // below this field, or below all; empty: none
    QFormLayout& rows() { return *m_rows; }

signals:
    void edited(); // edits() has something; a field with a value that it cannot have says so and waits

private:
    struct Field {
        ParameterInfo info;
        QWidget* widget = nullptr;
        std::function<QString()> text;
        std::function<void(const QString&)> show;
        QString shown = {};                    // the text of the field after `show`
        std::optional<std::string> given = {}; // the text that was shown
        std::string problem() const;
    };
    QWidget* addField(Field& field);
    QWidget* numberField(Field& field);
    QWidget* choiceField(Field& field);
    QWidget* switchField(Field& field);
    QWidget* textField(Field& field);
    void takeEdit();

    QFormLayout* m_rows;
    QLabel* m_problem;
    std::vector<Field> m_fields;
    bool m_isFilling = false; // fields are being set, not edited
};

template <class Settings>
ParameterTexts allTextsOf(std::span<const Parameter<Settings>> rows, const Settings& settings) {
    ParameterTexts texts;
    for (const Parameter<Settings>& row : rows) texts[std::string(row.info.key)] = row.text(settings);
    return texts;
}

} // namespace railyard
