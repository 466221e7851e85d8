// The modes that colour the links of the drawing: loads, a collective step by step, concurrent jobs. One at a time is active.
#pragma once

#include "widgets/canvas/scene/scene.h"

#include <QObject>
#include <optional>

class QAction;
class QMenu;

namespace railyard {

class Canvas;
class JobBar;
class LoadBar;
class ModeBar;
class PlayBar;
class TrainingView;

class LinkModes : public QObject {
    Q_OBJECT

public:
    LinkModes(Canvas& canvas, LoadBar& loads, JobBar& jobs, PlayBar& play);
    void follow(TrainingView& training); // plays the iteration that it asks for
    void addTo(QMenu& view);
    void leave();     // all of them
    void leaveJobs(); // this mode unfolds the drawing

signals:
    void entered(); // one is about to colour the drawing
    void locateAsked(const QString& path);
    void refused(const QString& reason);

private:
    QAction* makeMode(ModeBar& bar, const QString& text, const QString& tip);
    void unfold(bool on);

    Canvas& m_canvas;
    PlayBar& m_playBar;
    QAction *m_loads, *m_play, *m_jobs;
    std::optional<Detail> m_detailBefore; // while the drawing is unfolded for a mode
};

} // namespace railyard
