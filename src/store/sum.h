/* A checksum of each row: row_sum(…) in SQL, of its columns in the order of store/schema.h. */
#ifndef TARE_STORE_SUM_H
#define TARE_STORE_SUM_H

#include "store/sql.h"

/* Makes row_sum() known to the connection; an SQLite code. */
int sum_register(sqlite3 *db);

#endif
