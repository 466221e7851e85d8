// A value, or the errors that prevented it. Functions of the core do not throw exceptions.
#pragma once

#include "core/base/error.h"

#include <cassert>
#include <optional>
#include <utility>
#include <vector>

namespace railyard {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_value(std::move(value)) {}
    Result(Error error) : m_errors{std::move(error)} {}
    Result(std::vector<Error> errors) : m_errors(shortened(std::move(errors))) { assert(!m_errors.empty()); }

    explicit operator bool() const { return m_value.has_value(); }
    T& operator*() { return assert(m_value), *m_value; }
    const T& operator*() const { return assert(m_value), *m_value; }
    T* operator->() { return assert(m_value), &*m_value; }
    const T* operator->() const { return assert(m_value), &*m_value; }
    const Error& error() const { return m_errors.front(); }
    const std::vector<Error>& errors() const { return m_errors; }

private:
    std::optional<T> m_value;
    std::vector<Error> m_errors;
};

struct Done {};
using Status = Result<Done>;

} // namespace railyard
