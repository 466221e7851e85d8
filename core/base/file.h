// Reads whole files, and replaces files atomically: a reader sees either the old or the new content, whatever happens meanwhile.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

inline constexpr std::size_t mostFileBytes = std::size_t{1} << 30U;

// Only regular files, and what the caller passed on as /dev/stdin or /dev/fd/N. Devices and named pipes, which may never end, and
// files of more than `most` bytes are refused.
Result<std::string> readFile(const std::string& path, std::size_t most = mostFileBytes);
// The same as UTF-8 without control characters (core/base/text.h).
Result<std::string> readText(const std::string& path);

enum class Visibility { AsUsual, OwnerOnly }; // of a new file; an existing file keeps its own

// A file that takes its place only when it is whole. Its bytes go to an unpredictable name beside the target, created by this call
// and by no other; the file keeps owner, group, permissions and access list as far as the system permits. Symbolic links are
// followed; devices and pipes are written directly at the end, and "-" is standard output. A target without write permission is
// refused, for the superuser too. What is not moved into place is removed; what a killed process left is removed by the next
// save of the same file.
class PendingFile {
public:
    static Result<PendingFile> nextTo(const std::string& path, Visibility visibility = Visibility::AsUsual);
    Status append(std::string_view bytes);
    Status finish();        // on disk, under its temporary name
    Status moveIntoPlace(); // requires finish()

private:
    friend Status moveIntoPlace(std::vector<PendingFile>& finished);
    struct State;
    Status exchange(); // as moveIntoPlace(), but the file that was there is kept beside it until this is destroyed
    void takeBack();   // undoes exchange()
    explicit PendingFile(std::shared_ptr<State> state) : m_state(std::move(state)) {}
    Error failed(int code) const;
    std::shared_ptr<State> m_state;
};

Status writeFile(const std::string& path, std::string_view bytes, Visibility visibility = Visibility::AsUsual);

// Files that belong together: none is replaced before all are on disk, and if one cannot be, those before it are as they were.
struct FileText {
    std::string path, text;
};
Status writeFiles(const std::vector<FileText>& files);
Status moveIntoPlace(std::vector<PendingFile>& finished);

// Keeps other Railyard processes from changing a file between reading and writing it. Held until destroyed; waits for others
// for half a minute, then refuses. Where the file system has no locks, it is empty.
class FileLock {
public:
    FileLock() = default; // locks nothing
    static Result<FileLock> of(const std::string& path);

private:
    explicit FileLock(int descriptor);
    std::shared_ptr<const int> m_descriptor;
};

} // namespace railyard
