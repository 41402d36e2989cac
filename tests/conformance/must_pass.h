// The checked-in list of what must not stop passing. Lines:
//     model KEY             a model of the corpus
//     cases OP COUNT        at least so many op-level cases of OP pass

#ifndef ARENALITE_TESTS_CONFORMANCE_MUST_PASS_H_
#define ARENALITE_TESTS_CONFORMANCE_MUST_PASS_H_

#include <map>
#include <set>
#include <string>

namespace arenalite {
namespace conformance {

struct MustPass {
  std::set<std::string> models;
  std::map<std::string, int> cases;
};

// The list of this source tree; a line of another form ends the program.
MustPass LoadMustPass();
bool SaveMustPass(const MustPass& list);

}  // namespace conformance
}  // namespace arenalite

#endif  // ARENALITE_TESTS_CONFORMANCE_MUST_PASS_H_
