// All edits: pure functions from a design to the next design, or to the reason for a rejection. Also used for previews.
#pragma once

#include "core/design/edits/edit_blocks.h"
#include "core/design/edits/edit_callouts.h"
#include "core/design/edits/edit_copy.h"
#include "core/design/edits/edit_elements.h"
#include "core/design/edits/edit_floor.h"
#include "core/design/edits/edit_palette.h"
#include "core/design/edits/edit_result.h"
#include "core/design/edits/edit_templates.h"
#include "core/design/edits/edit_tiers.h"
