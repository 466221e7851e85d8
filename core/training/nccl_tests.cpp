#include "core/training/nccl_tests.h"

#include "core/base/text.h"
#include "core/base/whole_number.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <vector>

namespace railyard {
namespace {

constexpr std::array<std::pair<std::string_view, CollectiveOp>, 9> programs{{{"all_reduce", CollectiveOp::AllReduce},
                                                                             {"all_gather", CollectiveOp::AllGather},
                                                                             {"reduce_scatter", CollectiveOp::ReduceScatter},
                                                                             {"alltoall", CollectiveOp::AllToAll},
                                                                             {"broadcast", CollectiveOp::Broadcast},
                                                                             {"sendrecv", CollectiveOp::PointToPoint},
                                                                             {"gather", CollectiveOp::Gather},
                                                                             {"scatter", CollectiveOp::Scatter},
                                                                             {"reduce", CollectiveOp::Reduce}}};

constexpr double shortestMicroseconds = 1e-3, longestMicroseconds = 1e9; // shorter ones are no measurement

std::optional<CollectiveOp> opIn(std::string_view text) { // the longer names stand first
    const auto found =
        std::find_if(programs.begin(), programs.end(), [&](const auto& each) { return text.find(each.first) != std::string_view::npos; });
    return found == programs.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> wordsOf(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(std::move(word));
    return words;
}

class Reader {
public:
    explicit Reader(const std::string& file) : m_file(file) {}

    Result<NcclTest> read(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            ++m_line;
            const std::vector<std::string> words = wordsOf(line);
            if (words.empty()) continue;
            if (words.front() == "#" || words.front().front() == '#')
                comment(line, words);
            else if (const auto size = decimalFrom(words.front()))
                measured(*size, words);
            if (m_errors.size() >= mostErrors) break;
        }
        return finish();
    }

private:
    void comment(const std::string& line, const std::vector<std::string>& words) {
        if (line.find("Collective test starting") != std::string::npos) m_op = opIn(line);
        if (words.size() > 2 && words[1] == "Rank" && decimalFrom(words[2])) ++m_test.ranks;
        const auto size = std::find(words.begin(), words.end(), "size"), time = std::find(words.begin(), words.end(), "time");
        if (size != words.end() && time != words.end()) m_timeColumn = static_cast<std::size_t>(time - size);
    }
    void measured(double size, const std::vector<std::string>& words) {
        if (m_timeColumn == 0)
            return fail("a size stands before the line with the names of the columns (# size count type …); keep the whole output");
        const auto bytes = wholeNumber(size);
        const auto time = m_timeColumn < words.size() ? decimalFrom(words[m_timeColumn]) : std::nullopt;
        if (!bytes || *bytes < 0 || !time || *time < shortestMicroseconds || *time > longestMicroseconds)
            return fail("must have a size in bytes and, in the column \"time\", microseconds from 0.001 to 1e9");
        if (*bytes == 0) return; // nothing is sent
        auto& [sum, count] = m_sums[*bytes];
        sum += *time * 1e-6;
        ++count;
    }
    Result<NcclTest> finish() {
        m_line = 0;
        if (!m_op) m_op = opIn(m_file.substr(m_file.find_last_of('/') + 1));
        if (!m_op)
            fail(
                "does not say which operation was measured; put the name of the program into that of the file, for example all_reduce.txt");
        if (m_test.ranks < 2) fail("lists no ranks (# Rank 0 …); keep the whole output, of a run with at least 2 GPUs");
        if (m_sums.empty()) fail("has no measured size");
        if (!m_errors.empty()) return m_errors;
        m_test.op = *m_op;
        for (const auto& [bytes, sum] : m_sums) m_test.times[bytes] = Seconds(sum.first / sum.second);
        return m_test;
    }
    void fail(std::string text) { m_errors.push_back(Error::file(m_file, std::move(text), m_line)); }

    const std::string& m_file;
    NcclTest m_test;
    std::optional<CollectiveOp> m_op;
    std::size_t m_timeColumn = 0;
    std::map<std::int64_t, std::pair<double, int>> m_sums;
    std::vector<Error> m_errors;
    int m_line = 0;
};

} // namespace

bool isNcclTest(std::string_view text) {
    return text.find("busbw") != std::string_view::npos || text.find("# nThread") != std::string_view::npos;
}

Result<NcclTest> readNcclTest(const std::string& text, const std::string& file) { return Reader(file).read(text); }

} // namespace railyard
