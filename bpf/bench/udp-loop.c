/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One process on one CPU sends itself a small UDP datagram over 127.0.0.1 and receives it, again
 * and again. Each loop is one raise, one entry and one exit of NET_RX on that CPU, and nothing ever
 * waits: what is attached to these three tracepoints is all that differs between two runs.
 *
 *	udp-loop CPU SECONDS
 *
 * Cuts the time into windows of 10 ms and prints, in ns a loop, the best, the lower quartile and the
 * median of the windows, then the number of loops and how many NET_RX the CPU ran for each:
 *
 *	best_ns 1103.4 p25_ns 1120.9 median_ns 1131.0 loops 2650240 net_rx_per_loop 1.000
 *
 * Disturbance only ever adds: the better windows show what the loop costs, the median how quiet the
 * machine was.
 */
#define _GNU_SOURCE
#include <err.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define WINDOW_NS 10000000ULL
#define LOOPS_PER_CLOCK 32 /* the clock is read once in so many loops, so that it costs nothing */
#define MAX_SECONDS 600
#define MAX_WINDOWS (MAX_SECONDS * 100 + 100)
#define DATAGRAM_BYTES 32

static double windows_ns[MAX_WINDOWS];

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void run_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "run on CPU %d", cpu);
	/* Whole windows: nothing else gets the CPU, but for the twentieth that the kernel keeps back. */
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}))
		err(1, "become a real-time process");
}

/* How many NET_RX a CPU has run: from the column of /proc/softirqs that is headed CPU<n>. */
static uint64_t net_rx_of(int cpu)
{
	static char line[1 << 16];
	char heading[16];
	int column = -1, columns = 0;
	uint64_t count = 0;
	FILE *file = fopen("/proc/softirqs", "r");

	if (!file || !fgets(line, sizeof(line), file))
		err(1, "read /proc/softirqs");
	snprintf(heading, sizeof(heading), "CPU%d", cpu);
	for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"), columns++)
		if (!strcmp(word, heading))
			column = columns;
	if (column < 0)
		errx(1, "/proc/softirqs has no column %s", heading);
	while (fgets(line, sizeof(line), file)) {
		char *word = strtok(line, " \n");

		if (!word || strcmp(word, "NET_RX:"))
			continue;
		for (int i = 0; word && i <= column; i++)
			word = strtok(NULL, " \n");
		count = word ? strtoull(word, NULL, 10) : 0;
	}
	fclose(file);
	return count;
}

/* A socket that is connected to itself. */
static int own_socket(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int udp = socket(AF_INET, SOCK_DGRAM, 0);

	if (udp < 0 || bind(udp, (struct sockaddr *)&address, size) ||
	    getsockname(udp, (struct sockaddr *)&address, &size) ||
	    connect(udp, (struct sockaddr *)&address, size))
		err(1, "open a UDP socket on 127.0.0.1");
	return udp;
}

static void loop_once(int udp)
{
	char datagram[DATAGRAM_BYTES] = {0};

	if (send(udp, datagram, sizeof(datagram), 0) != sizeof(datagram))
		err(1, "send");
	if (recv(udp, datagram, sizeof(datagram), 0) != sizeof(datagram))
		err(1, "receive");
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static long number(const char *text, long most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || end == text || value < 0 || value > most)
		errx(2, "not a number from 0 to %ld: %s", most, text);
	return value;
}

int main(int argc, char **argv)
{
	uint64_t loops = 0, net_rx, first_ns, start_ns, end_ns;
	int windows = 0, cpu, udp;

	if (argc != 3)
		errx(2, "usage: udp-loop CPU SECONDS");
	cpu = number(argv[1], CPU_SETSIZE - 1);
	end_ns = number(argv[2], MAX_SECONDS) * 1000000000ULL;
	run_on(cpu);
	udp = own_socket();
	for (int i = 0; i < 20000; i++)
		loop_once(udp);
	net_rx = net_rx_of(cpu);
	first_ns = start_ns = now_ns();
	end_ns += first_ns;
	while (start_ns < end_ns && windows < MAX_WINDOWS) {
		uint64_t in_window = 0, elapsed_ns;

		do {
			for (int i = 0; i < LOOPS_PER_CLOCK; i++)
				loop_once(udp);
			in_window += LOOPS_PER_CLOCK;
			elapsed_ns = now_ns() - start_ns;
		} while (elapsed_ns < WINDOW_NS);
		windows_ns[windows++] = (double)elapsed_ns / in_window;
		loops += in_window;
		start_ns += elapsed_ns;
	}
	net_rx = net_rx_of(cpu) - net_rx;
	if (!windows)
		errx(2, "SECONDS must be at least 1");
	qsort(windows_ns, windows, sizeof(windows_ns[0]), by_value);
	printf("best_ns %.1f p25_ns %.1f median_ns %.1f loops %llu net_rx_per_loop %.3f\n",
	       windows_ns[0], windows_ns[windows / 4], windows_ns[windows / 2],
	       (unsigned long long)loops, (double)net_rx / loops);
	return 0;
}
