#include "builds/linker.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* First lines as the linkers of Debian, Fedora and LLVM print them. */
static void versions(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum linker_kind kind;
		bool orders;
	} known[] = {
		{"GNU ld (GNU Binutils for Debian) 2.40\nCopyright (C) 2023", LINKER_GNU, true},
		{"GNU ld version 2.41-37.fc40\n", LINKER_GNU, true},
		{"GNU gold (GNU Binutils for Debian 2.40) 1.16\n", LINKER_GOLD, true},
		{"LLD 18.1.8 (compatible with GNU linkers)\n", LINKER_LLD, true},
		{"Debian LLD 14.0.6 (compatible with GNU linkers)\n", LINKER_LLD, true},
		{"LLD 12.0.1 (compatible with GNU linkers)\n", LINKER_LLD, false},
		{"mold 2.30.0 (compatible with GNU ld)\n", LINKER_OTHER, false},
		{"", LINKER_OTHER, false},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct linker linker;
		linker_identify(known[i].text, &linker);
		assert_int_equal(linker.kind, known[i].kind);
		assert_int_equal(linker_orders(&linker), known[i].orders);
		assert_int_equal(linker_means(&linker) != NULL, known[i].orders);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(versions)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
