#include "widgets/document/error_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace railyard {
namespace {

// QT_TRANSLATE_NOOP marks the words for translation.
constexpr std::array<std::pair<std::string_view, const char*>, 24> labels{{
    {"servers", QT_TRANSLATE_NOOP("railyard::Parameters", "Servers")},
    {"gpus", QT_TRANSLATE_NOOP("railyard::Parameters", "GPUs")},
    {"server", QT_TRANSLATE_NOOP("railyard::Parameters", "Server part")},
    {"switch", QT_TRANSLATE_NOOP("railyard::Parameters", "Switch")},
    {"spine_switch", QT_TRANSLATE_NOOP("railyard::Parameters", "Spine switch")},
    {"su_servers", QT_TRANSLATE_NOOP("railyard::Parameters", "Servers per SU")},
    {"pod_servers", QT_TRANSLATE_NOOP("railyard::Parameters", "Servers per pod")},
    {"rails", QT_TRANSLATE_NOOP("railyard::Parameters", "Rails")},
    {"planes", QT_TRANSLATE_NOOP("railyard::Parameters", "Planes")},
    {"tiers", QT_TRANSLATE_NOOP("railyard::Parameters", "Switch tiers")},
    {"leaf_down", QT_TRANSLATE_NOOP("railyard::Parameters", "Leaf downlinks")},
    {"leaf_up", QT_TRANSLATE_NOOP("railyard::Parameters", "Leaf uplinks")},
    {"spines", QT_TRANSLATE_NOOP("railyard::Parameters", "Spines")},
    {"hb_domain_gpus", QT_TRANSLATE_NOOP("railyard::Parameters", "GPUs per HB domain")},
    {"oversubscription", QT_TRANSLATE_NOOP("railyard::Parameters", "Leaf oversubscription")},
    {"manager_ports", QT_TRANSLATE_NOOP("railyard::Parameters", "Manager ports")},
    {"tp", QT_TRANSLATE_NOOP("railyard::Parameters", "TP")},
    {"pp", QT_TRANSLATE_NOOP("railyard::Parameters", "PP")},
    {"cp", QT_TRANSLATE_NOOP("railyard::Parameters", "CP")},
    {"ep", QT_TRANSLATE_NOOP("railyard::Parameters", "EP")},
    {"micro_batch", QT_TRANSLATE_NOOP("railyard::Parameters", "Micro-batch")},
    {"global_batch", QT_TRANSLATE_NOOP("railyard::Parameters", "Global batch")},
    {"interleave", QT_TRANSLATE_NOOP("railyard::Parameters", "Chunks per stage")},
    {"nic_gbps", QT_TRANSLATE_NOOP("railyard::Parameters", "NIC bandwidth (Gb/s)")},
}};

} // namespace

QString labelOfParameter(const std::string& key) {
    const auto found = std::find_if(labels.begin(), labels.end(), [&](const auto& each) { return each.first == key; });
    return found == labels.end() ? QString() : QCoreApplication::translate("railyard::Parameters", found->second);
}

QString wordsOf(const Error& error) {
    const QString label = labelOfParameter(error.field);
    return QString::fromStdString(label.isEmpty() || error.wrong.empty() ? error.text : error.parameterText(label.toStdString()));
}

} // namespace railyard
