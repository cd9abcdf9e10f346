/* A file is mapped and read with every offset checked against its size: a link must not fail here for a file that the
 * linker would have explained better. */
#include "builds/objects.h"

#include "base/array.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct bytes {
	const unsigned char *at;
	size_t size;
};

static bool slice(struct bytes whole, uint64_t offset, uint64_t size, struct bytes *out)
{
	if (offset > whole.size || size > whole.size - offset)
		return false;
	*out = (struct bytes){whole.at + offset, (size_t)size};
	return true;
}

/* A section header of either width, as the wide one. */
static bool read_header(struct bytes file, bool wide, uint64_t table, uint64_t index, Elf64_Shdr *out)
{
	size_t each = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	struct bytes place;
	Elf32_Shdr narrow;
	if (index > SIZE_MAX / each || table > SIZE_MAX - index * each || !slice(file, table + index * each, each, &place))
		return false;
	if (wide) {
		memcpy(out, place.at, sizeof(*out));
		return true;
	}
	memcpy(&narrow, place.at, sizeof(narrow));
	*out = (Elf64_Shdr){.sh_name = narrow.sh_name,
	                    .sh_type = narrow.sh_type,
	                    .sh_flags = narrow.sh_flags,
	                    .sh_offset = narrow.sh_offset,
	                    .sh_size = narrow.sh_size,
	                    .sh_link = narrow.sh_link,
	                    .sh_addralign = narrow.sh_addralign};
	return true;
}

static bool is_movable(const char *name)
{
	static const char *const folders[] = {".text.", ".rodata.", ".data.", ".bss."};
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
	/* Relocated once and then made read-only: the linker keeps these together. */
	if (strncmp(name, ".data.rel.ro", 12) == 0 || name[strspn(name, letters)] != '\0')
		return false;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (strncmp(name, folders[i], strlen(folders[i])) == 0 && name[strlen(folders[i])] != '\0')
			return true;
	return false;
}

static int add_name(struct objects *objects, const char *name, struct error *err)
{
	if (array_add_in(objects->arena, &objects->names, objects->count) != 0)
		return error_memory(err);
	objects->names[objects->count] = arena_strdup(objects->arena, name);
	return objects->names[objects->count++] ? 0 : error_memory(err);
}

static int keep_property(struct objects *objects, struct bytes content, const Elf64_Shdr *header, struct error *err)
{
	char *copy = arena_alloc(objects->arena, content.size + 1, 1);
	if (!copy)
		return error_memory(err);
	memcpy(copy, content.at, content.size);
	objects->property = copy;
	objects->property_size = content.size;
	objects->property_align = (size_t)header->sh_addralign;
	return 0;
}

/* GCC's whole-program optimisation: the object has ".gnu.lto_NAME.NUMBER.HASH" for each function, and the code that
 * comes of it is in ".text.NAME", of copies and halves in ".text.NAME.…". */
static int add_later_code(struct objects *objects, const char *section, struct error *err)
{
	static const char prefix[] = ".gnu.lto_";
	char name[4096], pattern[4200];
	if (strncmp(section, prefix, sizeof(prefix) - 1) != 0 || strlen(section) >= sizeof(name))
		return 0;
	strcpy(name, section + sizeof(prefix) - 1);
	for (int i = 0; i < 2; i++) {
		char *dot = strrchr(name, '.');
		if (!dot || dot == name)
			return 0;
		*dot = '\0';
	}
	snprintf(pattern, sizeof(pattern), ".text.%s", name);
	if (name[0] == '.' || !is_movable(pattern))
		return 0;
	if (add_name(objects, pattern, err) != 0)
		return -1;
	snprintf(pattern, sizeof(pattern), ".text.%s.*", name);
	return add_name(objects, pattern, err);
}

static int read_sections(struct bytes file, bool wide, uint64_t table, uint64_t count, uint64_t names_at,
                         struct objects *objects, bool first, struct error *err)
{
	Elf64_Shdr header;
	struct bytes names, content;
	if (!read_header(file, wide, table, names_at, &header) || !slice(file, header.sh_offset, header.sh_size, &names) ||
	    names.size == 0 || names.at[names.size - 1] != '\0')
		return 0;
	for (uint64_t i = 1; i < count && read_header(file, wide, table, i, &header); i++) {
		if (header.sh_name >= names.size)
			continue;
		const char *name = (const char *)names.at + header.sh_name;
		bool stays = (header.sh_flags & SHF_ALLOC) && (header.sh_type == SHT_PROGBITS || header.sh_type == SHT_NOBITS);
		if (stays && is_movable(name) && add_name(objects, name, err) != 0)
			return -1;
		if (add_later_code(objects, name, err) != 0)
			return -1;
		if (first && strcmp(name, ".note.gnu.property") == 0 && header.sh_size < 4096 &&
		    slice(file, header.sh_offset, header.sh_size, &content) &&
		    keep_property(objects, content, &header, err) != 0)
			return -1;
	}
	return 0;
}

