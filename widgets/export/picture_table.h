// The pictures of a design, a row each: `railyard render --view` and File › Export draw these.
#pragma once

#include "widgets/export/pictures.h"

#include <span>

namespace railyard {

struct PictureInfo {
    std::string_view view;     // of `render --view`: topology, or heatmap for heatmap:KIND
    std::string_view argument; // what follows the colon: FILE (read into PictureOptions::other), KIND or CHART; empty: nothing does
    std::string_view help;     // in brackets behind its name in the help
    bool hasPages = false;     // on as many as needed; otherwise always one file
    bool showsPrices = false;
    bool hasDeck = false; // as .pptx too
    // Returns the files written.
    Result<QStringList> (*draw)(const FabricPointer& fabric, const std::string& argument, const QString& path,
                                const PictureOptions& options) = nullptr;
};

// Draws it. The file carries the design where `options` ask for it and there is one only.
Result<QStringList> drawPicture(const PictureInfo& picture, const FabricPointer& fabric, const std::string& argument, const QString& path,
                                const PictureOptions& options);

std::span<const PictureInfo> pictureTable();
// The row and the argument of "heatmap:tcp". Null: there is no such picture, or an argument is missing or too much.
std::pair<const PictureInfo*, std::string> pictureNamed(const std::string& view);
std::string pictureNames(); // topology, floor, racks and so on, with their help
QString pictureFilters(const PictureInfo& picture);

} // namespace railyard
