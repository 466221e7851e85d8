// The flat fabric: every device and every link, from which all figures can be computed again.
#include "core/io/tables/fabric_csv.h"

#include "core/base/file.h"
#include "core/bill/auxiliary_networks.h"
#include "core/fabric/optical_switches.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/csv.h"
#include "core/reliability/power_feeds.h"

namespace railyard {
namespace {

void writeDevices(CsvWriter& csv, const Fabric& fabric, const Floor& floor) {
    for (const char* name :
         {"path", "kind", "tier", "rail", "plane", "su", "hb_domain", "server", "part", "rack", "u", "x_m", "y_m", "server_part"})
        csv.text(name);
    csv.endRow();
    const DeviceTable& devices = fabric.devices;
    const auto count = [&](std::uint32_t value) { value > 0 ? csv.number(static_cast<std::int64_t>(value)) : csv.empty(); };
    for (const DeviceId d : devices.ids()) {
        const DeviceKind kind = devices.kind[d];
        const bool inDomain = infoOf(kind).inDomain && devices.hbDomain[d] != none;
        csv.text(fabric.devicePath(d)).text(toText(kind)).text(toText(devices.tier[d]));
        count(devices.rail[d]);
        count(devices.plane[d]);
        count(devices.su[d]);
        csv.text(inDomain ? fabric.scopePath(fabric.hbDomains[devices.hbDomain[d]]) : "");
        csv.text(devices.server[d] != none ? fabric.scopePath(fabric.servers[devices.server[d]]) : "");
        csv.text(fabric.partIds[devices.part[d]]);
        if (const Rack* rack = floor.rackAt(d))
            csv.text(rack->label).number(std::int64_t{floor.chassisAt(d)->unit}).number(rack->x).number(rack->y);
        else
            csv.empty().empty().empty().empty();
        const bool isInServer = devices.server[d] != none;
        csv.text(isInServer ? fabric.partIds[fabric.serverParts[devices.server[d]]] : std::string());
        csv.endRow();
    }
}

void writeLinks(CsvWriter& csv, const Fabric& fabric, const Cabling& cabling, char idPrefix) {
    for (const char* name :
         {"a_device", "a_port", "b_device", "b_port", "tier", "speed_gbps", "cable", "medium", "length_m", "patch_cable"})
        csv.text(name);
    csv.endRow();
    for (const LinkId l : fabric.links.ids()) {
        const LinkTable& links = fabric.links;
        const bool network = fabric.isNetworkLink(l);
        csv.text(fabric.devicePath(links.a[l])).text(fabric.portName(links.a[l], links.aPort[l], links.tier[l]));
        csv.text(fabric.devicePath(links.b[l])).text(fabric.portName(links.b[l], links.bPort[l], links.tier[l]));
        csv.text(toText(links.tier[l])).number(inGbps(fabric.speedOf(l)));
        const OpticChoice& choice = cabling.choiceOf(l);
        const std::string medium = network && choice.medium != "copper" ? choice.medium : ""; // RJ45 has no name here
        csv.text(network ? cableId(cabling.cableOf(l), idPrefix) : "").text(medium);
        network ? csv.number(choice.ordered.value()) : csv.empty();
        csv.text(network ? cableId(cabling.patchOf(l), idPrefix) : "");
        csv.endRow();
    }
}

// The power feeds of every rack; without the file every rack is on both feeds of its row.
void writeFeeds(CsvWriter& csv, const Floor& floor) {
    for (const char* name : {"rack", "row", "feeds"}) csv.text(name);
    csv.endRow();
    for (const Rack& rack : floor.racks) {
        csv.text(rack.label).text(rack.row()).text(rackFeedsNames[static_cast<std::size_t>(rack.feeds)]);
        csv.endRow();
    }
}

// The links through every optical circuit switch, by their lower ends.
void writeOpticalSwitches(CsvWriter& csv, const Fabric& fabric, const OpticalSwitches& switches) {
    for (const char* name : {"ocs", "a_device", "a_port"}) csv.text(name);
    csv.endRow();
    const LinkTable& links = fabric.links;
    for (std::size_t s = 0; s < switches.links.size(); ++s)
        for (const LinkId l : switches.links[s]) {
            csv.number(static_cast<std::int64_t>(s + 1)).text(fabric.devicePath(links.a[l]));
            csv.text(fabric.portName(links.a[l], links.aPort[l], links.tier[l]));
            csv.endRow();
        }
}

// A fabric of 40 million links is gigabytes of text: it goes to the file as it is made.
Result<PendingFile> pendingCsv(const std::string& path, const std::function<void(CsvWriter&)>& fill) {
    auto file = PendingFile::nextTo(path);
    if (!file) return file;
    CsvWriter csv([&](std::string_view bytes) { return file->append(bytes); });
    fill(csv);
    Status done = csv.flush();
    if (done) done = file->finish();
    if (!done) return done.errors();
    return file;
}

} // namespace

std::string devicesCsv(const Fabric& fabric, const Floor& floor) {
    CsvWriter csv;
    writeDevices(csv, fabric, floor);
    return csv.bytes();
}

std::string linksCsv(const Fabric& fabric, const Cabling& cabling) {
    CsvWriter csv;
    writeLinks(csv, fabric, cabling, 'C');
    return csv.bytes();
}

Status writeFabricCsv(const Fabric& fabric, const std::string& folder, std::vector<std::string>& files) {
    std::vector<PendingFile> pending;
    const auto write = [&](const std::string& name, const std::function<void(CsvWriter&)>& fill) -> Status {
        const std::string path = folder + "/" + name;
        auto file = pendingCsv(path, fill);
        if (!file) return file.errors();
        pending.push_back(std::move(*file));
        files.push_back(path);
        return Done{};
    };
    const auto add = [&](const std::string& prefix, char idPrefix, const Fabric& each, const Cabling& cabling) -> Status {
        if (Status done = write(prefix + "devices.csv", [&](CsvWriter& csv) { writeDevices(csv, each, cabling.floor); }); !done)
            return done;
        return write(prefix + "links.csv", [&](CsvWriter& csv) { writeLinks(csv, each, cabling, idPrefix); });
    };
    const Cabling cabling = cablingOf(fabric);
    if (hasSingleFeeds(*fabric.design))
        if (Status done = write("feeds.csv", [&](CsvWriter& csv) { writeFeeds(csv, cabling.floor); }); !done) return done;
    if (const OpticalSwitches switches = opticalSwitchesOf(fabric); switches.isAny())
        if (Status done = write("ocs.csv", [&](CsvWriter& csv) { writeOpticalSwitches(csv, fabric, switches); }); !done) return done;
    if (Status done = add("", 'C', fabric, cabling); !done) return done;
    for (const AuxiliaryFabric& side : auxiliaryFabricsOf(cabling)) // networks beside the compute fabric, apart
        if (Status done = add(side.name + "-", cablePrefix(side.name), *side.fabric, side.cabling); !done) return done;
    return moveIntoPlace(pending);
}

} // namespace railyard
