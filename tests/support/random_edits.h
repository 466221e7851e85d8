// Random edits by every edit function of the core, the same on every machine. tst_undo checks that no function is missing.
#pragma once

#include "core/analysis/cable_edits.h"
#include "core/analysis/edit_labels.h"
#include "core/analysis/edit_text.h"
#include "core/analysis/option_sections.h"
#include "core/fabric/connect.h"
#include "core/fabric/group.h"
#include "tests/support/designs.h"

#include <functional>

namespace railyard::test {

class RandomEdits {
public:
    using Function = std::function<Result<Edit>(const FabricPointer& now)>;
    explicit RandomEdits(std::uint64_t seed) : m_random{seed} { makeFunctions(); }
    const std::map<std::string, Function>& functions() const { return m_functions; }
    std::string anyName() { return std::next(m_functions.begin(), m_random.below(static_cast<int>(m_functions.size())))->first; }
    Result<Edit> make(const std::string& name, const FabricPointer& now) { return m_functions.at(name)(now); }

    // Back to a few servers, for a walk whose design has grown.
    Result<Edit> smallAgain(const Design& design) {
        auto fresh = build({m_random.below(2) ? "rail-optimized" : "rail-only",
                            {{"servers", "4"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}}},
                           "walk", design.catalog);
        if (!fresh) return fresh.error();
        return Edit{std::make_shared<const Design>(std::move(*fresh)), "small again"};
    }

private:
    using Setting = std::pair<const std::string, std::string>;
    static inline const std::vector<Setting> parameters{{"oversubscription", "2:1"},
                                                        {"oversubscription", "1:1"},
                                                        {"su_servers", "4"},
                                                        {"rails", "2"},
                                                        {"tiers", "2"},
                                                        {"tiers", "auto"},
                                                        {"radix", "16"},
                                                        {"radix", "8"},
                                                        {"name", "x"},
                                                        {"planes", "2"}};

