// Physical quantities as types: adding watts to seconds, or bytes to bits per second, does not compile.
// The dimension is four integer exponents: bit, second, joule, metre.
#pragma once

#include <compare>
#include <cstdint>

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
    constexpr Quantity& operator+=(Quantity other) {
        m_value += other.m_value;
        return *this;
    }
    constexpr auto operator<=>(const Quantity&) const = default;

private:
    double m_value = 0;
};

template <int B, int S, int J, int M>
constexpr Quantity<B, S, J, M> operator*(double factor, Quantity<B, S, J, M> quantity) {
    return quantity * factor;
}

using Bandwidth = Quantity<1, -1, 0, 0>; // bit/s, always one direction of a full-duplex link
using Seconds = Quantity<0, 1, 0, 0>;
using Watts = Quantity<0, -1, 1, 0>;
using Joules = Quantity<0, 0, 1, 0>;
using Metres = Quantity<0, 0, 0, 1>;

constexpr Bandwidth gigabitsPerSecond(double value) { return Bandwidth(value * 1e9); }
constexpr double inGbps(Bandwidth bandwidth) { return bandwidth.value() / 1e9; }
constexpr double inGbytesPerSecond(Bandwidth bandwidth) { return bandwidth.value() / 8e9; }
constexpr Joules operator*(Watts power, Seconds time) { return Joules(power.value() * time.value()); }

// Message and memory sizes. Kept apart from Bandwidth: only transferTime() knows the factor 8.
class Bytes {
public:
    constexpr Bytes() = default;
    constexpr explicit Bytes(std::int64_t count) : m_count(count) {}
    constexpr std::int64_t count() const { return m_count; }
    constexpr auto operator<=>(const Bytes&) const = default;

private:
    std::int64_t m_count = 0;
};

// `bytes` may be fractional: a share of a message is not rounded to whole bytes.
constexpr Seconds transferTime(double bytes, Bandwidth bandwidth) { return Seconds(bytes * 8 / bandwidth.value()); }

// Exact to the cent, so that sums do not depend on their order.
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
    constexpr Money operator+(Money other) const { return cents(m_cents + other.m_cents); }
    constexpr Money operator-(Money other) const { return cents(m_cents - other.m_cents); }
    constexpr Money operator*(std::int64_t count) const { return cents(m_cents * count); }
    constexpr Money& operator+=(Money other) {
        m_cents += other.m_cents;
        return *this;
    }
    constexpr auto operator<=>(const Money&) const = default;

private:
    std::int64_t m_cents = 0;
};

} // namespace railyard
