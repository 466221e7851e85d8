// Errors as the window spells them.
#pragma once

#include "core/base/error.h"

#include <QString>

namespace railyard {

// The label of a parameter of the recipe, the training job or the site: "Leaf downlinks" for leaf_down; empty if there is none.
QString labelOfParameter(const std::string& key);
// With that label in place of the key of the command line.
QString wordsOf(const Error& error);

} // namespace railyard
