#include "app/session/autosave.h"

#include "core/io/document/design_json.h"
#include "widgets/panels/banner.h"
#include "widgets/theme/plain_text.h"

#include <QDateTime>
#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {
namespace {

QString inWords(const Leftover& leftover) {
    const auto design = loadDesign(leftover.design.toStdString());
    const QString name = design ? QString::fromStdString((*design)->name) : Autosave::tr("Unreadable design");
    const QString when = QLocale().toString(QFileInfo(leftover.design).lastModified(), QLocale::ShortFormat);
    return Autosave::tr("%1, last edit %2\n%3").arg(name, when, leftover.origin.isEmpty() ? Autosave::tr("never saved") : leftover.origin);
}

} // namespace

Autosave::Autosave(Document& document, Banner& banner, QWidget& window)
    : m_document(document),
      m_banner(banner),
      m_window(window),
      m_journal(document, Journal::standardRoot()) {
    connect(&m_file, &DocumentFile::changedOutside, this, &Autosave::sayChangedOutside);
    connect(&m_journal, &Journal::failed, this, [this](const QString& reason) {
        m_banner.say(tr("Autosave is not working: %1").arg(reason), {{tr("Save as…"), [this] { emit saveAsAsked(); }}});
    });
}

void Autosave::followFile(std::string mark) {
    m_file.follow(m_document.path(), std::move(mark));
    m_journal.setOriginMark(m_file.mark());
    sayReadOnly();
    // Another program may have written the file while it was being read, before it was watched.
    if (!m_document.path().isEmpty() && m_file.whyReadOnly().isEmpty() && m_file.isChangedOutside()) sayChangedOutside();
}

void Autosave::sayReadOnly() {
    if (m_document.path().isEmpty() || m_file.whyReadOnly().isEmpty()) return m_banner.hide();
    std::vector<Banner::Choice> choices{{tr("Save a copy…"), [this] { emit saveAsAsked(); }}};
    QString why = tr("Read-only: %1").arg(m_file.whyReadOnly());
    if (m_file.isHeldElsewhere()) {
        why += tr(" If Railyard no longer runs there, take the lock to edit the file.");
        choices.insert(choices.begin(), {tr("Open anyway and take the lock"), [this] { takeLock(); }});
    }
    m_banner.say(why, std::move(choices));
}

void Autosave::takeLock() {
    m_file.takeLock();
    if (m_file.whyReadOnly().isEmpty() && m_file.isChangedOutside()) return; // the banner offers to reload
    sayReadOnly();
}

void Autosave::sayChangedOutside() {
    const QString path = m_document.path();
    if (!QFileInfo::exists(path))
        return m_banner.say(tr("%1 no longer exists on disk. The only copy is the one open here.").arg(QFileInfo(path).fileName()),
                            {{tr("Save as…"), [this] { emit saveAsAsked(); }}});
    m_banner.say(
        m_document.isModified()
            ? tr("%1 was changed by another program, and you have unsaved edits. Reloading discards them.").arg(QFileInfo(path).fileName())
            : tr("%1 was changed by another program.").arg(QFileInfo(path).fileName()),
        {{tr("Reload"), [this, path] { emit reloadAsked(path); }}, {tr("Save as…"), [this] { emit saveAsAsked(); }}});
}

Autosave::Answer Autosave::maySave() {
    if (!m_file.whyReadOnly().isEmpty()) return Answer::SaveAs;
    if (!m_file.isChangedOutside()) return Answer::Save;
    const int answer = askChoice(&m_window, tr("Replace the other version?"),
                                 tr("%1 was changed by another program since you opened it.").arg(m_document.path()),
                                 {{tr("Replace"), QMessageBox::DestructiveRole}, {tr("Save as…")}}, 1);
    if (answer == 0) m_file.acceptContent();
    return answer == 0 ? Answer::Save : answer == 1 ? Answer::SaveAs : Answer::Cancel;
}

void Autosave::endNow() {
    m_journal.keepForRecovery();
    m_file.follow({}, {});
}

void Autosave::offerRecovery() {
    const std::vector<Leftover> leftovers = Journal::leftovers(Journal::standardRoot());
    if (leftovers.empty()) return;
    QDialog dialog(&m_window);
    dialog.setObjectName(QStringLiteral("recovery"));
    dialog.setWindowTitle(tr("Recover unsaved edits"));
    auto* column = new QVBoxLayout(&dialog);
    auto* words = plainLabel(tr("Railyard closed unexpectedly. Unsaved edits were found:"));
    column->addWidget(words);
    auto* list = new QListWidget;
    for (const Leftover& leftover : leftovers) list->addItem(inWords(leftover));
    list->setCurrentRow(0);
    list->setMinimumSize(460, 140);
    column->addWidget(list);
    auto* row = new QHBoxLayout;
    auto* discard = new QPushButton(tr("Discard"));
    auto* later = new QPushButton(tr("Decide later"));
    auto* recover = new QPushButton(tr("Recover"));
    recover->setDefault(true);
    row->addWidget(discard);
    row->addStretch();
    row->addWidget(later);
    row->addWidget(recover);
    column->addLayout(row);
    connect(later, &QPushButton::clicked, &dialog, &QDialog::reject);
    connect(recover, &QPushButton::clicked, &dialog, &QDialog::accept);
    connect(discard, &QPushButton::clicked, &dialog, [&] { dialog.done(2); });
    const int answer = dialog.exec();
    const Leftover& chosen = leftovers[static_cast<std::size_t>(std::max(0, list->currentRow()))];
    if (answer == 2) return Journal::discard(chosen);
    if (answer != QDialog::Accepted) return;
    auto design = loadDesign(chosen.design.toStdString());
    if (!design) {
        warn(&m_window, tr("The design cannot be recovered"), QString::fromStdString(toText(design.error())));
        return;
    }
    m_document.openUnsaved(*design, chosen.origin);
    followFile(chosen.originMark);
    if (m_journal.writeNow()) Journal::discard(chosen); // discarded only when this session has written its own copy
}

} // namespace railyard
