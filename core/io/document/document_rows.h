// The structs of a document, each described once; see docs/file_format.md. Internal to core/io/document.
#pragma once

#include "core/io/document/row_fields.h"

namespace railyard {

template <>
const RowDescription<PortGroup>& descriptionOf();
template <>
const RowDescription<DeviceRow>& descriptionOf();
template <>
const RowDescription<Instance>& descriptionOf();
template <>
const RowDescription<WiringRule>& descriptionOf();
template <>
const RowDescription<FreeLink>& descriptionOf();
template <>
const RowDescription<Block>& descriptionOf();
template <>
const RowDescription<Override>& descriptionOf();
template <>
const RowDescription<FloorPlan>& descriptionOf();
template <>
const RowDescription<RecipeCall>& descriptionOf();
template <>
const RowDescription<AuxiliaryNetwork>& descriptionOf();
template <>
const RowDescription<Approval>& descriptionOf();
template <>
const RowDescription<SavedView>& descriptionOf();
template <>
const RowDescription<Target>& descriptionOf();
template <>
const RowDescription<Callout>& descriptionOf();
RowField<Design> trunkField();

} // namespace railyard
