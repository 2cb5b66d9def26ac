// Counts failed checks and prints their lines.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <cstdio>

inline int failed = 0;

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            failed++;                                                           \
        }                                                                       \
    } while (0)

// Whether the statement throws grille::error with this status.
#define CHECK_THROWS(expected, statement)                 \
    do {                                                  \
        bool thrown = false;                              \
        try {                                             \
            statement;                                    \
        } catch (const grille::error& error) {            \
            thrown = error.status() == (expected);        \
        }                                                 \
        CHECK(thrown && #statement);                      \
    } while (0)

#endif
