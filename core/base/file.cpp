#include "core/base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace railyard {
namespace {

std::string reason() { return std::strerror(errno); }

bool writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool syncPath(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool good = ::fsync(descriptor) == 0;
    ::close(descriptor);
    return good;
}

// The file behind links; one that does not exist yet too.
std::string behindLinks(std::string path) {
    std::error_code code;
    for (int links = 0; links < 40 && std::filesystem::is_symlink(path, code); ++links) {
        const std::filesystem::path next = std::filesystem::read_symlink(path, code);
        if (code) break;
        path = (next.is_absolute() ? next : std::filesystem::path(path).parent_path() / next).string();
    }
    return path;
}

// A device or a pipe: written to, never replaced.
bool isSpecial(const std::string& path) {
    struct stat found = {};
    return ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

Status pourInto(const std::string& path, const std::string& temporary) {
    const auto bytes = readFile(temporary);
    ::unlink(temporary.c_str());
    ::rmdir(std::filesystem::path(temporary).parent_path().c_str()); // of our own, now empty
    if (!bytes) return bytes.errors();
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const bool good = descriptor >= 0 && writeAll(descriptor, *bytes);
    const std::string why = good ? "" : reason();
    if (descriptor >= 0) ::close(descriptor);
    if (good) return Done{};
    return Error::file(path, fmt::format("cannot be written: {}", why));
}

} // namespace

Result<std::string> readFile(const std::string& path) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) return Error::file(path, "is a folder; name a file in it");
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return Error::file(path, fmt::format("cannot be read: {}; check the name and the permissions", reason()));
    std::string text;
    char buffer[65536];
    ssize_t got = 0;
    while ((got = ::read(descriptor, buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<std::size_t>(got));
    ::close(descriptor);
    if (got < 0) return Error::file(path, fmt::format("cannot be read: {}", reason()));
    return text;
}

std::string temporaryBeside(const std::string& path) {
    if (!isSpecial(path)) return fmt::format("{}.{}.part", behindLinks(path), ::getpid());
    // In a folder of our own: in one that is everybody's, another could have put a link there before.
    std::string folder = (std::filesystem::temp_directory_path() / "railyard-XXXXXX").string();
    return ::mkdtemp(folder.data()) ? folder + "/part" : fmt::format("{}.{}.part", path, ::getpid());
}

Status moveIntoPlace(const std::string& temporary, const std::string& named) {
    if (isSpecial(named)) return pourInto(named, temporary);
    const std::string path = behindLinks(named);
    struct stat before = {};
    if (::stat(path.c_str(), &before) == 0) ::chmod(temporary.c_str(), before.st_mode & 07777);
    if (!syncPath(temporary) || ::rename(temporary.c_str(), path.c_str()) != 0) {
        const std::string why = reason();
        ::unlink(temporary.c_str());
        return Error::file(path, fmt::format("cannot be written: {}; the old file is untouched", why));
    }
    const auto folder = std::filesystem::path(path).parent_path();
    syncPath(folder.empty() ? "." : folder.string());
    return Done{};
}

Status writeFile(const std::string& path, std::string_view bytes) {
    if (path == "-") {
        if (!writeAll(STDOUT_FILENO, bytes)) return Error::file("-", "standard output cannot be written: " + reason());
        return Done{};
    }
    return replaceFile(path, [&](const std::string& temporary) -> Status {
        const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (descriptor < 0) return Error::file(path, fmt::format("cannot be written: {}; choose another folder", reason()));
        const bool good = writeAll(descriptor, bytes);
        const std::string why = good ? "" : reason();
        ::close(descriptor);
        if (good) return Done{};
        ::unlink(temporary.c_str());
        return Error::file(path, fmt::format("cannot be written: {}; the old file is untouched", why));
    });
}

} // namespace railyard
