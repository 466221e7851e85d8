// What a design may hold at most. Checked when a document is read and before it is saved, so that the fabric's tables, whose
// indices are narrow, can hold every design that passes, and no element's path names two elements.
#pragma once

#include "core/design/model/design.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace railyard {

// Devices and block instances: 1,048,576 GPUs with their NICs, HB switches and servers are three million. More would take gigabytes.
inline constexpr std::int64_t mostElements = 5'000'000;
inline constexpr std::size_t mostLinks = 40'000'000; // found when the fabric is built: finding RY-D016
inline constexpr std::size_t mostNames = 65'535;     // different slugs, parts and port layouts, each
inline constexpr std::size_t mostSpeeds = 255;       // different speeds of ports and links

inline constexpr int mostCount = 4'000'000; // of a row of elements, and the index of one
inline constexpr int mostPorts = 65'536;    // of a switch; and the number of a rail
inline constexpr int mostPlanes = 64;

// Empty if the design keeps to all limits; otherwise a sentence without its subject: "has more than ...; ...".
std::string beyondLimits(const Design& design);
// The name that hand-drawn elements and the block root both give to an element, as leaf[3]; empty if there is none.
std::string sharedName(const Design& design);
// The same for the devices and the inner blocks of a block.
std::string sharedName(const Block& block);

} // namespace railyard
