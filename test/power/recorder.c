/*
 * Writes down, in their order, the calls by which a process changes what lies below a folder, and those that bring it to
 * the disk: for `disk-log.ts`, which tells what a power cut may leave. Preloaded into the server and its children.
 *
 *   LIMNER_RECORD_ROOT  the folder
 *   LIMNER_RECORD_LOG   the file that the calls are appended to
 *   LIMNER_RECORD_HOLD  a file, if wanted: while it is there the disk takes up nothing, and who syncs waits
 *
 * A record is a header, then `first` bytes (a path), then `second` bytes (another path, or what was written). Syncs are
 * only written down: nothing here needs the real disk. Ways past `write` (copies inside the kernel) are refused, as many
 * file systems refuse them, so that the C library's callers take the ordinary way.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct record {
  uint32_t kind;
  uint32_t flag;
  uint64_t inode;
  uint64_t offset;
  uint32_t first;
  uint32_t second;
};

/* Descriptors of files below the folder; others are of no interest. */
enum { descriptors = 65536 };
static struct {
  ino_t inode;
  char kind; /* 0: of no interest, 'f': file, 'd': folder */
  char appends;
} known[descriptors];

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int log_descriptor = -1;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("LIMNER_RECORD_ROOT");
  const char *log = getenv("LIMNER_RECORD_LOG");
  if (!folder || !log || !realpath(folder, root)) return;
  root_length = strlen(root);
  log_descriptor = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(char kind, uint32_t flag, ino_t inode, off_t offset, const char *path, const void *data, size_t size) {
  size_t first = path ? strlen(path) : 0;
  struct record header = {(uint32_t)kind, flag, inode, (uint64_t)offset, (uint32_t)first, (uint32_t)size};
  struct iovec parts[3] = {{&header, sizeof header}, {(void *)path, first}, {(void *)data, size}};
  ssize_t written = REAL(writev)(log_descriptor, parts, 3);
  if (written != (ssize_t)(sizeof header + first + size)) abort();
}

/* The absolute path of `path`, as one below the folder; null for others. */
static const char *below(int folder, const char *path, char *buffer) {
  if (log_descriptor < 0 || !path) return NULL;
  if (path[0] == '/') snprintf(buffer, PATH_MAX, "%s", path);
  else {
    char link[64];
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length < 0) return NULL;
    snprintf(buffer + length, PATH_MAX - length, "/%s", path);
  }
  size_t end = strlen(buffer);
  while (end > 1 && buffer[end - 1] == '/') buffer[--end] = 0;
  if (strncmp(buffer, root, root_length) != 0 || buffer[root_length] != '/') return NULL;
  return buffer + root_length + 1;
}

static void opened(int fd, const char *path, int flags, int existed) {
  struct stat facts;
  if (fd < 0 || fd >= descriptors || fstat(fd, &facts) != 0) return;
  known[fd].kind = S_ISDIR(facts.st_mode) ? 'd' : S_ISREG(facts.st_mode) ? 'f' : 0;
  known[fd].inode = facts.st_ino;
  known[fd].appends = (flags & O_APPEND) != 0;
  if (known[fd].kind != 'f') return;
  if (!existed) put('O', 0, facts.st_ino, 0, path, NULL, 0);
  else if (flags & O_TRUNC) put('T', 0, facts.st_ino, 0, NULL, NULL, 0);
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *name = below(folder, path, buffer);
  /* The folder itself is of interest for its syncs. */
  int is_root = !name && log_descriptor >= 0 && path && strcmp(path, root) == 0;
  if (!name && !is_root) return REAL(openat)(folder, path, flags, mode);
  pthread_mutex_lock(&turn);
  int existed = faccessat(folder, path, F_OK, 0) == 0;
  int fd = REAL(openat)(folder, path, flags, mode);
  int error = errno;
  if (fd >= 0) opened(fd, name, flags, existed);
  pthread_mutex_unlock(&turn);
  errno = error;
  return fd;
}

#define MODE_OF(flags)                              \
  mode_t mode = 0;                                  \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {          \
    va_list rest;                                   \
    va_start(rest, flags);                          \
    mode = va_arg(rest, mode_t);                    \
    va_end(rest);                                   \
  }

