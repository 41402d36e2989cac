#ifndef ARENALITE_PLAN_TWICE_H_
#define ARENALITE_PLAN_TWICE_H_

namespace arenalite {

struct Twice {};

}  // namespace arenalite

#endif  // ARENALITE_PLAN_TWICE_H_
