#include "core/io/document/migrations.h"

#include "core/catalog/catalog.h"
#include "core/design/recipes/recipe.h"

#include <fmt/format.h>

namespace railyard {

void keepRailsOfFormat1(Design& design) {
    const RecipeInfo* info = design.recipe ? findRecipe(design.recipe->name) : nullptr;
    if (!info || info->family != RecipeFamily::RailOnly || design.recipe->parameters.contains("rails")) return;
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return;
    const std::string rails = std::to_string(settings->nicsPerRailUnit());
    design.recipe->parameters["rails"] = rails;
    design.migrations.push_back("format 1 built one rail per NIC of an HB domain; the recipe now states rails = " + rails +
                                " (rails = auto builds the fewest switches)");
}

void replaceRackServers(Design& design) {
    if (!design.recipe) return;
    RecipeCall call = *design.recipe;
    const auto server = call.parameters.find("server");
    if (server == call.parameters.end()) return;
    const std::string old = server->second;
    const Part* tray = shippedCatalog()->find(old); // by its former ID
    const Part* whole = design.catalog->find(old);  // the copy in the document
    if (!tray || tray->id == old || !whole || !whole->as<ServerPart>()) return;
    const int gpus = whole->as<ServerPart>()->gpus, perTray = tray->as<ServerPart>()->gpus;
    server->second = tray->id;
    const auto stated = call.parameters.find("gpus_per_server");
    const int before = stated == call.parameters.end() ? gpus : std::atoi(stated->second.c_str());
    if (const auto servers = call.parameters.find("servers"); servers != call.parameters.end() && before % perTray == 0)
        servers->second = std::to_string(std::atoll(servers->second.c_str()) * (before / perTray));
    for (const char* key : {"gpus_per_server", "nics_per_server", "rails", "hb_domain_gpus", "su_servers"}) call.parameters.erase(key);
    const auto built = rebuild(design, call);
    if (!built) {
        design.migrations.push_back(fmt::format("{} is now bought as a rack of compute trays ({}); this design keeps its own copy, because "
                                                "the recipe cannot be built with trays: {}",
                                                old, tray->id, built.error().text));
        return;
    }
    auto migrations = std::move(design.migrations);
    design = *built;
    design.ownParts.erase(old);
    design.migrations = std::move(migrations);
    const auto settings = resolve(call, *design.catalog);
    design.migrations.push_back(fmt::format("{} was a whole rack as one server; the recipe now has its compute trays ({} servers of {}, {} "
                                            "rails)",
                                            old, settings ? settings->servers : 0, tray->id, settings ? settings->rails : 0));
}

} // namespace railyard