    template <class Make>
    void ofDesign(const std::string& name, Make make) {
        m_functions[name] = [make](const FabricPointer& now) -> Result<Edit> { return make(*now->design, *now); };
    }
    void makeFunctions() {
        makeCounts();
        makeElements();
        makeBlocks();
        makeFloor();
        makeNotes();
    }
    void makeCounts() {
        ofDesign("dropItem",
                 [this](const Design& d, const Fabric&) { return dropItem(d, static_cast<PaletteItem>(m_random.below(8)), point()); });
        ofDesign("dropLeafOnUnit", [](const Design& d, const Fabric&) { // with all NICs on rails of their own no leaf is left to add
            const auto fewer = setParameters(d, {{"rails", "1"}});
            return dropLeafOnUnit(fewer ? *fewer->design : d);
        });
        ofDesign("dropOffRung", [this](const Design& d, const Fabric&) {
            return dropOffRung(d, static_cast<PaletteItem>(m_random.below(8)), 1 + m_random.below(3), point());
        });
        ofDesign("dropOne",
                 [this](const Design& d, const Fabric&) { return dropOne(d, static_cast<PaletteItem>(m_random.below(8)), point()); });
        ofDesign("dropNamed", [this](const Design& d, const Fabric&) { return dropNamed(d, templatesOf(d).front().name, point()); });
        ofDesign("stepTier", [this](const Design& d, const Fabric&) {
            return stepTier(d, static_cast<TierStep>(m_random.below(6)), m_random.below(5) - 2);
        });
        ofDesign("setParameters", [this](const Design& d, const Fabric&) { return setParameters(d, {any(parameters)}); });
        ofDesign("setServers", [this](const Design& d, const Fabric&) { return setServers(d, 1 + m_random.below(12)); });
        ofDesign("replaceRecipe", [this](const Design& d, const Fabric&) {
            RecipeCall call{
                m_random.below(2) ? "rail-optimized" : "fat-tree",
                {{"servers", std::to_string(1 + m_random.below(8))}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}}};
            return replaceRecipe(d, call);
        });
    }
    void makeElements() {
        ofDesign("removeElements", [this](const Design& d, const Fabric& f) {
            return removeElements(d, {m_random.below(4) ? path(f) : std::string("callout[1]")});
        });
        ofDesign("moveElements", [this](const Design& d, const Fabric& f) {
            return moveElements(d, {{m_random.below(4) ? path(f) : std::string("callout[1]"), point()}});
        });
        ofDesign("setPart", [this](const Design& d, const Fabric& f) { return setPart(d, {path(f)}, any(parts)); });
        ofDesign("labelElements", [this](const Design& d, const Fabric& f) {
            return labelElements(d, {{path(f), m_random.below(4) ? "name-" + std::to_string(m_random.below(99)) : std::string()}});
        });
        ofDesign("copyChange", [this](const Design& d, const Fabric& f) {
            return copyChange(d, changed(d, f), {path(f), block(path(f))});
        });
        ofDesign("dropChanges", [this](const Design& d, const Fabric& f) { return dropChanges(d, {changed(d, f)}); });
        ofDesign("backToRecipe", [this](const Design& d, const Fabric& f) { return backToRecipe(d, {changed(d, f)}); });
        ofDesign("pasteElements", [this](const Design& d, const Fabric& f) -> Result<Edit> {
            const auto part = copyElements(d, {m_random.below(2) ? free(d) : path(f)});
            if (!part) return part.errors();
            return pasteElements(d, **part, point());
        });
        ofDesign("connect", [this](const Design&, const Fabric& f) { return railyard::connect(f, switchPath(f), switchPath(f)); });
        ofDesign("connectGroups", [this](const Design&, const Fabric& f) {
            return connectGroups(f, {switchPath(f), switchPath(f)}, {switchPath(f), switchPath(f)},
                                 std::array{GroupPattern::EachToEach, GroupPattern::OneToOne, GroupPattern::RailByRail}[m_random.below(3)]);
        });
        ofDesign("addLink", [this](const Design& d, const Fabric& f) -> Result<Edit> {
            auto edit = railyard::connect(f, switchPath(f), switchPath(f)); // finds free ports
            if (!edit) return edit;
            return addLink(d, edit->design->free->links.back());
        });
        ofDesign("removeLink", [this](const Design& d, const Fabric&) -> Result<Edit> {
            if (d.free->links.empty()) return Error::unbuildable("nothing is connected by hand");
            const FreeLink& link = d.free->links[static_cast<std::size_t>(m_random.below(static_cast<int>(d.free->links.size())))];
            return removeLink(d, link.a, link.b);
        });
        const auto ends = [this](const Fabric& f) { // of any cable
            std::vector<LinkId> links;
            for (const LinkId l : f.links.ids())
                if (f.isNetworkLink(l)) links.push_back(l);
            if (links.empty()) return std::pair(std::string("nowhere:1"), std::string("nowhere:2"));
            const LinkId l = links[static_cast<std::size_t>(m_random.below(static_cast<int>(links.size())))];
            return std::pair(portPath(f, l, true), portPath(f, l, false));
        };
        m_functions["disconnect"] = [this, ends](const FabricPointer& f) {
            const auto [a, b] = ends(*f);
            return m_random.below(2) ? railyard::disconnect(f->design, a) : railyard::disconnect(f->design, a, b);
        };
        m_functions["moveCable"] = [this, ends](const FabricPointer& f) {
            const auto [a, b] = ends(*f);
            return moveCable(*f, m_random.below(2) ? a : b, path(*f));
        };
        m_functions["removeAll"] = [this, ends](const FabricPointer& f) {
            return removeAll(*f, m_random.below(2) ? std::vector{ends(*f).second} : std::vector{ends(*f).first, path(*f)});
        };
        m_functions["labelByTemplate"] = [this](const FabricPointer& f) {
            return labelByTemplate(f->design, {path(*f)}, "label-{position}");
        };
        m_functions["applyEdit"] = [this](const FabricPointer& f) {
            return applyEdit(f->design, "set " + path(*f) + ".label=name-" + std::to_string(m_random.below(99)));
        };
    }
    void makeBlocks() {
        ofDesign("copyBlock", [this](const Design& d, const Fabric& f) { return copyBlock(d, block(path(f)), point()); });
        ofDesign("makeUnique", [this](const Design& d, const Fabric& f) { return makeUnique(d, {block(path(f))}); });
        ofDesign("changeBlocks", [this](const Design& d, const Fabric& f) {
            return changeBlocks(d, {block(path(f))}, {any(slugs), m_random.below(6)});
        });
        ofDesign("groupElements", [this](const Design& d, const Fabric&) { return groupElements(d, {free(d), free(d)}); });
        ofDesign("dissolve", [this](const Design&, const Fabric& f) {
            return dissolve(f, block(path(f)), m_random.below(2) ? std::optional(point()) : std::nullopt);
        });
    }
    void makeFloor() {
        ofDesign("placeRacks", [this](const Design& d, const Fabric&) { return placeRacks(d, m_random.below(4) > 0); });
        ofDesign("setMedium", [this](const Design& d, const Fabric&) {
            return setMedium(d, m_random.below(2) ? CableMedium::ByLength : CableMedium::Optical);
        });
        ofDesign("moveRacks", [this](const Design& d, const Fabric&) {
            return moveRacks(d, {{"su[1]/rack[1]", {m_random.below(9), m_random.below(9)}}});
        });
        ofDesign("moveRacksBack", [](const Design& d, const Fabric&) { return moveRacksBack(d); });
        ofDesign("setPowerFeeds",
                 [this](const Design& d, const Fabric&) { return setPowerFeeds(d, static_cast<PowerFeeds>(m_random.below(3))); });
        ofDesign("setFeedsOfRacks", [this](const Design& d, const Fabric&) {
            const int feeds = m_random.below(4);
            return setFeedsOfRacks(d, {"su[1]/rack[" + std::to_string(1 + m_random.below(3)) + "]"},
                                   feeds == 3 ? std::nullopt : std::optional(static_cast<RackFeeds>(feeds)));
        });
        ofDesign("mountInRack", [this](const Design& d, const Fabric& f) { return mountInRack(d, {path(f)}, "A01", m_random.below(40)); });
    }
    void makeNotes() {
        ofDesign("approve", [this](const Design& d, const Fabric&) {
            return approve(d, {"RY-P003", "", m_random.below(2) ? "known" : ""});
        });
        ofDesign("saveView", [this](const Design& d, const Fabric&) {
            return saveView(d, {"view " + std::to_string(m_random.below(5)), 1, 2, 1.0 + m_random.below(800), 9});
        });
        ofDesign("forgetView",
                 [this](const Design& d, const Fabric&) { return forgetView(d, "view " + std::to_string(m_random.below(5))); });
        ofDesign("setTarget", [this](const Design& d, const Fabric&) {
            return setTarget(d, "cost.network_usd", m_random.below(2) == 0,
                             m_random.below(3) ? std::optional(1e6 + m_random.below(9)) : std::nullopt);
        });
        ofDesign("setTraining", [this](const Design& d, const Fabric&) {
            return setTraining(d, m_random.below(3) ? std::optional(NamedOptions{{{"tp", std::to_string(1 + m_random.below(8))}}, {}})
                                                    : std::nullopt);
        });
        ofDesign("setOptions", [this](const Design& d, const Fabric&) {
            return setOptions(d, &Design::site, NamedOptions{{{"pue", m_random.below(2) ? "1.2" : "1.4"}}, {}}, "Set site settings");
        });
        ofDesign("setSite", [this](const Design& d, const Fabric&) {
            Site site;
            site.years += m_random.below(3);
            return setSite(d, site);
        });
        ofDesign("setOption", [this](const Design& d, const Fabric&) {
            return setOption(d, *optionSectionNamed("bill"), "years", m_random.below(3) ? std::to_string(1 + m_random.below(9)) : "");
        });
        ofDesign("addCallout", [this](const Design& d, const Fabric& f) { return addCallout(d, callout(f)); });
        ofDesign("changeCallout", [this](const Design& d, const Fabric& f) -> Result<Edit> {
            if (d.callouts.empty()) return Error::unbuildable("there is no callout");
            return changeCallout(d, static_cast<std::size_t>(m_random.below(static_cast<int>(d.callouts.size()))), callout(f));
        });
    }

