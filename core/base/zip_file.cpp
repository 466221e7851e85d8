#include "core/base/zip_file.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <unistd.h>
#include <zlib.h>

namespace railyard {
namespace {

// minizip works on files; this one is removed at the end, whatever happens. It is none of the files of a command, which core/base/file.h
// guards.
class TemporaryFile {
public:
    TemporaryFile() {
        std::error_code failed;
        m_path = std::filesystem::temp_directory_path(failed).string() + "/railyard-zip-XXXXXX";
        const int descriptor = mkstemp(m_path.data());
        if (descriptor < 0)
            m_path.clear();
        else
            close(descriptor);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (!m_path.empty()) unlink(m_path.c_str());
    }
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

} // namespace

Result<std::string> zipOf(const ZipEntries& entries) {
    const TemporaryFile file;
    const auto failed = [] {
        return Error::file({}, "the archive cannot be made: no room in the folder for temporary files").with("write");
    };
    if (file.path().empty()) return failed();
    const zipFile archive = zipOpen64(file.path().c_str(), APPEND_STATUS_CREATE);
    if (!archive) return failed();
    bool isGood = true;
    for (const auto& [name, content] : entries) {
        zip_fileinfo info{};
        info.tmz_date.tm_year = 1980; // without the time of day, so that the bytes are the same
        info.tmz_date.tm_mday = 1;
        isGood = isGood && zipOpenNewFileInZip(archive, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, 6) == ZIP_OK &&
                 zipWriteInFileInZip(archive, content.data(), static_cast<unsigned>(content.size())) == ZIP_OK &&
                 zipCloseFileInZip(archive) == ZIP_OK;
    }
    if (zipClose(archive, nullptr) != ZIP_OK || !isGood) return failed();
    std::ifstream stream(file.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    return stream.bad() || bytes.empty() ? failed() : Result<std::string>(std::move(bytes));
}

std::uint32_t crc32Of(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

Result<ZipEntries> entriesOf(const std::string& bytes, std::size_t most) {
    const TemporaryFile file;
    const auto damaged = [] { return Error::file({}, "is no archive, or damaged").with("value"); };
    if (file.path().empty()) return Error::file({}, "cannot be unpacked: no room in the folder for temporary files").with("write");
    if (std::ofstream stream(file.path(), std::ios::binary);
        !stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
        return Error::file({}, "cannot be unpacked: no room in the folder for temporary files").with("write");
    const unzFile archive = unzOpen64(file.path().c_str());
    if (!archive) return damaged();
    ZipEntries entries;
    std::size_t all = 0;
    int next = unzGoToFirstFile(archive);
    for (; next == UNZ_OK && all <= most; next = unzGoToNextFile(archive)) {
        unz_file_info64 info{};
        std::array<char, 1024> name{};
        if (unzGetCurrentFileInfo64(archive, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK ||
            unzOpenCurrentFile(archive) != UNZ_OK)
            break;
        std::string content;
        std::array<char, 65536> piece{};
        int read = 0;
        while ((read = unzReadCurrentFile(archive, piece.data(), static_cast<unsigned>(piece.size()))) > 0 && all <= most) {
            content.append(piece.data(), static_cast<std::size_t>(read));
            all += static_cast<std::size_t>(read);
        }
        if (unzCloseCurrentFile(archive) != UNZ_OK || read < 0) break; // its checksum is wrong
        entries.emplace_back(name.data(), std::move(content));
    }
    unzClose(archive);
    if (all > most) return Error::file({}, "unpacks to more than is allowed").with("limit");
    return next == UNZ_END_OF_LIST_OF_FILE ? Result<ZipEntries>(std::move(entries)) : Result<ZipEntries>(damaged());
}

} // namespace railyard
