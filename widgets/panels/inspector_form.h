// The rows of the inspector: facts, fields and buttons, each of which may be an edit.
#pragma once

#include "widgets/document/document.h"

#include <QWidget>
#include <functional>

class QFormLayout;
class QLineEdit;

namespace railyard {

QString inspectorText(const char* words); // translated

class InspectorForm : public QWidget {
    Q_OBJECT

public:
    using Apply = std::function<void(const Result<Edit>&)>;
    explicit InspectorForm(Apply apply, QWidget* parent = nullptr);

    void addHeading(const QString& words);
    void addFact(const QString& name, const QString& value);
    // Adds a field that passes changed text to `edit`. Refused text stays in the field, and the reason is passed to refused().
    using FieldEdit = std::function<Result<Edit>(const std::string& text)>;
    QLineEdit* addField(const QString& name, const QString& object, const QString& value, FieldEdit edit);
    void addButton(const QString& words, std::function<Result<Edit>()> edit);
    void addAction(const QString& words, std::function<void()> act);
    void addControl(const QString& name, QWidget* control);
    void addWide(QWidget* widget); // over both columns
    void addNote(const QString& words);

signals:
    void refused(const QString& reason); // of a field

private:
    Apply m_apply;
    QFormLayout* m_rows;
};

} // namespace railyard
