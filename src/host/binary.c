#include "host/binary.h"

#include "base/memory.h"
#include "host/file.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 16, LARGEST = 512 << 20, MOST_HEADERS = 512, MOST_NOTES = 1 << 16 };

static bool read_at(const struct host *host, int fd, void *bytes, size_t size, uint64_t offset)
{
	return offset < INT64_MAX && host->sys->pread(fd, bytes, size, (off_t)offset) == (ssize_t)size;
}

static void print_hex(const unsigned char *bytes, size_t size, char *text, size_t room)
{
	for (size_t i = 0; i < size && 2 * i + 3 <= room; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* The note "GNU" of type NT_GNU_BUILD_ID among the notes of one segment. */
static bool find_build_id(const unsigned char *notes, size_t size, char *text, size_t room)
{
	Elf64_Nhdr note; /* as in 32-bit files */
	for (size_t at = 0; size - at >= sizeof(note);) {
		memcpy(&note, notes + at, sizeof(note));
		size_t name = at + sizeof(note), content = name + (((size_t)note.n_namesz + 3) & ~(size_t)3);
		size_t end = content + (((size_t)note.n_descsz + 3) & ~(size_t)3);
		if (content > size || end > size || end <= at)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
			print_hex(notes + content, note.n_descsz, text, room);
			return true;
		}
		at = end;
	}
	return false;
}

/* Where the notes of program header i are; size 0: it holds none. */
static uint64_t note_segment(const struct host *host, int fd, bool wide, uint64_t headers, unsigned i, size_t *size)
{
	Elf64_Phdr large = {0};
	Elf32_Phdr small = {0};
	*size = 0;
	if (wide && read_at(host, fd, &large, sizeof(large), headers + i * sizeof(large)) && large.p_type == PT_NOTE)
		*size = large.p_filesz < MOST_NOTES ? (size_t)large.p_filesz : 0;
	if (wide)
		return large.p_offset;
	if (read_at(host, fd, &small, sizeof(small), headers + i * sizeof(small)) && small.p_type == PT_NOTE)
		*size = small.p_filesz < MOST_NOTES ? small.p_filesz : 0;
	return small.p_offset;
}

static void read_build_id(const struct host *host, int fd, struct binary *out)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr wide;
		Elf32_Ehdr narrow;
	} head;
	memset(&head, 0, sizeof(head));
	if (!read_at(host, fd, &head, sizeof(head), 0) || memcmp(head.ident, ELFMAG, SELFMAG) != 0)
		return;
	bool wide = head.ident[EI_CLASS] == ELFCLASS64;
	uint64_t headers = wide ? head.wide.e_phoff : head.narrow.e_phoff;
	unsigned count = wide ? head.wide.e_phnum : head.narrow.e_phnum;
	unsigned char *notes = mem_alloc(MOST_NOTES, 1);
	bool found = false;
	for (unsigned i = 0; notes && !found && i < count && i < MOST_HEADERS; i++) {
		size_t size;
		uint64_t offset = note_segment(host, fd, wide, headers, i, &size);
		found = size > 0 && read_at(host, fd, notes, size, offset) &&
		        find_build_id(notes, size, out->build_id, sizeof(out->build_id));
	}
	mem_free(notes);
}

static void read_hash(const struct host *host, int fd, struct binary *out)
{
	struct sha256 sha;
	unsigned char *piece = mem_alloc(PIECE, 1);
	long n = -1, total = 0;
	sha256_init(&sha);
	while (piece && total <= LARGEST && (n = file_read(host->sys, fd, piece, PIECE, NULL)) > 0) {
		sha256_add(&sha, piece, (size_t)n);
		total += n;
	}
	if (n == 0)
		sha256_end(&sha, out->hash);
	mem_free(piece);
}

void binary_describe(const struct host *host, const char *path, struct binary *out)
{
	memset(out, 0, sizeof(*out));
	if (file_kind(host->sys, path) != FILE_REGULAR)
		return;
	int fd = file_open(host->sys, path, NULL);
	if (fd < 0)
		return;
	read_build_id(host, fd, out);
	read_hash(host, fd, out);
	host->sys->close(fd);
}
