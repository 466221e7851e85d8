// Reads whole files, and replaces files atomically: a reader sees either the old or the new content, whatever happens meanwhile.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

inline constexpr std::size_t mostFileBytes = std::size_t{1} << 30U;

// Only regular files, and what the caller passed on as /dev/stdin or /dev/fd/N. Devices and named pipes, which may never end, and
// files of more than `most` bytes are refused.
Result<std::string> readFile(const std::string& path, std::size_t most = mostFileBytes);
// A file of any size, line by line: each without its line break, and whether it has one. A line longer than mostFileBytes is an error, as
// are files that readFile() refuses.
Status eachLine(const std::string& path, const std::function<void(std::string_view line, bool isEnded)>& take);
// What readFile() reads, as UTF-8 without control characters (core/base/text.h).
Result<std::string> readText(const std::string& path);

// The same for the same bytes. Programs compare it to see whether a file still has the content that they read or wrote.
std::string contentMark(std::string_view bytes);
inline constexpr const char* noFileMark = ""; // of a file that does not exist
Result<std::string> markOfFile(const std::string& path);

// From this call on, no file that this process has read or written is replaced by another output: a command never destroys its own
// input, whatever links lead to it. Refused as wrong usage. A writer that states the content it replaces is exempt.
void protectFilesInUse();

enum class Visibility { AsUsual, OwnerOnly }; // of a new file; an existing file keeps its own

// What a writer may replace.
struct Replacing {
    Visibility visibility = Visibility::AsUsual;
    // If set, only a file with this content (contentMark, noFileMark) is replaced; otherwise the error has the code "changed".
    std::optional<std::string> knownMark = {};
};

// A file that takes its place only when it is whole. Its bytes go to a file without a name, or to an unpredictable name next to the
// target where the file system requires names, created by this call and by no other; the file keeps owner, group, permissions and
// access list as far as the system permits. Symbolic links are followed; devices and pipes are written directly at the end, and "-"
// is standard output. A target without write permission is refused, for the superuser too. What is not moved into place is removed;
// what a killed process left under a name is removed by the next save of the same file.
class PendingFile {
public:
    static Result<PendingFile> nextTo(const std::string& path, Replacing replacing = {});
    Status append(std::string_view bytes);
    Status finish();        // on disk
    Status moveIntoPlace(); // requires finish()

private:
    friend Status moveIntoPlace(std::vector<PendingFile>& finished);
    struct State;
    Status takeName(); // next to the target, if it has none
    Status exchange(); // as moveIntoPlace(), but the file that was there is kept beside it until this is destroyed
    void takeBack();   // undoes exchange()
    explicit PendingFile(std::shared_ptr<State> state) : m_state(std::move(state)) {}
    Status mayReplace() const;
    Error failed(int code) const;
    std::shared_ptr<State> m_state;
};

Status writeFile(const std::string& path, std::string_view bytes, Replacing replacing = {});

// Files that belong together: none is replaced before all are on disk, and if one cannot be, those before it are as they were.
struct FileText {
    std::string path, text;
};
Status writeFiles(const std::vector<FileText>& files);
Status moveIntoPlace(std::vector<PendingFile>& finished);

// Keeps other Railyard processes from changing a file between reading and writing it. Held until destroyed; waits for others
// for half a minute, or until `mayWait` says no, then refuses. Where the file system has no locks, it is empty.
class FileLock {
public:
    FileLock() = default; // locks nothing
    static Result<FileLock> acquire(const std::string& path, const std::function<bool()>& mayWait = {});

private:
    explicit FileLock(int descriptor);
    std::shared_ptr<const int> m_descriptor;
};

} // namespace railyard
