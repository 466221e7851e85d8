// What is said of a single cable, at the pointer and in the inspector.
#pragma once

#include "core/bill/cabling.h"

#include <QString>

namespace railyard {

enum class CableAct { Disconnect, Move, OtherEnd }; // what can be done with a cable

struct CableFacts {
    QString upper, lower;              // its ports
    QString speed, rail;               // rail: empty if it is on none
    QString id, length, part, modules; // modules: empty for cables that have none
};
CableFacts factsOf(const Fabric& fabric, LinkId link, const Cabling& cabling);

} // namespace railyard
