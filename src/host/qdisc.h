/* The rate that a token bucket filter (tc tbf) allows an interface to send at. */
#ifndef TARE_HOST_QDISC_H
#define TARE_HOST_QDISC_H

#include "host/host.h"

/* Bytes per second, the least of those on the interface; NaN where there is none or the kernel does not report it. */
double qdisc_rate(const struct host *host, const char *interface);

#endif
