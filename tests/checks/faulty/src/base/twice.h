#ifndef ARENALITE_BASE_TWICE_H_
#define ARENALITE_BASE_TWICE_H_

namespace arenalite {

struct Twice {};

}  // namespace arenalite

#endif  // ARENALITE_BASE_TWICE_H_
