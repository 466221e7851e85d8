#include "widgets/panels/callout_section.h"

#include "core/fabric/path_finder.h"
#include "widgets/theme/text.h"

#include <QLineEdit>

namespace railyard {
namespace {

// The field has a single line, so \\n stands for a line break and a doubled backslash for a backslash.
QString onOneLine(QString words) {
    return words.replace(QLatin1Char('\\'), QStringLiteral("\\\\")).replace(QLatin1Char('\n'), QStringLiteral("\\n"));
}
QString onLines(const QString& field) {
    QString words;
    for (qsizetype i = 0; i < field.size(); ++i) {
        const bool escaped = field[i] == QLatin1Char('\\') && i + 1 < field.size();
        if (escaped) ++i;
        words += escaped && field[i] == QLatin1Char('n') ? QLatin1Char('\n') : field[i];
    }
    return words;
}
} // namespace

void addCalloutSection(InspectorForm& form, Document& document, std::size_t index) {
    const Callout& callout = document.now().design->callouts[index];
    std::string about;
    for (const std::string& path : callout.of) about += (about.empty() ? "" : ", ") + path;
    const auto change = [&document, index](const auto& set) {
        Callout next = document.now().design->callouts[index];
        set(next);
        return changeCallout(*document.now().design, index, next);
    };
    if (callout.kind != Callout::Kind::Legend)
        form.addField(callout.kind == Callout::Kind::Logo ? inspectorText("File") : inspectorText("Text"), QStringLiteral("callout-text"),
                      onOneLine(text(callout.text)), [change](const std::string& wanted) {
                          return change([&](Callout& next) { next.text = onLines(QString::fromStdString(wanted)).toStdString(); });
                      });
    const auto setAbout = [&document, change](const std::string& wanted) -> Result<Edit> {
        std::vector<std::string> paths;
        const PathFinder finder(*document.now().fabric);
        for (const QString& each : QString::fromStdString(wanted).split(QLatin1Char(','), Qt::SkipEmptyParts)) {
            paths.push_back(each.trimmed().toStdString());
            if (!finder.device(paths.back()) && !finder.scope(paths.back()))
                return Error::usage(paths.back() + " does not exist in the design. Enter paths such as su[1] or su[1]/leaf[2].");
        }
        return change([&](Callout& next) { next.of = paths; });
    };
    form.addField(inspectorText("Elements"), QStringLiteral("callout-about"), text(about), setAbout)
        ->setPlaceholderText(inspectorText("Whole drawing"));
    const double width = callout.width;
    auto* field = form.addField(inspectorText("Width"), QStringLiteral("callout-width"), width > 0 ? QString::number(width) : QString(),
                                [change](const std::string& wanted) -> Result<Edit> {
                                    const double value = QString::fromStdString(wanted).toDouble();
                                    if (!wanted.empty() && !(value > 0))
                                        return Error::usage("The width must be a number above 0, or empty for automatic width.");
                                    return change([&](Callout& next) { next.width = value; });
                                });
    field->setPlaceholderText(inspectorText("Automatic"));
    if (callout.kind == Callout::Kind::Arrow || callout.kind == Callout::Kind::Text)
        form.addFact(inspectorText("Attach to element"), inspectorText("Alt-drag to the element"));
}

} // namespace railyard