    static inline const std::vector<std::string> parts{"sw-qm9700", "sw-sn5600"}, slugs{"srv", "leaf", "gpu", "spine"};
    template <class Element>
    const Element& any(const std::vector<Element>& from) {
        return from[static_cast<std::size_t>(m_random.below(static_cast<int>(from.size())))];
    }
    Point point() { return {1.0 * m_random.below(800), 1.0 * m_random.below(800)}; }
    Callout callout(const Fabric& fabric) {
        return {.kind = static_cast<Callout::Kind>(m_random.below(4)), .text = "words", .of = {path(fabric)}, .at = point()};
    }
    std::string block(const std::string& path) { return m_random.below(3) ? path.substr(0, path.rfind('/')) : path; }
    std::string path(const Fabric& fabric) {
        if (m_random.below(3) == 0) return fabric.scopePath(ScopeId(m_random.below(static_cast<int>(fabric.scopes.size()))));
        if (fabric.devices.size() == 0) return "leaf[1]";
        return fabric.devicePath(DeviceId(m_random.below(static_cast<int>(fabric.devices.size()))));
    }
    std::string switchPath(const Fabric& fabric) {
        std::string chosen = path(fabric);
        for (int tries = 0; tries < 60 && fabric.devices.size() > 0; ++tries) {
            const auto device = static_cast<std::size_t>(m_random.below(static_cast<int>(fabric.devices.size())));
            if (fabric.devices.kind[device] == DeviceKind::Switch) return fabric.devicePath(DeviceId(device));
        }
        return chosen;
    }
    std::string changed(const Design& design, const Fabric& fabric) { // mostly an element with an override
        if (design.overrides.empty() || m_random.below(3) == 0) return path(fabric);
        return std::next(design.overrides.begin(), m_random.below(static_cast<int>(design.overrides.size())))->first;
    }
    std::string free(const Design& design) {
        const auto devices = static_cast<int>(design.free->devices.size()), all = devices + static_cast<int>(design.free->instances.size());
        const int chosen = all > 0 ? m_random.below(all) : 0;
        const auto name = [](const auto& row) { return row.slug + "[" + std::to_string(row.first) + "]"; };
        if (all == 0) return "leaf[1]";
        return chosen < devices ? name(design.free->devices[static_cast<std::size_t>(chosen)])
                                : name(design.free->instances[static_cast<std::size_t>(chosen - devices)]);
    }

    Random m_random;
    std::map<std::string, Function> m_functions;
};

} // namespace railyard::test
