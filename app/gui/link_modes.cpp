#include "app/gui/link_modes.h"

#include "widgets/canvas/canvas.h"
#include "widgets/modes/job_bar.h"
#include "widgets/modes/load_bar.h"
#include "widgets/modes/play_bar.h"
#include "widgets/theme/plain_text.h"
#include "widgets/views/training_view.h"

#include <QAction>
#include <QMenu>

namespace railyard {

LinkModes::LinkModes(Canvas& canvas, LoadBar& loads, JobBar& jobs, PlayBar& play)
    : m_canvas(canvas),
      m_playBar(play),
      m_loads(makeMode(loads, tr("Lin&k loads"), tr("Shows the load of every link under a traffic pattern."))),
      m_play(makeMode(play, tr("&Play collective"), tr("Shows a collective step by step, with links coloured by load."))),
      m_jobs(makeMode(jobs, tr("Concurrent &jobs"), tr("Shows the servers of each job and how much the jobs slow each other."))) {
    m_loads->setShortcut(Qt::Key_L);
    m_play->setShortcut(Qt::SHIFT | Qt::Key_L);
    m_jobs->setShortcut(Qt::Key_J);
    connect(&play, &PlayBar::hopsChanged, &canvas, &Canvas::showHops);
    connect(&play, &PlayBar::territoriesChanged, this, [this](const Territories& stages) {
        if (!stages.isEmpty()) unfold(true);
        m_canvas.showTerritories(stages);
    });
    connect(&jobs, &JobBar::territoriesChanged, &canvas, &Canvas::showTerritories);
}

QAction* LinkModes::makeMode(ModeBar& bar, const QString& text, const QString& tip) {
    auto* mode = new QAction(text, this);
    mode->setCheckable(true);
    setToolTipOf(*mode, tip);
    connect(&bar, &ModeBar::loadsChanged, &m_canvas, &Canvas::showLoads);
    connect(&bar, &ModeBar::refused, this, &LinkModes::refused);
    connect(&bar, &ModeBar::locateAsked, this, &LinkModes::locateAsked);
    connect(&bar, &ModeBar::leaveAsked, mode, [mode] { mode->setChecked(false); });
    connect(mode, &QAction::toggled, &bar, [this, mode, &bar](bool on) {
        if (on) {
            emit entered();
            for (QAction* other : {m_loads, m_play, m_jobs})
                if (other != mode) other->setChecked(false);
        }
        if (mode == m_jobs || (mode == m_play && !on)) unfold(on);
        bar.setOn(on);
    });
    return mode;
}

// In a fold, one server would represent servers of several jobs or stages.
void LinkModes::unfold(bool on) {
    if (on && !m_detailBefore) {
        m_detailBefore = m_canvas.detail();
        m_canvas.setUnfolded(true);
    } else if (!on && m_detailBefore) {
        if (m_canvas.isUnfolded()) m_canvas.setDetail(*m_detailBefore);
        m_detailBefore.reset();
    }
}

void LinkModes::follow(TrainingView& training) {
    connect(&training, &TrainingView::playAsked, this, [this](const JobRequest& job, const auto& calibration) {
        m_play->setChecked(true);
        m_playBar.playIteration(job, calibration);
    });
}

void LinkModes::addTo(QMenu& view) { view.addActions({m_loads, m_play, m_jobs}); }

void LinkModes::leave() {
    for (QAction* mode : {m_loads, m_play, m_jobs}) mode->setChecked(false);
}

void LinkModes::leaveJobs() { m_jobs->setChecked(false); }

} // namespace railyard
