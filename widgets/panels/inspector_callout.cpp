#include "core/fabric/path_finder.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/theme/text.h"

#include <QLabel>
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

// The fields of a callout: its text, the elements it is attached to, and its width.
void InspectorPanel::showCallout(std::size_t index) {
    const Callout& callout = m_document.now().design->callouts[index];
    std::string about;
    for (const std::string& path : callout.of) about += (about.empty() ? "" : ", ") + path;
    m_title->setText(text(m_paths.front()));
    m_subtitle->setText(tr("%1 callout").arg(text(std::string(toText(callout.kind)))));
    const auto change = [this, index](const auto& set) {
        Callout next = m_document.now().design->callouts[index];
        set(next);
        return changeCallout(*m_document.now().design, index, next);
    };
    if (callout.kind != Callout::Kind::Legend)
        addField(callout.kind == Callout::Kind::Logo ? tr("File") : tr("Text"), QStringLiteral("callout-text"),
                 onOneLine(text(callout.text)), [change](const std::string& wanted) {
                     return change([&](Callout& next) { next.text = onLines(QString::fromStdString(wanted)).toStdString(); });
                 });
    const auto setAbout = [this, change](const std::string& wanted) -> Result<Edit> {
        std::vector<std::string> paths;
        const PathFinder finder(*m_document.now().fabric);
        for (const QString& each : QString::fromStdString(wanted).split(QLatin1Char(','), Qt::SkipEmptyParts)) {
            paths.push_back(each.trimmed().toStdString());
            if (!finder.device(paths.back()) && !finder.scope(paths.back()))
                return Error::usage(paths.back() + " does not exist in the design. Enter paths such as su[1] or su[1]/leaf[2].");
        }
        return change([&](Callout& next) { next.of = paths; });
    };
    addField(tr("Elements"), QStringLiteral("callout-about"), text(about), setAbout)->setPlaceholderText(tr("Whole drawing"));
    const double width = callout.width;
    auto* field = addField(tr("Width"), QStringLiteral("callout-width"), width > 0 ? QString::number(width) : QString(),
                           [change](const std::string& wanted) -> Result<Edit> {
                               const double value = QString::fromStdString(wanted).toDouble();
                               if (!wanted.empty() && !(value > 0))
                                   return Error::usage("The width must be a number above 0, or empty for automatic width.");
                               return change([&](Callout& next) { next.width = value; });
                           });
    field->setPlaceholderText(tr("Automatic"));
    if (callout.kind == Callout::Kind::Arrow || callout.kind == Callout::Kind::Text)
        addFact(tr("Attach to element"), tr("Alt-drag to the element"));
}

} // namespace railyard
