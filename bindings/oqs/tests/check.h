/* Counts failed checks and prints their lines. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int failed;

#define CHECK(condition)                                                      \
	do {                                                                      \
		if (!(condition)) {                                                   \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);    \
			failed++;                                                         \
		}                                                                     \
	} while (0)

/* Prints the number of failed checks, for main to return. */
static int finish(void) {
	printf("%d failed\n", failed);
	return failed != 0;
}

#endif
