/* Programs of known kinds that `tare calibrate` measures: tare itself, started as `tare __load KIND`. */
#ifndef TARE_MACHINE_LOAD_H
#define TARE_MACHINE_LOAD_H

enum { LOAD_COUNT = 3 };
extern const char *const load_names[LOAD_COUNT]; /* "cpu", "memory", "start" */

/* The program; its exit code. */
int load_main(int argc, char **argv);

#endif
