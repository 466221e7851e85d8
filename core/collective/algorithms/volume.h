// How many bytes a phase moves over its bottleneck: a number and the formula that gives it, stated once, so that what is timed, explained
// and played cannot differ.
#pragma once

#include <string>
#include <string_view>

namespace railyard {

class Volume {
public:
    Volume(std::string_view name, double value) : m_value(value), m_formula(name) {}
    Volume(int number) : m_value(number), m_formula(std::to_string(number)) {} // NOLINT: numbers stand in formulas as they are
    double value() const { return m_value; }
    const std::string& formula() const { return m_formula; }

    friend Volume operator+(const Volume& a, const Volume& b) { return {a.m_value + b.m_value, a.m_formula + " + " + b.m_formula, Sum}; }
    friend Volume operator-(const Volume& a, const Volume& b) {
        return {a.m_value - b.m_value, a.m_formula + " - " + b.within(Product), Sum};
    }
    friend Volume operator*(const Volume& a, const Volume& b) {
        return {a.m_value * b.m_value, a.within(Product) + " * " + b.within(Product), Product};
    }
    friend Volume operator/(const Volume& a, const Volume& b) {
        return {a.m_value / b.m_value, a.within(Product) + " / " + b.within(Single), Product};
    }

private:
    enum Level { Sum, Product, Single };
    Volume(double value, std::string formula, Level level) : m_value(value), m_formula(std::move(formula)), m_level(level) {}
    std::string within(Level level) const { return m_level < level ? "(" + m_formula + ")" : m_formula; }

    double m_value = 0;
    std::string m_formula;
    Level m_level = Single;
};

} // namespace railyard
