#include "widgets/export/play_frames.h"

#include "widgets/export/page_file.h"

#include <qcustomplot.h>

namespace railyard {

Status drawPlay(const PlayedOn& on, const PlayedSteps& steps, const QString& path, const PictureOptions& options) {
    constexpr double secondsEach = 1.5;
    if (steps.steps().empty()) return Error::unbuildable("A single GPU sends nothing, so there are no steps to draw.");
    std::vector<PlayFrame> frames;
    for (std::size_t step = 0; step < steps.steps().size(); ++step) {
        auto frame = frameOf(on, steps, step);
        if (!frame) return frame.errors();
        frames.push_back(std::move(*frame));
    }
    const auto paint = [&](QCPPainter& painter, int page) {
        const PlayFrame& frame = frames[static_cast<std::size_t>(page)];
        PictureOptions own = options;
        own.loads = &frame.ofLinks;
        own.hops = &frame.hops;
        own.heading = QString::fromStdString(steps.title());
        own.sentence = frame.words;
        paintTopology(painter, *on.intact, own);
    };
    return writePages(path, options.size, options.dpi, QString::fromStdString(steps.title()), static_cast<int>(frames.size()), secondsEach,
                      paint);
}

} // namespace railyard
