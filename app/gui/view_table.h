// The views of the window, a row each: the view bar, the stack of views, their help and their themes go by the rows.
#pragma once

#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QStackedWidget>
#include <span>

namespace railyard {

enum class View { Draw, Floor, Traffic, Training, Failure, Sweep, Decide, Compare }; // in the order of the table

struct ViewInfo {
    View view;
    const char *name, *help; // to be translated in the context ViewTable
    QWidget* (*make)(Document& document) = nullptr;
    void (*setTokens)(QWidget& view, const Tokens& tokens) = nullptr;

    QString title() const, explanation() const; // in the language of the user
};

std::span<const ViewInfo> viewTable();

// All views, one of them shown.
class ViewStack : public QStackedWidget {
    Q_OBJECT

public:
    explicit ViewStack(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    View shown() const { return static_cast<View>(currentIndex()); }
    void show(View view) { setCurrentIndex(static_cast<int>(view)); }
    // The widget of a view, of the class that its row makes.
    template <class Widget>
    Widget& get(View view) const {
        return *qobject_cast<Widget*>(widget(static_cast<int>(view)));
    }
};

} // namespace railyard
