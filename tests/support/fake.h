/* A machine made of files: a folder that stands for the root of /proc, /sys and /etc. */
#ifndef TARE_TESTS_SUPPORT_FAKE_H
#define TARE_TESTS_SUPPORT_FAKE_H

/* A new empty folder; free() its name after fake_remove(). Ends the program when it cannot be made. */
char *fake_root(void);

/* Writes root/path with its folders. */
void fake_file(const char *root, const char *path, const char *text);

/* Removes the folder with all that it holds. */
void fake_remove(const char *root);

#endif
