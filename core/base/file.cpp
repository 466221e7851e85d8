#include "core/base/file.h"

#include "core/base/fingerprint.h"
#include "core/base/text.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <thread>
#include <unistd.h>

namespace railyard {
namespace {

constexpr std::string_view partSuffix = ".part";
constexpr std::size_t randomLetters = 6;
constexpr int mostNameTries = 100;

std::string reason(int code = errno) { return std::strerror(code); }

bool writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written == 0) errno = ENOSPC; // a file system that takes nothing and reports nothing would be asked for ever
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::filesystem::path folderOf(const std::string& path) {
    const auto folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder;
}

void syncFolder(const std::string& path) {
    const int descriptor = ::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
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

// What the caller opened for this process: `railyard-cli metrics <(make-design)`.
bool isInherited(const std::string& path) {
    return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

// The regular files that this process has read or written, by device and inode: names and links do not matter.
class FilesInUse {
public:
    static FilesInUse& ofProcess() {
        static FilesInUse files;
        return files;
    }
    void protect() {
        const std::lock_guard guard(m_mutex);
        m_isProtecting = true;
    }
    void add(const struct stat& about) {
        const std::lock_guard guard(m_mutex);
        if (m_isProtecting) m_files.insert({about.st_dev, about.st_ino});
    }
    bool has(const struct stat& about) const {
        const std::lock_guard guard(m_mutex);
        return m_files.contains({about.st_dev, about.st_ino});
    }

private:
    mutable std::mutex m_mutex;
    bool m_isProtecting = false;
    std::set<std::pair<dev_t, ino_t>> m_files;
};

// Parts of this target that no process writes any more: every writer holds a lock on its own.
void removeLeftParts(const std::string& target) {
    const std::string name = std::filesystem::path(target).filename().string() + '.';
    std::error_code code;
    for (std::filesystem::directory_iterator each(folderOf(target), code), end; !code && each != end; each.increment(code)) {
        const std::string found = each->path().filename().string();
        if (found.size() != name.size() + randomLetters + partSuffix.size() || !found.starts_with(name) || !found.ends_with(partSuffix))
            continue;
        const int descriptor = ::open(each->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0) continue;
        struct stat about = {};
        const bool isOurs = ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == ::geteuid();
        if (isOurs && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(each->path().c_str());
        ::close(descriptor);
    }
}

// A file without a name, which a killed process cannot leave behind. -1 where the file system has none, or where it could not be
// given a name later.
int createNameless(const std::string& target, mode_t mode) {
    const int descriptor = ::open(folderOf(target).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (descriptor < 0 || ::access(fmt::format("/proc/self/fd/{}", descriptor).c_str(), F_OK) == 0) return descriptor;
    ::close(descriptor);
    return -1;
}

std::string partName(const std::string& target) {
    static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    unsigned char random[randomLetters];
    if (::getrandom(random, sizeof random, 0) != sizeof random) return {};
    std::string name = target + '.';
    for (const unsigned char byte : random) name += letters[byte % letters.size()];
    return name.append(partSuffix);
}

// Gives a nameless file a name that nobody could have prepared; false with errno if there is none.
bool namePart(int descriptor, const std::string& target, std::string& name) {
    const std::string nameless = fmt::format("/proc/self/fd/{}", descriptor);
    for (int tries = 0; tries < mostNameTries; ++tries) {
        std::string candidate = partName(target);
        if (candidate.empty()) return false;
        if (::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, candidate.c_str(), AT_SYMLINK_FOLLOW) == 0) return name = candidate, true;
        if (errno != EEXIST) return false;
    }
    return false;
}

// A new, locked file that this call created, under a name that nobody could have prepared; -1 with errno if there is none.
int createPart(const std::string& target, mode_t mode, std::string& name) {
    for (int tries = 0; tries < mostNameTries; ++tries) {
        std::string candidate = partName(target);
        if (candidate.empty()) return -1;
        const int descriptor = ::open(candidate.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor < 0) return descriptor;
        ::flock(descriptor, LOCK_EX);
        struct stat about = {};
        if (::fstat(descriptor, &about) == 0 && about.st_nlink > 0) return name = candidate, descriptor;
        ::close(descriptor); // another save took it for a left one before it was locked
    }
    return -1;
}

// Access lists are extended attributes on Linux. What the file system or our rights do not permit stays behind.
void copyAttributes(const std::string& from, int to) {
    std::string names(65536, '\0'), value(65536, '\0');
    const ssize_t length = ::listxattr(from.c_str(), names.data(), names.size());
    for (const char* name = names.data(); length > 0 && name < names.data() + length; name += std::strlen(name) + 1)
        if (const ssize_t size = ::getxattr(from.c_str(), name, value.data(), value.size()); size >= 0)
            (void)::fsetxattr(to, name, value.data(), static_cast<std::size_t>(size), 0);
}

// A file that is read from its start to its end.
class OpenedFile {
public:
    static Result<OpenedFile> open(const std::string& path) {
        OpenedFile file(path, ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
        const int descriptor = *file.m_descriptor;
        if (descriptor < 0)
            return Error::file(path, fmt::format("cannot be read: {}; check the name and the permissions", reason())).with("read");
        struct stat about = {};
        if (::fstat(descriptor, &about) != 0) return file.failed();
        if (S_ISDIR(about.st_mode)) return Error::file(path, "is a folder; specify a file").with("read");
        if (!S_ISREG(about.st_mode) && !isInherited(path))
            return Error::file(path, "is a device or a named pipe; specify a regular file, or /dev/stdin").with("read");
        if (S_ISREG(about.st_mode)) {
            file.m_size = static_cast<std::size_t>(about.st_size);
            FilesInUse::ofProcess().add(about);
        }
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK); // a pipe is waited for
        return file;
    }
    std::size_t size() const { return m_size; } // 0 of a pipe
    // The next piece; empty at the end. It is valid until the next call.
    Result<std::string_view> next() {
        for (;;) {
            const ssize_t got = ::read(*m_descriptor, m_buffer->data(), m_buffer->size());
            if (got >= 0) return std::string_view(m_buffer->data(), static_cast<std::size_t>(got));
            if (errno != EINTR) return failed();
        }
    }

private:
    OpenedFile(const std::string& path, int descriptor)
        : m_path(path),
          m_descriptor(new const int(descriptor), [](const int* held) {
              if (*held >= 0) ::close(*held);
              delete held;
          }) {}
    Error failed() const { return Error::file(m_path, fmt::format("cannot be read: {}", reason())).with("read"); }

    std::string m_path;
    std::shared_ptr<const int> m_descriptor;
    std::size_t m_size = 0;
    std::shared_ptr<std::array<char, 65536>> m_buffer = std::make_shared<std::array<char, 65536>>();
};

} // namespace

Result<std::string> readFile(const std::string& path, std::size_t most) {
    auto file = OpenedFile::open(path);
    if (!file) return file.errors();
    const auto tooLarge = [&] {
        return Error::file(path, fmt::format("is larger than {} MiB, which is the maximum; split it, or reduce its content", most >> 20U))
            .with("limit");
    };
    if (file->size() > most) return tooLarge();
    std::string text;
    text.reserve(file->size());
    for (;;) {
        const auto piece = file->next();
        if (!piece) return piece.errors();
        if (piece->empty()) return text;
        text += *piece;
        if (text.size() > most) return tooLarge();
    }
}

Status eachLine(const std::string& path, const std::function<void(std::string_view line, bool isEnded)>& take) {
    auto file = OpenedFile::open(path);
    if (!file) return file.errors();
    std::string begun; // of a line that goes on in the next piece
    for (;;) {
        const auto piece = file->next();
        if (!piece) return piece.errors();
        if (piece->empty()) break;
        std::string_view rest = *piece;
        for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            if (begun.empty()) {
                take(rest.substr(0, end), true);
            } else {
                take(begun += rest.substr(0, end), true);
                begun.clear();
            }
            rest.remove_prefix(end + 1);
        }
        begun += rest;
        if (begun.size() > mostFileBytes)
            return Error::file(path, fmt::format("has a line of more than {} MiB, which is the maximum", mostFileBytes >> 20U))
                .with("limit");
    }
    if (!begun.empty()) take(begun, false);
    return Done{};
}

Result<std::string> readText(const std::string& path) {
    auto bytes = readFile(path);
    return bytes ? checkedText(std::move(*bytes), path) : std::move(bytes);
}

std::string contentMark(std::string_view bytes) { return toText(fingerprintOf(bytes)); }

Result<std::string> markOfFile(const std::string& path) {
    struct stat about = {};
    if (::stat(path.c_str(), &about) != 0 && (errno == ENOENT || errno == ENOTDIR)) return std::string(noFileMark);
    auto file = OpenedFile::open(path);
    if (!file) return file.errors();
    FingerprintOfBytes mark;
    for (;;) {
        const auto piece = file->next();
        if (!piece) return piece.errors();
        if (piece->empty()) return toText(mark.value());
        mark.add(*piece);
    }
}

void protectFilesInUse() { FilesInUse::ofProcess().protect(); }

struct PendingFile::State {
    std::string named, target, temporary; // as the caller wrote it, behind links, next to the target (empty while it has no name)
    std::optional<std::string> knownMark;
    int descriptor = -1;
    bool isExchanged = false, isNew = false; // in place: the former file is now the temporary one; there was none
    bool isPoured = false;                   // into a device, a pipe or standard output, from `poured`
    std::string poured;

    void recordInUse() const { // a second output under the same name would replace the first
        struct stat about = {};
        if (::fstat(descriptor, &about) == 0) FilesInUse::ofProcess().add(about);
    }

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (!temporary.empty()) ::unlink(temporary.c_str());
        if (descriptor >= 0) ::close(descriptor); // only now: the lock says that the part is in use
    }
};

Error PendingFile::failed(int code) const {
    struct stat found = {};
    const bool exists = !m_state->isPoured && ::stat(m_state->target.c_str(), &found) == 0;
    const char* remedy = exists                             ? "; the existing file is unchanged"
                         : code == ENOSPC || code == EDQUOT ? "; free some space, or choose another folder"
                                                            : "; choose another folder";
    return Error::file(m_state->named, fmt::format("cannot be written: {}{}", reason(code), m_state->isPoured ? "" : remedy)).with("write");
}

// Asked before the first byte, so that nothing is computed in vain, and again before the file takes its place.
Status PendingFile::mayReplace() const {
    const State& state = *m_state;
    struct stat about = {};
    const bool exists = ::stat(state.target.c_str(), &about) == 0;
    if (!state.knownMark) {
        if (!exists || !FilesInUse::ofProcess().has(about)) return Done{};
        Error error = Error::usage("is also an input or another output of this command, and would be overwritten; specify another file");
        error.where.file = state.named;
        return std::move(error).with("write");
    }
    const auto mark = markOfFile(state.target);
    if (!mark) return mark.errors();
    if (*mark == *state.knownMark) return Done{};
    return Error::file(state.named,
                       "was changed by another program in the meantime, so it was not written; open it again and repeat the edit")
        .with("changed");
}

Result<PendingFile> PendingFile::nextTo(const std::string& path, Replacing replacing) {
    PendingFile file(std::make_shared<State>());
    State& state = *file.m_state;
    state.named = path;
    state.knownMark = std::move(replacing.knownMark);
    state.target = path == "-" ? path : behindLinks(path);
    struct stat before = {};
    const bool exists = path != "-" && ::stat(state.target.c_str(), &before) == 0;
    if (exists && S_ISDIR(before.st_mode)) return Error::file(path, "is a folder; specify a file").with("write");
    state.isPoured = path == "-" || (exists && !S_ISREG(before.st_mode));
    if (state.isPoured) return file;
    if (exists && ((before.st_mode & 0222U) == 0 || ::access(state.target.c_str(), W_OK) != 0))
        return Error::file(path, "is write-protected; change its permissions, or choose another file").with("write");
    if (Status may = file.mayReplace(); !may) return may.errors();
    removeLeftParts(state.target);
    const mode_t mode = exists || replacing.visibility == Visibility::OwnerOnly ? 0600 : 0666;
    state.descriptor = createNameless(state.target, mode);
    if (state.descriptor < 0) state.descriptor = createPart(state.target, mode, state.temporary);
    if (state.descriptor < 0) return file.failed(errno);
    if (exists) {
        // The owner first: giving a file away removes permissions.
        if (::fchown(state.descriptor, before.st_uid, before.st_gid) != 0)
            (void)!::fchown(state.descriptor, static_cast<uid_t>(-1), before.st_gid);
        ::fchmod(state.descriptor, before.st_mode & 0777U);
        copyAttributes(state.target, state.descriptor);
    }
    return file;
}

Status PendingFile::append(std::string_view bytes) {
    if (m_state->isPoured)
        m_state->poured += bytes;
    else if (!writeAll(m_state->descriptor, bytes))
        return failed(errno);
    return Done{};
}

Status PendingFile::finish() {
    State& state = *m_state;
    if (state.isPoured) return Done{};
    while (::fsync(state.descriptor) != 0)
        if (errno != EINTR) return failed(errno);
    return Done{};
}

// At the last moment, because a process that is killed afterwards leaves the name behind.
Status PendingFile::takeName() {
    State& state = *m_state;
    if (state.isPoured || !state.temporary.empty()) return Done{};
    ::flock(state.descriptor, LOCK_EX); // says that the part is in use as soon as it has a name
    return namePart(state.descriptor, state.target, state.temporary) ? Status(Done{}) : Status(failed(errno));
}

Status PendingFile::moveIntoPlace() {
    State& state = *m_state;
    if (state.isPoured) {
        const bool toOutput = state.named == "-";
        const int descriptor = toOutput ? STDOUT_FILENO : ::open(state.target.c_str(), O_WRONLY | O_CLOEXEC);
        const bool good = descriptor >= 0 && writeAll(descriptor, state.poured);
        const int code = errno;
        if (!toOutput && descriptor >= 0) ::close(descriptor);
        if (good) return Done{};
        if (toOutput) return Error::file("-", "standard output cannot be written: " + reason(code)).with("write");
        return failed(code);
    }
    if (Status may = mayReplace(); !may) return may;
    if (Status named = takeName(); !named) return named;
    if (::rename(state.temporary.c_str(), state.target.c_str()) != 0) return failed(errno);
    state.temporary.clear();
    state.recordInUse();
    syncFolder(state.target);
    return Done{};
}

Status PendingFile::exchange() {
    State& state = *m_state;
    if (!state.isPoured)
        if (Status may = mayReplace(); !may) return may;
    if (Status named = takeName(); !named) return named;
    if (state.isPoured || ::renameat2(AT_FDCWD, state.temporary.c_str(), AT_FDCWD, state.target.c_str(), RENAME_EXCHANGE) != 0) {
        const int code = errno;
        state.isNew = !state.isPoured && code == ENOENT;
        const bool cannotExchange = code == EINVAL || code == ENOSYS || code == ENOTSUP; // this file system
        return state.isPoured || state.isNew || cannotExchange ? moveIntoPlace() : Status(failed(code));
    }
    state.isExchanged = true;
    state.recordInUse();
    syncFolder(state.target);
    return Done{};
}

void PendingFile::takeBack() {
    State& state = *m_state;
    if (state.isExchanged)
        ::renameat2(AT_FDCWD, state.temporary.c_str(), AT_FDCWD, state.target.c_str(), RENAME_EXCHANGE);
    else if (state.isNew)
        ::unlink(state.target.c_str());
}

Status writeFile(const std::string& path, std::string_view bytes, Replacing replacing) {
    auto file = PendingFile::nextTo(path, std::move(replacing));
    if (!file) return file.errors();
    if (Status done = file->append(bytes); !done) return done;
    if (Status done = file->finish(); !done) return done;
    return file->moveIntoPlace();
}

Status writeFiles(const std::vector<FileText>& files) {
    std::vector<PendingFile> pending;
    for (const FileText& each : files) {
        auto file = PendingFile::nextTo(each.path);
        if (!file) return file.errors();
        if (Status done = file->append(each.text); !done) return done;
        if (Status done = file->finish(); !done) return done;
        pending.push_back(std::move(*file));
    }
    return moveIntoPlace(pending);
}

Status moveIntoPlace(std::vector<PendingFile>& finished) {
    for (std::size_t i = 0; i < finished.size(); ++i)
        if (Status done = finished[i].exchange(); !done) {
            while (i-- > 0) finished[i].takeBack();
            return done;
        }
    return Done{};
}

FileLock::FileLock(int descriptor)
    : m_descriptor(new const int(descriptor), [](const int* held) {
          if (*held >= 0) ::close(*held);
          delete held;
      }) {}

// The folder is locked, because the file itself is another one after every save.
Result<FileLock> FileLock::acquire(const std::string& path, const std::function<bool()>& mayWait) {
    using namespace std::chrono_literals;
    const auto last = std::chrono::steady_clock::now() + 30s;
    FileLock lock(::open(folderOf(behindLinks(path)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    while (*lock.m_descriptor >= 0 && ::flock(*lock.m_descriptor, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) {
        if (std::chrono::steady_clock::now() > last || (mayWait && !mayWait()))
            return Error::file(path,
                               "another Railyard program is writing in this folder; wait until it has finished, or close it, and try again")
                .with("write");
        std::this_thread::sleep_for(5ms);
    }
    return lock;
}

} // namespace railyard
