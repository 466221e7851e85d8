// Physical quantities as types: adding watts to seconds, or bytes to bits per second, does not compile.
// The dimension is four integer exponents: bit, second, joule, metre.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace railyard {

template <int Bit, int Second, int Joule, int Metre>
class Quantity {
public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(double inBaseUnits) : m_value(inBaseUnits) {}
    constexpr double value() const { return m_value; }

    constexpr Quantity operator+(Quantity other) const { return Quantity(m_value + other.m_value); }
    constexpr Quantity operator-(Quantity other) const { return Quantity(m_value - other.m_value); }
    constexpr Quantity operator*(double factor) const { return Quantity(m_value * factor); }
    constexpr Quantity operator/(double divisor) const { return Quantity(m_value / divisor); }
    constexpr double operator/(Quantity other) const { return m_value / other.m_value; }
    constexpr Quantity operator-() const { return Quantity(-m_value); }
    constexpr Quantity& operator-=(Quantity other) {
        m_value -= other.m_value;
        return *this;
    }
    constexpr Quantity& operator+=(Quantity other) {
        m_value += other.m_value;
        return *this;
    }
    constexpr auto operator<=>(const Quantity&) const = default;

private:
    double m_value = 0;
};

template <int B, int S, int J, int M>
constexpr Quantity<B, S, J, M> abs(Quantity<B, S, J, M> quantity) {
    return quantity < Quantity<B, S, J, M>() ? -quantity : quantity;
}
template <int B, int S, int J, int M>
constexpr Quantity<B, S, J, M> operator*(double factor, Quantity<B, S, J, M> quantity) {
    return quantity * factor;
}

using Bandwidth = Quantity<1, -1, 0, 0>; // bit/s, always per direction of a full-duplex link
using Seconds = Quantity<0, 1, 0, 0>;
using Watts = Quantity<0, -1, 1, 0>;
using Joules = Quantity<0, 0, 1, 0>;
using Metres = Quantity<0, 0, 0, 1>;

constexpr Bandwidth gigabitsPerSecond(double value) { return Bandwidth(value * 1e9); }
constexpr double inGbps(Bandwidth bandwidth) { return bandwidth.value() / 1e9; }
constexpr double inGbytesPerSecond(Bandwidth bandwidth) { return bandwidth.value() / 8e9; }
constexpr Joules operator*(Watts power, Seconds time) { return Joules(power.value() * time.value()); }

// Message and memory sizes. A separate type, so that only transferTime() contains the factor 8.
class Bytes {
public:
    constexpr Bytes() = default;
    constexpr explicit Bytes(std::int64_t count) : m_count(count) {}
    constexpr std::int64_t count() const { return m_count; }
    constexpr auto operator<=>(const Bytes&) const = default;

private:
    std::int64_t m_count = 0;
};

// `bytes` may be fractional, because a share of a message is not rounded to whole bytes.
constexpr Seconds transferTime(double bytes, Bandwidth bandwidth) { return Seconds(bytes * 8 / bandwidth.value()); }

// Exact to the cent, so that totals do not depend on the order of addition; beyond 92 million billion dollars it stays there.
class Money {
public:
    constexpr Money() = default;
    constexpr static Money cents(std::int64_t count) {
        Money m;
        m.m_cents = count;
        return m;
    }
    static Money dollars(double amount);
    constexpr std::int64_t inCents() const { return m_cents; }
    constexpr double inDollars() const { return static_cast<double>(m_cents) / 100; }
    constexpr Money operator+(Money other) const {
        std::int64_t sum = 0;
        return cents(__builtin_add_overflow(m_cents, other.m_cents, &sum) ? limit(other.m_cents > 0) : sum);
    }
    constexpr Money operator-(Money other) const {
        std::int64_t difference = 0;
        return cents(__builtin_sub_overflow(m_cents, other.m_cents, &difference) ? limit(other.m_cents < 0) : difference);
    }
    constexpr Money operator*(std::int64_t count) const {
        std::int64_t product = 0;
        return cents(__builtin_mul_overflow(m_cents, count, &product) ? limit((m_cents > 0) == (count > 0)) : product);
    }
    constexpr Money& operator+=(Money other) { return *this = *this + other; }
    constexpr auto operator<=>(const Money&) const = default;

private:
    constexpr static std::int64_t limit(bool positive) {
        return positive ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
    }
    std::int64_t m_cents = 0;
};

} // namespace railyard
