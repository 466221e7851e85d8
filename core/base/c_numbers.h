// Numbers in files have a decimal point, whatever the language of the desktop. Libraries that format with printf follow the locale
// of the process, which Qt takes from the environment; within the scope of this object the calling thread uses that of C.
#pragma once

#include <clocale>
#include <locale.h>

namespace railyard {

class CNumbers {
public:
    CNumbers() : m_locale(::newlocale(LC_NUMERIC_MASK, "C", ::duplocale(::uselocale(nullptr)))), m_before(::uselocale(m_locale)) {}
    ~CNumbers() {
        ::uselocale(m_before);
        if (m_locale) ::freelocale(m_locale);
    }
    CNumbers(const CNumbers&) = delete;
    CNumbers& operator=(const CNumbers&) = delete;

private:
    locale_t m_locale, m_before;
};

} // namespace railyard
