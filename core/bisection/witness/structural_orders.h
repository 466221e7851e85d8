// Partitions that follow the structure of a fabric: orders of its endpoints whose first half is side A.
#pragma once

#include "core/bisection/problem/bisection_problem.h"

#include <algorithm>
#include <numeric>

namespace railyard {

// Endpoints in an order; the first floor(n/2) make side A.
using Order = std::vector<std::uint32_t>;

std::vector<bool> firstHalf(const Order& order);

template <class Value>
Order sortedBy(const std::vector<Value>& value) {
    Order order(value.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
    return order;
}

// By path, by the leaves and pods of the endpoints, by how scarce the uplinks of those are, by speed, rail and HB domain.
std::vector<Order> structuralOrders(const BisectionProblem& q);
// Leaves of two sizes: every number of whole larger ones, filled up with smaller ones. Uneven last SUs make the cheapest cut of an
// oversubscribed fabric one of these.
std::vector<Order> ordersByLeafSize(const BisectionProblem& q);

} // namespace railyard
