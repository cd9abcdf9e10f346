/* Local variables that are released where their scope ends, on every way out of it:
 *
 *     SCOPED(buffer) struct buffer text = {0};
 *
 * calls buffer_release(&text). One that has an init function gets it right where it is declared; a result is
 * declared as `= result_empty()`. */
#ifndef TARE_BASE_SCOPED_H
#define TARE_BASE_SCOPED_H

#define SCOPED(kind) __attribute__((cleanup(kind##_release)))

#endif
