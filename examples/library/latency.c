/* Round-trip time over the loopback network, driven by ourselves: rounds of 500 messages until tare says that it is
 * enough.
 *
 * usage: latency [SECONDS] */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <tare/tare.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *echo(void *listener)
{
	int fd = accept(*(int *)listener, NULL, NULL), one = 1;
	char c;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	while (read(fd, &c, 1) == 1 && write(fd, &c, 1) == 1)
		;
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	double until = now() + (argc > 1 ? atof(argv[1]) : 60);
	struct sockaddr_in address;
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0), one = 1, status = 1;
	pthread_t thread;
	memset(&address, 0, sizeof(address));
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) != 0 ||
	    pthread_create(&thread, NULL, echo, &listener) != 0 || connect(fd, (struct sockaddr *)&address, size) != 0)
		return 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));

	struct tare_pi time;
	memset(&time, 0, sizeof(time));
	time.name = "round trip";
	time.unit = "s";
	time.units = 1;
	struct tare_session *session = tare_session_new();
	tare_session_preset(session, TARE_QUICK);
	tare_session_add_pi(session, &time, NULL);
	while (!tare_session_enough(session) && (now() < until || tare_session_rounds(session) < 2)) {
		struct tare_round *round;
		if (tare_session_begin(session, &round) != TARE_OK)
			break;
		for (int i = 0; i < 500; i++) {
			char c = 'x';
			double before = now();
			if (write(fd, &c, 1) == 1 && read(fd, &c, 1) == 1)
				tare_round_unit(round, 0, now() - before);
		}
		if (tare_session_end(session, round, 1) != TARE_OK)
			break;
	}
	struct tare_estimate e;
	if (tare_session_estimate(session, 0, &e) == TARE_OK) {
		printf("%.1f us, %.1f to %.1f, %zu rounds; %s\n", e.mean * 1e6, e.low * 1e6, e.high * 1e6, e.rounds,
		       e.waits_for);
		status = 0;
	}
	tare_session_free(session);
	close(fd);
	pthread_join(thread, NULL);
	close(listener);
	return status;
}
