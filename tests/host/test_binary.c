#include "host/binary.h"

#include "support/known.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The build-id as the loader has mapped it. */
static int find_own(struct dl_phdr_info *info, size_t size, void *context)
{
	char *text = context;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_NOTE)
			continue;
		const char *at = (const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
				   *end = at + info->dlpi_phdr[i].p_memsz;
		while (at + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *note = (const void *)at;
			const unsigned char *id = (const unsigned char *)(note + 1) + ((note->n_namesz + 3) & ~3u);
			if (note->n_type == NT_GNU_BUILD_ID)
				for (unsigned k = 0; k < note->n_descsz && 2 * k + 3 < BINARY_BUILD_ID; k++)
					sprintf(text + (size_t)2 * k, "%02x", id[k]);
			at = (const char *)id + ((note->n_descsz + 3) & ~3u);
		}
	}
	return 1; /* the program itself comes first */
}

static void test_own_build_id(void **state)
{
	(void)state;
	char expected[BINARY_BUILD_ID] = "";
	struct host host = host_real();
	struct binary binary;
	dl_iterate_phdr(find_own, expected);
	binary_describe(&host, "/proc/self/exe", &binary);
	assert_string_equal(binary.build_id, expected);
	assert_int_equal(strlen(binary.hash), 64);
}

static void test_files(void **state)
{
	(void)state;
	struct host host = host_real();
	struct binary binary;
	char path[] = "/tmp/tare-binary-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, "abc", 3) == 3);
	binary_describe(&host, path, &binary);
	assert_string_equal(binary.build_id, "");
	assert_string_equal(binary.hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	/* An ELF head with nothing behind it. */
	unsigned char head[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
	head[32] = 64, head[54] = 56, head[56] = 255, head[57] = 255;
	assert_int_equal(pwrite(fd, head, sizeof(head), 0), sizeof(head));
	binary_describe(&host, path, &binary);
	assert_string_equal(binary.build_id, "");
	close(fd);
	unlink(path);
	binary_describe(&host, path, &binary);
	assert_string_equal(binary.hash, "");
	binary_describe(&host, "/", &binary);
	assert_string_equal(binary.hash, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_build_id), cmocka_unit_test(test_files)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
