// Which subgraphs an operator calls.

#ifndef ARENALITE_MODEL_CALLED_SUBGRAPHS_H_
#define ARENALITE_MODEL_CALLED_SUBGRAPHS_H_

#include <cstdint>

#include "arenalite/span.h"
#include "model_generated.h"

namespace arenalite {

// Subgraph indices as the file states them, unchecked.
class CalledSubgraphs {
 public:
  explicit CalledSubgraphs(const schema::Operator& op);

  size_t size() const { return list_.empty() ? count_ : list_.size(); }
  int64_t operator[](size_t i) const {
    return list_.empty() ? indices_[i] : list_[i];
  }

 private:
  void Add(int64_t index) { indices_[count_++] = index; }
  void AddOptions(const schema::Operator& op);
  void AddOptions2(const schema::Operator& op);

  int64_t indices_[2] = {};
  size_t count_ = 0;
  Span<const int32_t> list_;  // In the file, where there may be many.
};

}  // namespace arenalite

#endif  // ARENALITE_MODEL_CALLED_SUBGRAPHS_H_
