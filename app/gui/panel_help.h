// The help that Shift+F1 and a click on a part of the window show.
#pragma once

class QWidget;

namespace railyard {

struct ExplainedParts {
    QWidget *palette, *inspector, *metrics, *findings, *tables, *why, *failing, *load, *jobBar, *play;
};
void explainPanels(const ExplainedParts& parts);

} // namespace railyard
