// Preloaded into a program: the call number FAIL_AT of open for writing, write, fsync, linkat, rename and renameat2, counted together,
// fails with ENOSPC (a write first takes half of what it was given, as full disks do). With FAIL_KILL it dies there instead. The folder
// FAIL_MARK is made. FAIL_HOW is something that a program must cope with at every call; with all but the last, FAIL_AT has no effect:
//   short        write takes half of what it was given, and says so
//   interrupted  every second write and fsync ends with EINTR
//   close        close reports EIO, as network file systems do
//   nameless     there are no files without a name, as on many network file systems
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

int calls = 0;

// Whether this call is one that FAIL_HOW=how concerns.
bool isAsked(const char* how) {
    const char* asked = std::getenv("FAIL_HOW");
    return asked && std::strcmp(asked, how) == 0;
}

bool failsNow() {
    const char* at = std::getenv("FAIL_AT");
    if (std::getenv("FAIL_HOW") && !isAsked("nameless")) return false;
    if (!at || ++calls != std::atoi(at)) return false;
    if (const char* mark = std::getenv("FAIL_MARK")) ::mkdir(mark, 0700); // tells the test that there was such a call
    if (std::getenv("FAIL_KILL")) raise(SIGKILL);
    errno = ENOSPC;
    return true;
}

template <class Call>
Call real(const char* name) {
    return reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE && isAsked("nameless")) return errno = EOPNOTSUPP, -1;
    if ((flags & (O_WRONLY | O_RDWR)) && failsNow()) return -1;
    return real<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

extern "C" ssize_t write(int descriptor, const void* bytes, size_t count) {
    const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
    if (descriptor <= 2) return call(descriptor, bytes, count);
    static bool isSecond = false;
    if (isAsked("interrupted") && (isSecond = !isSecond)) return errno = EINTR, -1;
    if (isAsked("short") && count > 1) return call(descriptor, bytes, count / 2);
    if (failsNow()) {
        if (call(descriptor, bytes, count / 2) < 0) return -1;
        errno = ENOSPC;
        return -1;
    }
    return call(descriptor, bytes, count);
}

extern "C" int fsync(int descriptor) {
    static bool isSecond = false;
    if (isAsked("interrupted") && (isSecond = !isSecond)) return errno = EINTR, -1;
    return failsNow() ? -1 : real<int (*)(int)>("fsync")(descriptor);
}

extern "C" int close(int descriptor) {
    const int closed = real<int (*)(int)>("close")(descriptor);
    if (descriptor <= 2 || !isAsked("close")) return closed;
    errno = EIO;
    return -1;
}

extern "C" int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) {
    return failsNow() ? -1 : real<int (*)(int, const char*, int, const char*, int)>("linkat")(fromFolder, from, toFolder, to, flags);
}

extern "C" int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) {
    return failsNow() ? -1
                      : real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2")(fromFolder, from, toFolder, to, flags);
}

extern "C" int rename(const char* from, const char* to) {
    return failsNow() ? -1 : real<int (*)(const char*, const char*)>("rename")(from, to);
}
