/* A program that answers, but not as the protocol says: argv[1] is sent in reply to the hand-shake, and each further
 * argument in reply to one more line. "\n" in an argument is written as '|'. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text)
{
	for (; *text; text++)
		if (write(4, *text == '|' ? "\n" : text, 1) != 1)
			_exit(9);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char c = 0;
		while (c != '\n')
			if (read(3, &c, 1) != 1)
				return 8;
		if (strcmp(argv[i], "endless") == 0)
			for (;;)
				say("x");
		if (strcmp(argv[i], "nul") == 0) {
			if (write(4, "ok\0\n", 4) != 4)
				return 7;
			continue;
		}
		say(argv[i]);
	}
	for (;;)
		pause();
}
