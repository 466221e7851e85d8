#include "core/training/nccl_tests.h"

#include "core/base/text.h"
#include "core/base/whole_number.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <utility>

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

struct Run {
    int line = 0; // where it begins
    std::optional<CollectiveOp> op;
    std::int64_t ranks = 0;
    std::size_t timeColumn = 0;            // counted from the first word; 0 while the names of the columns are missing
    std::vector<std::size_t> wrongColumns; // out of place and in place
    std::map<std::int64_t, std::pair<double, int>> sums;
    bool hasContent() const { return op || ranks > 0 || !sums.empty(); }
};

class Reader {
public:
    explicit Reader(const std::string& file) : m_file(file) {}

    Result<std::vector<NcclTest>> read(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            ++m_line;
            const std::vector<std::string> words = wordsOf(line);
            if (words.empty()) continue;
            if (words.front().front() == '#')
                comment(line, words);
            else if (const auto size = decimalFrom(words.front()))
                measured(*size, words);
            if (m_errors.size() >= mostErrors) break;
        }
        endRun();
        if (m_tests.empty() && m_errors.empty()) fail("has no measured size");
        if (!m_errors.empty()) return m_errors;
        return std::move(m_tests);
    }

private:
    void comment(const std::string& line, const std::vector<std::string>& words) {
        if (line.find("Collective test starting") != std::string::npos) {
            endRun();
            m_run.op = opIn(line);
        }
        if (const auto rank = words.size() > 2 && words[1] == "Rank" ? decimalFrom(words[2]) : std::nullopt) {
            if (*rank == 0 && m_run.ranks > 0) endRun();
            ++m_run.ranks;
        }
        const auto size = std::find(words.begin(), words.end(), "size"), time = std::find(words.begin(), words.end(), "time");
        if (size != words.end() && time != words.end()) {
            m_run.timeColumn = static_cast<std::size_t>(time - size);
            m_run.wrongColumns.clear();
            for (auto each = size; each != words.end(); ++each)
                if (*each == "#wrong") m_run.wrongColumns.push_back(static_cast<std::size_t>(each - size));
        }
        if (line.find("Out of bounds values") != std::string::npos && line.find("FAILED") != std::string::npos)
            fail("the run has wrong results (Out of bounds values … FAILED), so its times prove nothing; repeat it on working hardware");
    }
    void measured(double size, const std::vector<std::string>& words) {
        if (m_run.timeColumn == 0)
            return fail("a size stands before the line with the names of the columns (# size count type …); keep the whole output");
        for (const std::size_t column : m_run.wrongColumns)
            if (const auto wrong = column < words.size() ? decimalFrom(words[column]) : std::nullopt; wrong && *wrong > 0)
                return fail(fmt::format("{} results are wrong (#wrong), so this time proves nothing; repeat the run on working hardware",
                                        words[column]));
        const auto bytes = wholeNumber(size);
        const auto time = m_run.timeColumn < words.size() ? decimalFrom(words[m_run.timeColumn]) : std::nullopt;
        if (!bytes || *bytes < 0 || !time || *time < shortestMicroseconds || *time > longestMicroseconds)
            return fail("must have a size in bytes and, in the column \"time\", microseconds from 0.001 to 1e9");
        if (*bytes == 0) return; // nothing is sent
        auto& [sum, count] = m_run.sums[*bytes];
        sum += *time * 1e-6;
        ++count;
    }
    void endRun() {
        const Run run = std::exchange(m_run, Run{m_line, {}, 0, 0, {}, {}});
        if (!run.hasContent() || !m_errors.empty()) return;
        const auto failRun = [&](std::string text) {
            m_errors.push_back(Error::file(m_file, std::move(text), run.line, run.line ? 1 : 0));
        };
        const auto op = run.op ? run.op : opIn(m_file.substr(m_file.find_last_of('/') + 1));
        if (!op)
            failRun(
                "does not say which operation was measured; put the name of the program into that of the file, for example all_reduce.txt");
        if (run.ranks < 2) failRun("lists no ranks (# Rank 0 …); keep the whole output, of a run with at least 2 GPUs");
        if (run.sums.empty()) failRun("has no measured size");
        if (!m_errors.empty()) return;
        for (const NcclTest& other : m_tests)
            if (other.op == *op && other.ranks == run.ranks)
                return failRun(
                    fmt::format("{} with {} ranks is measured twice in this file; keep one of the two runs", toText(*op), run.ranks));
        NcclTest test{*op, run.ranks, {}};
        for (const auto& [bytes, sum] : run.sums) test.times[bytes] = Seconds(sum.first / sum.second);
        m_tests.push_back(std::move(test));
    }
    void fail(std::string text) { m_errors.push_back(Error::file(m_file, std::move(text), m_line, m_line > 0 ? 1 : 0)); }

    const std::string& m_file;
    Run m_run;
    std::vector<NcclTest> m_tests;
    std::vector<Error> m_errors;
    int m_line = 0;
};

} // namespace

bool isNcclTest(std::string_view text) {
    return text.find("busbw") != std::string_view::npos || text.find("# nThread") != std::string_view::npos;
}

Result<std::vector<NcclTest>> readNcclTests(const std::string& text, const std::string& file) { return Reader(file).read(text); }

} // namespace railyard
