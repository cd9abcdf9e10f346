/* The file: header, the names of the sections, the content of those that have one, the table of sections. All numbers
 * are computed as for 64 bits and narrowed where the program has 32. */
#include "builds/pad_object.h"

#include <elf.h>
#include <string.h>

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1 << 21)
#endif

struct writer {
	struct buffer *out;
	struct buffer names, table;
	bool wide;
	unsigned sections;
};

static void align(struct buffer *out, size_t to)
{
	while (to > 1 && out->length % to)
		buffer_char(out, '\0');
}

static void add_section(struct writer *writer, const char *name, Elf64_Shdr header)
{
	header.sh_name = (Elf64_Word)writer->names.length;
	buffer_add(&writer->names, name, strlen(name) + 1);
	writer->sections++;
	if (writer->wide) {
		buffer_add(&writer->table, &header, sizeof(header));
		return;
	}
	Elf32_Shdr narrow = {.sh_name = header.sh_name,
	                     .sh_type = header.sh_type,
	                     .sh_flags = (Elf32_Word)header.sh_flags,
	                     .sh_offset = (Elf32_Off)header.sh_offset,
	                     .sh_size = (Elf32_Word)header.sh_size,
	                     .sh_link = header.sh_link,
	                     .sh_info = header.sh_info,
	                     .sh_entsize = (Elf32_Word)header.sh_entsize,
	                     .sh_addralign = (Elf32_Word)header.sh_addralign};
	buffer_add(&writer->table, &narrow, sizeof(narrow));
}

static void add_padding(struct writer *writer, size_t group, const struct layout_part *part, bool retain)
{
	Elf64_Shdr header = {.sh_type = group == LAYOUT_BSS ? SHT_NOBITS : SHT_PROGBITS,
	                     .sh_flags = SHF_ALLOC,
	                     .sh_offset = writer->out->length,
	                     .sh_size = part->padding,
	                     .sh_addralign = 1};
	header.sh_flags |= group <= LAYOUT_TEXT ? SHF_EXECINSTR : group == LAYOUT_RODATA ? 0 : SHF_WRITE;
	header.sh_flags |= retain ? SHF_GNU_RETAIN : 0;
	if (group != LAYOUT_BSS)
		buffer_repeat(writer->out, "\xcc",
		              part->padding); /* on x86 a trap; it is never run, and no zeros to be left out */
	add_section(writer, part->name, header);
}

static void add_property(struct writer *writer, const struct objects *objects)
{
	align(writer->out, objects->property_align);
	Elf64_Shdr header = {.sh_type = SHT_NOTE,
	                     .sh_flags = SHF_ALLOC,
	                     .sh_offset = writer->out->length,
	                     .sh_size = objects->property_size,
	                     .sh_addralign = objects->property_align};
	buffer_add(writer->out, objects->property, objects->property_size);
	add_section(writer, ".note.gnu.property", header);
}

/* The linkers expect a table of symbols: one with the empty first symbol alone. */
static void add_symbols(struct writer *writer)
{
	static const char nothing[sizeof(Elf64_Sym)];
	size_t size = writer->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	align(writer->out, 8);
	size_t symbols = writer->out->length;
	buffer_add(writer->out, nothing, size);
	add_section(writer, ".strtab",
	            (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = symbols, .sh_size = 1, .sh_addralign = 1});
	add_section(writer, ".symtab",
	            (Elf64_Shdr){.sh_type = SHT_SYMTAB,
	                         .sh_offset = symbols,
	                         .sh_size = size,
	                         .sh_link = writer->sections - 1,
	                         .sh_info = 1,
	                         .sh_entsize = size,
	                         .sh_addralign = 8});
}

/* Over the place that was left for it. */
static void write_header(struct writer *writer, const struct objects *objects, size_t table_at)
{
	Elf64_Ehdr wide = {.e_type = ET_REL,
	                   .e_machine = objects->machine,
	                   .e_version = EV_CURRENT,
	                   .e_shoff = table_at,
	                   .e_flags = objects->flags,
	                   .e_ehsize = sizeof(wide),
	                   .e_shentsize = sizeof(Elf64_Shdr),
	                   .e_shnum = (Elf64_Half)writer->sections,
	                   .e_shstrndx = (Elf64_Half)(writer->sections - 1)};
	unsigned char ident[EI_NIDENT] = {ELFMAG0,
	                                  ELFMAG1,
	                                  ELFMAG2,
	                                  ELFMAG3,
	                                  writer->wide ? ELFCLASS64 : ELFCLASS32,
	                                  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
	                                  objects->version,
	                                  objects->abi};
	memcpy(wide.e_ident, ident, sizeof(ident));
	if (writer->wide) {
		memcpy(writer->out->data, &wide, sizeof(wide));
		return;
	}
	Elf32_Ehdr narrow = {.e_type = ET_REL,
	                     .e_machine = objects->machine,
	                     .e_version = EV_CURRENT,
	                     .e_shoff = (Elf32_Off)table_at,
	                     .e_flags = objects->flags,
	                     .e_ehsize = sizeof(narrow),
	                     .e_shentsize = sizeof(Elf32_Shdr),
	                     .e_shnum = wide.e_shnum,
	                     .e_shstrndx = wide.e_shstrndx};
	memcpy(narrow.e_ident, ident, sizeof(ident));
	memcpy(writer->out->data, &narrow, sizeof(narrow));
}

void pad_object_write(const struct layout *layout, const struct objects *objects, bool retain, struct buffer *out)
{
	static const char nothing[sizeof(Elf64_Ehdr)];
	struct writer writer = {.out = out, .wide = objects->wide};
	buffer_clear(out);
	buffer_add(out, nothing, objects->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	add_section(&writer, "", (Elf64_Shdr){0});
	for (size_t group = 0; group < LAYOUT_GROUPS; group++)
		for (size_t i = 0; i < layout->counts[group]; i++)
			if (layout->parts[group][i].padding)
				add_padding(&writer, group, &layout->parts[group][i], retain);
	if (objects->property)
		add_property(&writer, objects);
	add_section(&writer, ".note.GNU-stack",
	            (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_offset = out->length, .sh_addralign = 1});
	add_symbols(&writer);
	size_t names_at = out->length, names_size = writer.names.length + sizeof(".shstrtab");
	add_section(&writer, ".shstrtab",
	            (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = names_size, .sh_addralign = 1});
	buffer_add(out, writer.names.data, writer.names.length);
	align(out, 8);
	size_t table_at = out->length;
	buffer_add(out, writer.table.data, writer.table.length);
	out->out_of_memory |= writer.names.out_of_memory || writer.table.out_of_memory;
	if (!out->out_of_memory)
		write_header(&writer, objects, table_at);
	buffer_release(&writer.names);
	buffer_release(&writer.table);
}
