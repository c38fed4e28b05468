/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes the kernel defer work of every kind that a process can cause without hardware, for programs
 * to be timed under: softirqs by UDP and TCP over 127.0.0.1, timers by TCP, work items by writes to
 * a pseudo terminal (flush_to_ldisc).
 *
 *	load SECONDS
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define BYTES 32

static socklen_t size = sizeof(struct sockaddr_in);

static int bound_socket(int type, struct sockaddr_in *address)
{
	int fd = socket(AF_INET, type, 0);

	*address = (struct sockaddr_in){.sin_family = AF_INET,
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (fd < 0 || bind(fd, (struct sockaddr *)address, size) ||
	    getsockname(fd, (struct sockaddr *)address, &size))
		err(1, "open a socket on 127.0.0.1");
	return fd;
}

static int connected_to(int type, struct sockaddr_in *address)
{
	int fd = socket(AF_INET, type, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)address, size))
		err(1, "connect on 127.0.0.1");
	return fd;
}

static void pass(int from, int to)
{
	char bytes[BYTES] = {0};
	struct pollfd readable = {.fd = to, .events = POLLIN};

	if (write(from, bytes, sizeof(bytes)) != sizeof(bytes))
		err(1, "write");
	if (poll(&readable, 1, 1000) != 1 || read(to, bytes, sizeof(bytes)) < 0)
		err(1, "read");
}

static int open_pty(int *terminal)
{
	struct termios raw;
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	if (master < 0 || grantpt(master) || unlockpt(master))
		err(1, "open a pseudo terminal");
	*terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (*terminal < 0 || tcgetattr(*terminal, &raw))
		err(1, "open %s", ptsname(master));
	cfmakeraw(&raw);
	if (tcsetattr(*terminal, TCSANOW, &raw))
		err(1, "set the terminal's mode");
	return master;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address;
	int udp_in, udp_out, listening, tcp_in, tcp_out, master, terminal;
	time_t end;

	if (argc != 2 || atoi(argv[1]) < 1)
		errx(2, "usage: load SECONDS");
	udp_in = bound_socket(SOCK_DGRAM, &address);
	udp_out = connected_to(SOCK_DGRAM, &address);
	listening = bound_socket(SOCK_STREAM, &address);
	if (listen(listening, 1))
		err(1, "listen on 127.0.0.1");
	tcp_out = connected_to(SOCK_STREAM, &address);
	tcp_in = accept(listening, NULL, NULL);
	if (tcp_in < 0)
		err(1, "accept on 127.0.0.1");
	master = open_pty(&terminal);
	for (end = time(NULL) + atoi(argv[1]); time(NULL) < end;) {
		pass(udp_out, udp_in);
		pass(tcp_out, tcp_in);
		pass(tcp_in, tcp_out);
		pass(master, terminal);
	}
	return 0;
}
