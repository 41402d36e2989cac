// ARENALITE_DCHECK: stops a debug build when an invariant of ours is broken.

#ifndef ARENALITE_BASE_CHECK_H_
#define ARENALITE_BASE_CHECK_H_

#ifdef NDEBUG
#define ARENALITE_DCHECK(condition) \
  do {                              \
    (void)sizeof(condition);        \
  } while (false)
#else
#include <cstdlib>
#define ARENALITE_DCHECK(condition) \
  do {                              \
    if (!(condition)) std::abort(); \
  } while (false)
#endif

#endif  // ARENALITE_BASE_CHECK_H_
