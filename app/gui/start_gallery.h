// An empty drawing shows the gallery of samples, which the first element hides.
#pragma once

#include "widgets/theme/tokens.h"

#include <QObject>

namespace railyard {

class Canvas;
class Document;
class Gallery;

class StartGallery : public QObject {
    Q_OBJECT

public:
    StartGallery(Document& document, Canvas& canvas, QWidget* window);
    void setTokens(const Tokens& tokens) { m_tokens = tokens; }
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void sampleAsked(const QString& path);
    void newFabricAsked();

private:
    void refresh();
    void place();

    Document& m_document;
    Canvas& m_canvas;
    QWidget* m_window;
    Tokens m_tokens;
    Gallery* m_gallery = nullptr;
};

} // namespace railyard