int open(const char *path, int flags, ...) { MODE_OF(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE_OF(flags) return open_at(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE_OF(flags) return open_at(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int fd) {
  if (fd >= 0 && fd < descriptors && known[fd].kind) {
    pthread_mutex_lock(&turn);
    known[fd].kind = 0;
    pthread_mutex_unlock(&turn);
  }
  return REAL(close)(fd);
}

/* Descriptors are closed in more ways than one, and given again to something else: looked at each time. */
static char kind_of(int fd) {
  if (fd < 0 || fd >= descriptors || !known[fd].kind) return 0;
  struct stat facts;
  if (fstat(fd, &facts) != 0 || facts.st_ino != known[fd].inode) return known[fd].kind = 0;
  return S_ISREG(facts.st_mode) == (known[fd].kind == 'f') ? known[fd].kind : (known[fd].kind = 0);
}

/* When an answer leaves, what it promises must be on the disk: the log knows the moment. */
static void sent(int fd) {
  if (log_descriptor < 0 || fd == log_descriptor || fd < 3) return;
  struct stat facts;
  if (fstat(fd, &facts) != 0 || !S_ISSOCK(facts.st_mode)) return;
  int error = errno;
  pthread_mutex_lock(&turn);
  put('S', 0, 0, 0, NULL, NULL, 0);
  pthread_mutex_unlock(&turn);
  errno = error;
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  pthread_mutex_lock(&turn);
  struct stat facts;
  off_t start = offset >= 0 ? offset : known[fd].appends && fstat(fd, &facts) == 0 ? facts.st_size : lseek(fd, 0, SEEK_CUR);
  ssize_t done = offset >= 0 ? REAL(pwritev)(fd, parts, count, offset) : REAL(writev)(fd, parts, count);
  int error = errno;
  ssize_t left = done;
  for (int index = 0; index < count && left > 0; index += 1) {
    size_t size = parts[index].iov_len < (size_t)left ? parts[index].iov_len : (size_t)left;
    put('W', 0, known[fd].inode, start, NULL, parts[index].iov_base, size);
    start += size;
    left -= size;
  }
  pthread_mutex_unlock(&turn);
  errno = error;
  return done;
}

ssize_t write(int fd, const void *data, size_t size) {
  struct iovec part = {(void *)data, size};
  if (kind_of(fd) == 'f') return write_parts(fd, &part, 1, -1);
  sent(fd);
  return REAL(write)(fd, data, size);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (kind_of(fd) == 'f') return write_parts(fd, parts, count, -1);
  sent(fd);
  return REAL(writev)(fd, parts, count);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  sent(fd);
  return REAL(sendmsg)(fd, message, flags);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
  struct iovec part = {(void *)data, size};
  return kind_of(fd) == 'f' ? write_parts(fd, &part, 1, offset) : REAL(pwrite)(fd, data, size, offset);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) { return pwrite(fd, data, size, offset); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return kind_of(fd) == 'f' ? write_parts(fd, parts, count, offset) : REAL(pwritev)(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return pwritev(fd, parts, count, offset); }

int ftruncate(int fd, off_t size) {
  if (kind_of(fd) != 'f') return REAL(ftruncate)(fd, size);
  pthread_mutex_lock(&turn);
  int result = REAL(ftruncate)(fd, size);
  int error = errno;
  if (result == 0) put('T', 0, known[fd].inode, size, NULL, NULL, 0);
  pthread_mutex_unlock(&turn);
  errno = error;
  return result;
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }
int truncate(const char *path, off_t size) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  int result = ftruncate(fd, size);
  close(fd);
  return result;
}
int truncate64(const char *path, off64_t size) { return truncate(path, size); }
/* Callers go on without: they only reserve space. */
int fallocate(int fd, int mode, off_t offset, off_t size) {
  if (kind_of(fd) != 'f') return REAL(fallocate)(fd, mode, offset, size);
  errno = EOPNOTSUPP;
  return -1;
}
int fallocate64(int fd, int mode, off64_t offset, off64_t size) { return fallocate(fd, mode, offset, size); }
int posix_fallocate(int fd, off_t offset, off_t size) { return kind_of(fd) == 'f' ? EOPNOTSUPP : REAL(posix_fallocate)(fd, offset, size); }
int posix_fallocate64(int fd, off64_t offset, off64_t size) { return posix_fallocate(fd, offset, size); }

static int synced(int fd) {
  const char *hold = getenv("LIMNER_RECORD_HOLD");
  while (hold && REAL(access)(hold, F_OK) == 0) usleep(2000);
  pthread_mutex_lock(&turn);
  if (known[fd].kind == 'f') put('F', 0, known[fd].inode, 0, NULL, NULL, 0);
  else {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    size_t skip = path[root_length] == '/' ? root_length + 1 : root_length;
    put('G', 0, 0, 0, path + skip, NULL, 0);
  }
  pthread_mutex_unlock(&turn);
  return 0;
}
int fsync(int fd) { return kind_of(fd) ? synced(fd) : REAL(fsync)(fd); }
int fdatasync(int fd) { return kind_of(fd) ? synced(fd) : REAL(fdatasync)(fd); }
static void synced_all(void) {
  pthread_mutex_lock(&turn);
  put('Y', 0, 0, 0, NULL, NULL, 0);
  pthread_mutex_unlock(&turn);
}
int syncfs(int fd) {
  if (!kind_of(fd)) return REAL(syncfs)(fd);
  synced_all();
  return 0;
}
void sync(void) {
  if (log_descriptor < 0) REAL(sync)();
  else synced_all();
}

/* One path or two, by the call that changes them. */
#define CHANGE(call, kind, folder, path, to_folder, to)                       \
  char buffer[PATH_MAX], to_buffer[PATH_MAX];                                 \
  const char *name = below(folder, path, buffer);                             \
  const char *to_name = below(to_folder, to, to_buffer);                      \
  if (!name && !to_name) return call;                                         \
  pthread_mutex_lock(&turn);                                                  \
  int result = call;                                                          \
  int error = errno;                                                          \
  if (result == 0) put(kind, 0, 0, 0, name ? name : "", to_name, to_name ? strlen(to_name) : 0); \
  pthread_mutex_unlock(&turn);                                                \
  errno = error;                                                              \
  return result;

int rename(const char *from, const char *to) { CHANGE(REAL(rename)(from, to), 'R', AT_FDCWD, from, AT_FDCWD, to) }
int renameat(int a, const char *from, int b, const char *to) { CHANGE(REAL(renameat)(a, from, b, to), 'R', a, from, b, to) }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  CHANGE(REAL(renameat2)(a, from, b, to, flags), 'R', a, from, b, to)
}
int link(const char *from, const char *to) { CHANGE(REAL(link)(from, to), 'L', AT_FDCWD, from, AT_FDCWD, to) }
int linkat(int a, const char *from, int b, const char *to, int flags) {
  CHANGE(REAL(linkat)(a, from, b, to, flags), 'L', a, from, b, to)
}
int unlink(const char *path) { CHANGE(REAL(unlink)(path), 'U', AT_FDCWD, path, AT_FDCWD, NULL) }
int unlinkat(int folder, const char *path, int flags) { CHANGE(REAL(unlinkat)(folder, path, flags), 'U', folder, path, folder, NULL) }
int rmdir(const char *path) { CHANGE(REAL(rmdir)(path), 'U', AT_FDCWD, path, AT_FDCWD, NULL) }
int remove(const char *path) { CHANGE(REAL(remove)(path), 'U', AT_FDCWD, path, AT_FDCWD, NULL) }
int mkdir(const char *path, mode_t mode) { CHANGE(REAL(mkdir)(path, mode), 'M', AT_FDCWD, path, AT_FDCWD, NULL) }
int mkdirat(int folder, const char *path, mode_t mode) { CHANGE(REAL(mkdirat)(folder, path, mode), 'M', folder, path, folder, NULL) }

/* Copies inside the kernel. */
ssize_t copy_file_range(int in, off64_t *a, int out, off64_t *b, size_t size, unsigned flags) {
  if (!kind_of(out)) return REAL(copy_file_range)(in, a, out, b, size, flags);
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile(int out, int in, off_t *offset, size_t size) {
  ssize_t (*call)(int, int, off_t *, size_t) = real("sendfile");
  if (!kind_of(out)) return call(out, in, offset, size);
  errno = EINVAL;
  return -1;
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t size) { return sendfile(out, in, offset, size); }
ssize_t splice(int in, off64_t *a, int out, off64_t *b, size_t size, unsigned flags) {
  if (!kind_of(out)) return REAL(splice)(in, a, out, b, size, flags);
  errno = EINVAL;
  return -1;
}
int ioctl(int fd, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (kind_of(fd) && (request == FICLONE || request == FICLONERANGE)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return REAL(ioctl)(fd, request, argument);
}
/* libuv makes newer calls by their numbers. What would write past this recorder must not go unseen. */
long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_copy_file_range || number == SYS_io_uring_setup) {
    errno = ENOSYS;
    return -1;
  }
  long (*call)(long, ...) = real("syscall");
  return call(number, a, b, c, d, e, f);
}
