// A named pipe that nobody writes to. Whoever reads it would wait for ever; the pipe releases the reader and remembers it.
#pragma once

#include <QFile>
#include <QString>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace railyard::test {

class WatchedPipe {
public:
    explicit WatchedPipe(const QString& path) : m_path(path) {
        QFile::remove(path);
        ::mkfifo(path.toLocal8Bit().constData(), 0600);
        m_watch = std::jthread([this, name = path.toLocal8Bit()](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                const int end = ::open(name.constData(), O_WRONLY | O_NONBLOCK); // succeeds only if somebody reads
                if (end >= 0) m_wasRead = true, ::close(end);
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        });
    }
    ~WatchedPipe() {
        m_watch.request_stop();
        m_watch.join();
        QFile::remove(m_path);
    }
    QString path() const { return m_path; }
    bool wasRead() const { return m_wasRead; }

private:
    QString m_path;
    std::atomic<bool> m_wasRead = false;
    std::jthread m_watch;
};

} // namespace railyard::test
