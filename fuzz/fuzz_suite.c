/* A libFuzzer target for suite files (tare.yaml): one that is taken has something to measure, one that is refused a
 * reason. */
#include "exchange/suite_file.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct suite_file file;
	struct error err = {0};
	if (suite_file_parse(&file, "tare.yaml", (const char *)bytes, length, &err) == 0) {
		if (file.subject_count == 0)
			abort();
		suite_file_release(&file);
	} else if (err.kind == ERROR_NONE || !err.what[0]) {
		abort();
	}
	return 0;
}
