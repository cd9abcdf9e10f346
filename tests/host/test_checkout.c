#include "host/checkout.h"

#include "support/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tare-checkout-XXXXXX";

static void shell(const char *command)
{
	if (system(command) != 0)
		fail_msg("%s", command);
}

static void test_states(void **state)
{
	(void)state;
	struct host host = host_real();
	struct checkout checkout;
	if (system("git --version >/dev/null 2>&1") != 0)
		skip();
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	checkout_describe(&host, &checkout);
	assert_string_equal(checkout.commit, "");
	shell("git init -q . && git checkout -q -b trunk");
	checkout_describe(&host, &checkout); /* no commit yet */
	assert_string_equal(checkout.commit, "");
	shell("mkdir below && echo a >a && git add a && git -c user.name=n -c user.email=e commit -qm m");
	assert_int_equal(chdir("below"), 0);
	checkout_describe(&host, &checkout);
	assert_int_equal(strlen(checkout.commit), 40);
	assert_string_equal(checkout.branch, "trunk");
	assert_true(checkout.dirty_known && !checkout.dirty);
	shell("echo new >untracked");
	checkout_describe(&host, &checkout);
	assert_true(checkout.dirty_known && !checkout.dirty);
	shell("echo b >../a");
	checkout_describe(&host, &checkout);
	assert_true(checkout.dirty_known && checkout.dirty);
	shell("git checkout -q --detach");
	checkout_describe(&host, &checkout);
	assert_string_equal(checkout.branch, "");
	assert_int_equal(chdir("/"), 0);
	char command[64];
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	shell(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_states)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
