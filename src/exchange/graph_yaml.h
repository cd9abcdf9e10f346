/* A file that tells of components and links, to extend or replace the graph that is found.
 *
 *	replace: false
 *	components:
 *	  - name: disk:sda
 *	    kind: disk
 *	    detail: the old one
 *	links:
 *	  - from: command
 *	    to: disk:sda
 *	    gauge: disk:sda.write      # tells how busy this direction is
 *	    capacity: 200MB            # per second
 *	    back: disk:sda.read        # the other direction
 *	    back-capacity: 250MB
 */
#ifndef TARE_EXCHANGE_GRAPH_YAML_H
#define TARE_EXCHANGE_GRAPH_YAML_H

#include "base/error.h"
#include "model/monitoring.h"

/* Reads a file. The errors name the file and, where the parser tells it, the line. */
int graph_yaml_read(const char *path, struct arena *arena, struct graph *out, bool *replace, struct error *err);

#endif
