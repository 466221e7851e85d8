#include "widgets/export/svg_text.h"

#include <QFont>
#include <QFontMetricsF>
#include <QString>
#include <algorithm>
#include <map>
#include <tuple>

namespace railyard {
namespace {

// The value of an attribute; empty without it.
QByteArray attributeOf(const QByteArray& tag, const char* name) {
    const QByteArray key = QByteArray(" ") + name + "=\"";
    const qsizetype at = tag.indexOf(key), from = at + key.size();
    return at < 0 ? QByteArray() : tag.mid(from, tag.indexOf('"', from) - from);
}

QString unescaped(const QByteArray& xml) {
    QString text = QString::fromUtf8(xml);
    for (const auto& [entity, letter] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""),
                                         std::pair("&apos;", "'"), std::pair("&#160;", "\u00a0"), std::pair("&amp;", "&")})
        text.replace(QLatin1String(entity), QString::fromUtf8(letter));
    return text;
}

// Of the fonts that the texts were drawn with.
class Widths {
public:
    double of(const QByteArray& tag, const QString& words) {
        const std::tuple key(attributeOf(tag, "font-family"), attributeOf(tag, "font-size").toDouble(),
                             attributeOf(tag, "font-weight").toInt(), attributeOf(tag, "font-style") == "italic");
        const auto [family, size, weight, isItalic] = key;
        auto known = m_metrics.find(key);
        if (known == m_metrics.end()) {
            QFont font(QString::fromUtf8(family));
            font.setPixelSize(std::max(1, qRound(size)));
            font.setWeight(static_cast<QFont::Weight>(std::clamp(weight, 1, 1000)));
            font.setItalic(isItalic);
            known = m_metrics.emplace(key, QFontMetricsF(font)).first;
        }
        return known->second.horizontalAdvance(words) * size / std::max(1, qRound(size));
    }

private:
    std::map<std::tuple<QByteArray, double, int, bool>, QFontMetricsF> m_metrics;
};

} // namespace

QByteArray withPortableText(const QByteArray& svg) {
    constexpr qsizetype mostShort = 12; // letters
    const QByteArray start("<text "), end("</text>");
    QByteArray result;
    result.reserve(svg.size() + svg.size() / 8);
    Widths widths;
    qsizetype done = 0;
    for (qsizetype at = svg.indexOf(start); at >= 0; at = svg.indexOf(start, done)) {
        const qsizetype close = svg.indexOf('>', at), last = svg.indexOf(end, close);
        if (close < 0 || last < 0) break;
        QByteArray tag = svg.mid(at, close - at);
        const QString words = unescaped(svg.mid(close + 1, last - close - 1));
        const double width = widths.of(tag, words), x = attributeOf(tag, "x").toDouble();
        result += svg.mid(done, at - done);
        if (width > 0) {
            if (words.size() <= mostShort) {
                const QByteArray old = " x=\"" + attributeOf(tag, "x") + "\"";
                tag.replace(tag.indexOf(old), old.size(), " text-anchor=\"middle\" x=\"" + QByteArray::number(x + width / 2) + "\"");
            }
            tag = tag.trimmed() + " textLength=\"" + QByteArray::number(width) + "\" lengthAdjust=\"spacingAndGlyphs\"";
        }
        result += tag + svg.mid(close, last + end.size() - close);
        done = last + end.size();
    }
    result += svg.mid(done);
    const QByteArray family("font-family=\""), more(", Open Sans, Segoe UI, Helvetica Neue, Arial, sans-serif");
    QByteArray named;
    named.reserve(result.size() + result.size() / 8);
    done = 0;
    for (qsizetype at = result.indexOf(family); at >= 0; at = result.indexOf(family, done)) {
        const qsizetype quote = result.indexOf('"', at + family.size());
        if (quote < 0) break;
        named += result.mid(done, quote - done) + more;
        done = quote;
    }
    return named + result.mid(done);
}

} // namespace railyard
