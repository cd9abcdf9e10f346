#include "host/priority.h"

#include <errno.h>
#include <sys/resource.h>

enum { BEST = -20 };

void priority_raise(const struct host *host, struct priority *priority)
{
	errno = 0;
	int before = host->sys->getpriority(PRIO_PROCESS, 0);
	if ((before == -1 && errno != 0) || before <= BEST)
		return;
	if (host->sys->setpriority(PRIO_PROCESS, 0, BEST) == 0)
		*priority = (struct priority){.raised = true, .before = before};
}

void priority_restore(const struct host *host, struct priority *priority)
{
	if (priority->raised)
		host->sys->setpriority(PRIO_PROCESS, 0, priority->before);
	priority->raised = false;
}