static bool is_own_order(const unsigned char *ident)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return ident[EI_DATA] == ELFDATA2LSB;
#else
	return ident[EI_DATA] == ELFDATA2MSB;
#endif
}

/* One ELF file; `*kind` stays when it is not relocatable. */
static int read_elf(struct bytes file, struct objects *objects, enum object_kind *kind, struct error *err)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr wide;
		Elf32_Ehdr narrow;
	} head;
	memset(&head, 0, sizeof(head));
	memcpy(&head, file.at, file.size < sizeof(head) ? file.size : sizeof(head));
	bool wide = head.ident[EI_CLASS] == ELFCLASS64;
	if (file.size < (wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)) || !is_own_order(head.ident) ||
	    head.wide.e_type != ET_REL)
		return 0;
	*kind = OBJECT_CODE;
	uint64_t table = wide ? head.wide.e_shoff : head.narrow.e_shoff;
	uint64_t count = wide ? head.wide.e_shnum : head.narrow.e_shnum;
	uint64_t names_at = wide ? head.wide.e_shstrndx : head.narrow.e_shstrndx;
	Elf64_Shdr zeroth;
	if (!objects || table == 0 || !read_header(file, wide, table, 0, &zeroth))
		return 0;
	/* More sections than fit the header: their numbers are in the first one. */
	if (count == 0)
		count = zeroth.sh_size;
	if (names_at == SHN_XINDEX)
		names_at = zeroth.sh_link;
	bool first = !objects->known;
	if (first) {
		objects->known = true;
		objects->wide = wide;
		objects->machine = head.wide.e_machine;
		objects->flags = wide ? head.wide.e_flags : head.narrow.e_flags;
		objects->version = head.ident[EI_VERSION];
		objects->abi = head.ident[EI_OSABI];
	}
	return read_sections(file, wide, table, count, names_at, objects, first, err);
}

static bool is_bitcode(struct bytes file)
{
	return file.size >= 4 && (memcmp(file.at, "BC\xc0\xde", 4) == 0 || memcmp(file.at, "\xde\xc0\x17\x0b", 4) == 0);
}

static bool is_elf(struct bytes file)
{
	return file.size > SELFMAG && memcmp(file.at, ELFMAG, SELFMAG) == 0;
}

/* Members of an archive: a header of 60 bytes, the size in decimal at 48, each at an even place. */
static int read_archive(struct bytes file, struct objects *objects, struct error *err)
{
	enum { MAGIC = 8, HEADER = 60, SIZE_AT = 48, SIZE_LENGTH = 10 };
	uint64_t at = MAGIC;
	struct bytes header, member;
	while (slice(file, at, HEADER, &header)) {
		char digits[SIZE_LENGTH + 1] = {0};
		memcpy(digits, header.at + SIZE_AT, SIZE_LENGTH);
		char *end;
		uint64_t size = strtoull(digits, &end, 10);
		if (end == digits || !slice(file, at + HEADER, size, &member))
			return 0;
		enum object_kind ignored;
		if (is_elf(member) && read_elf(member, objects, &ignored, err) != 0)
			return -1;
		at += HEADER + size + (size & 1);
	}
	return 0;
}

static int look(struct bytes file, struct objects *objects, enum object_kind *kind, struct error *err)
{
	if (is_elf(file))
		return read_elf(file, objects, kind, err);
	if (is_bitcode(file))
		*kind = OBJECT_BITCODE;
	if (file.size < 8 || (memcmp(file.at, "!<arch>\n", 8) != 0 && memcmp(file.at, "!<thin>\n", 8) != 0))
		return 0;
	*kind = OBJECT_ARCHIVE;
	return objects && file.at[2] == 'a' ? read_archive(file, objects, err) : 0;
}

int objects_look(const struct host *host, const char *path, struct objects *objects, enum object_kind *kind,
                 struct error *err)
{
	struct stat status;
	*kind = OBJECT_OTHER;
	int fd = host->sys->open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	off_t size = host->sys->lseek(fd, 0, SEEK_END);
	if (host->sys->stat(path, &status) != 0 || !S_ISREG(status.st_mode) || size <= 0) {
		host->sys->close(fd);
		return 0;
	}
	struct bytes file = {host->sys->mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0), (size_t)size};
	host->sys->close(fd);
	if (file.at == MAP_FAILED)
		return 0;
	int result = look(file, objects, kind, err);
	host->sys->munmap((void *)(uintptr_t)file.at, file.size);
	return result;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void objects_sort(struct objects *objects)
{
	size_t kept = 0;
	if (objects->count == 0)
		return;
	qsort(objects->names, objects->count, sizeof(*objects->names), by_bytes);
	for (size_t i = 0; i < objects->count; i++)
		if (i == 0 || strcmp(objects->names[i], objects->names[kept - 1]) != 0)
			objects->names[kept++] = objects->names[i];
	objects->count = kept;
}
