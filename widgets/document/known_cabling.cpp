#include "widgets/document/known_cabling.h"

#include "widgets/document/document.h"

#include <utility>

namespace railyard {

KnownCabling::KnownCabling(Document& document)
    : m_task([&document] { return [fabric = document.now().fabric] { return std::make_shared<const Cabling>(cablingOf(*fabric)); }; },
             [this](std::shared_ptr<const Cabling> cabling) {
                 m_cabling = std::move(cabling);
                 emit found();
             }) {
    connect(&document, &Document::changed, this, [this] {
        m_cabling.reset();
        m_isAsked = false;
        m_task.drop();
    });
}

std::shared_ptr<const Cabling> KnownCabling::get() {
    if (!m_cabling && !std::exchange(m_isAsked, true)) m_task.ask();
    return m_cabling;
}

} // namespace railyard
