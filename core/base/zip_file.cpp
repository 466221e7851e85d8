#include "core/base/zip_file.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <set>
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

Error noRoom(const char* what) { return Error::file({}, std::string(what) + ": no room in the folder for temporary files").with("write"); }
Error damagedArchive() { return Error::file({}, "is no archive, or damaged").with("value"); }

zip_fileinfo withoutTime() { // so that the bytes are the same
    zip_fileinfo info{};
    info.tmz_date.tm_year = 1980;
    info.tmz_date.tm_mday = 1;
    return info;
}

bool addEntry(zipFile archive, const std::string& name, const std::string& content) {
    const zip_fileinfo info = withoutTime();
    return zipOpenNewFileInZip(archive, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, 6) == ZIP_OK &&
           zipWriteInFileInZip(archive, content.data(), static_cast<unsigned>(content.size())) == ZIP_OK &&
           zipCloseFileInZip(archive) == ZIP_OK;
}

Result<std::string> bytesOf(const TemporaryFile& file) {
    std::ifstream stream(file.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    return stream.bad() || bytes.empty() ? noRoom("the archive cannot be made") : Result<std::string>(std::move(bytes));
}

// An archive that is open for reading.
class Reader {
public:
    explicit Reader(const std::string& bytes) {
        std::ofstream stream(m_file.path(), std::ios::binary);
        m_hasRoom = !m_file.path().empty() && stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush().good();
        if (m_hasRoom) m_archive = unzOpen64(m_file.path().c_str());
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() {
        if (m_archive) unzClose(m_archive);
    }
    Status opened() const {
        if (!m_hasRoom) return noRoom("cannot be unpacked");
        return m_archive ? Status(Done{}) : damagedArchive();
    }
    unzFile archive() const { return m_archive; }
    // Calls use(name, info) for every entry until it returns false. Errors: damaged.
    template <class Use>
    Status eachEntry(const Use& use) const {
        int next = unzGoToFirstFile(m_archive);
        for (; next == UNZ_OK; next = unzGoToNextFile(m_archive)) {
            unz_file_info64 info{};
            std::array<char, 1024> name{};
            if (unzGetCurrentFileInfo64(m_archive, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK)
                return damagedArchive();
            if (!use(std::string(name.data()), info)) return Done{};
        }
        return next == UNZ_END_OF_LIST_OF_FILE ? Status(Done{}) : damagedArchive();
    }
    // Calls use(piece) for the content of the current entry until it returns false; of a raw one as it is packed. False: damaged.
    template <class Use>
    bool eachPiece(const Use& use, bool isRaw = false) const {
        int method = 0, level = 0;
        if (unzOpenCurrentFile2(m_archive, &method, &level, isRaw ? 1 : 0) != UNZ_OK) return false;
        unz_file_info64 info{};
        unzGetCurrentFileInfo64(m_archive, &info, nullptr, 0, nullptr, 0, nullptr, 0);
        std::array<char, 65536> piece{};
        int read = 0;
        std::uint64_t size = 0;
        bool goesOn = true;
        while (goesOn && (read = unzReadCurrentFile(m_archive, piece.data(), static_cast<unsigned>(piece.size()))) > 0) {
            goesOn = use(std::string_view(piece.data(), static_cast<std::size_t>(read)));
            size += static_cast<std::uint64_t>(read);
        }
        const bool isIntact = unzCloseCurrentFile(m_archive) == UNZ_OK; // else its checksum is wrong; it is not looked at before the end
        const bool isWhole = size == (isRaw ? info.compressed_size : info.uncompressed_size);
        return read >= 0 && ((isIntact && isWhole) || !goesOn);
    }

private:
    TemporaryFile m_file;
    bool m_hasRoom = false;
    unzFile m_archive = nullptr;
};

// The current entry of the archive as it is packed.
bool copyEntry(const Reader& from, zipFile to, const std::string& name, const unz_file_info64& info) {
    const zip_fileinfo plain = withoutTime();
    const bool isHuge = info.uncompressed_size >= 0xffffffffU || info.compressed_size >= 0xffffffffU;
    if (zipOpenNewFileInZip2_64(to, name.c_str(), &plain, nullptr, 0, nullptr, 0, nullptr, static_cast<int>(info.compression_method), 6, 1,
                                isHuge ? 1 : 0) != ZIP_OK)
        return false;
    bool isGood = true;
    const auto write = [&](std::string_view piece) {
        isGood = zipWriteInFileInZip(to, piece.data(), static_cast<unsigned>(piece.size())) == ZIP_OK;
        return isGood;
    };
    isGood = from.eachPiece(write, true) && isGood;
    return zipCloseFileInZipRaw64(to, info.uncompressed_size, info.crc) == ZIP_OK && isGood;
}

} // namespace

Result<std::string> zipOf(const ZipEntries& entries) {
    const TemporaryFile file;
    if (file.path().empty()) return noRoom("the archive cannot be made");
    const zipFile archive = zipOpen64(file.path().c_str(), APPEND_STATUS_CREATE);
    if (!archive) return noRoom("the archive cannot be made");
    bool isGood = true;
    for (const auto& [name, content] : entries) isGood = isGood && addEntry(archive, name, content);
    if (zipClose(archive, nullptr) != ZIP_OK || !isGood) return noRoom("the archive cannot be made");
    return bytesOf(file);
}

std::uint32_t crc32Of(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

Result<ZipEntries> entriesOf(const std::string& bytes, std::size_t most, const WantedEntry& isWanted) {
    const Reader reader(bytes);
    if (Status opened = reader.opened(); !opened) return opened.errors();
    ZipEntries entries;
    std::size_t all = 0;
    bool isDamaged = false;
    const Status listed = reader.eachEntry([&](std::string name, const unz_file_info64&) {
        if (isWanted && !isWanted(name)) return true;
        std::string content;
        isDamaged = !reader.eachPiece([&](std::string_view piece) {
            content += piece;
            return (all += piece.size()) <= most;
        });
        entries.emplace_back(std::move(name), std::move(content));
        return !isDamaged && all <= most;
    });
    if (all > most) return Error::file({}, "unpacks to more than is allowed").with("limit");
    if (!listed) return listed.errors();
    return isDamaged ? Result<ZipEntries>(damagedArchive()) : Result<ZipEntries>(std::move(entries));
}

Status readEntry(const std::string& bytes, const std::string& name, const std::function<bool(std::string_view piece)>& use) {
    const Reader reader(bytes);
    if (Status opened = reader.opened(); !opened) return opened.errors();
    bool isGood = true;
    const Status listed = reader.eachEntry([&](const std::string& each, const unz_file_info64&) {
        if (each != name) return true;
        isGood = reader.eachPiece(use);
        return false;
    });
    if (!listed) return listed.errors();
    return isGood ? Status(Done{}) : damagedArchive();
}

Result<std::string> withEntries(const std::string& bytes, const ZipEntries& entries) {
    const Reader reader(bytes);
    if (Status opened = reader.opened(); !opened) return opened.errors();
    const TemporaryFile file;
    const zipFile archive = file.path().empty() ? nullptr : zipOpen64(file.path().c_str(), APPEND_STATUS_CREATE);
    if (!archive) return noRoom("the archive cannot be made");
    bool isGood = true;
    std::set<std::string> written;
    const Status listed = reader.eachEntry([&](const std::string& name, const unz_file_info64& info) {
        const auto replaced = std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.first == name; });
        isGood = replaced == entries.end() ? copyEntry(reader, archive, name, info) : addEntry(archive, name, replaced->second);
        written.insert(name);
        return isGood;
    });
    for (const auto& [name, content] : entries)
        if (!written.contains(name)) isGood = isGood && addEntry(archive, name, content);
    if (zipClose(archive, nullptr) != ZIP_OK || !isGood) return noRoom("the archive cannot be made");
    if (!listed) return listed.errors();
    return bytesOf(file);
}

} // namespace railyard
